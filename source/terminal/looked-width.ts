import stringWidth from 'string-width'

// Takes the place of string-width for Ink in the bundle (scripts/ink-parts.js): nearly every text of the screen is plain, and
// the patterns for all others take 95 ms to be made (measured).

const looks = /\u001b\[[0-9;]*m/g

/** Printable ASCII and the marks of our own, each one cell wide. */
const plain =
  /^[\x20-\x7e\u00b7\u2022\u2026\u203a\u2190-\u2193\u2500-\u259f\u25a0-\u25cf\u2713\u2717\u276f\u2800-\u28ff]*$/

/** Cells that a text takes in a terminal, whatever it looks like. */
export function lookedWidth(text: string): number {
  const bare = text.includes('\u001b') ? text.replace(looks, '') : text
  return plain.test(bare) ? bare.length : stringWidth(bare)
}
