// Line edits that leave every other byte alone: line endings, a missing final newline and a BOM stay as they are.

/** A line and the characters that end it: `\n`, `\r\n`, or nothing for a last line without an ending. */
export interface RawLine {
  text: string
  ending: string
}

/** Splits at `\n` and `\r\n` only, so that joining all parts gives the same text again. */
export function rawLines(text: string): RawLine[] {
  const lines: RawLine[] = []
  let start = 0
  while (start < text.length) {
    const feed = text.indexOf('\n', start)
    if (feed === -1) {
      lines.push({ text: text.slice(start), ending: '' })
      return lines
    }
    const carriage = feed > start && text[feed - 1] === '\r'
    lines.push({ text: text.slice(start, carriage ? feed - 1 : feed), ending: carriage ? '\r\n' : '\n' })
    start = feed + 1
  }
  return lines
}

/** The line ending that a text uses; `\n` when it has none yet. */
export function endingOf(text: string): string {
  return rawLines(text).find((line) => line.ending !== '')?.ending ?? '\n'
}

/** Replaces the text of one 1-based line. A line that is not there leaves the text as it is. */
export function replaceLine(text: string, number: number, replacement: string): string {
  return rawLines(text)
    .map((line, index) => {
      if (index + 1 !== number) return line.text + line.ending
      const mark = index === 0 && line.text.startsWith('\uFEFF') ? '\uFEFF' : ''
      return mark + replacement + line.ending
    })
    .join('')
}

/** Inserts a line after a 1-based line, in the text's own line ending. */
export function insertAfter(text: string, number: number, inserted: string): string {
  const ending = endingOf(text)
  return rawLines(text)
    .map((line, index) => {
      if (index + 1 !== number) return line.text + line.ending
      return line.ending === ''
        ? line.text + ending + inserted
        : line.text + line.ending + inserted + line.ending
    })
    .join('')
}

/** Appends a block after one blank line; everything that is there stays byte for byte. Ends in a newline. */
export function appendBlock(text: string, block: string): string {
  const ending = endingOf(text)
  return text + gapBehind(text) + block.split(/\r?\n/).join(ending) + ending
}

/** What parts a text from a block behind it by one blank line. */
export function gapBehind(text: string): string {
  const ending = endingOf(text)
  if (text.replace(/^\uFEFF/, '') === '') return ''
  const lines = rawLines(text)
  const last = lines[lines.length - 1]
  if (last === undefined) return ''
  if (last.ending === '') return ending + ending
  return last.text.trim() === '' ? '' : ending
}

/** A text of several lines as one, a blank between them; a text of one line stays as it is. */
export function inOneLine(text: string): string {
  if (!text.includes('\n')) return text
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/** A text without the run of any of these characters at its end. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
