// What a keyboard sends for each named key (xterm in normal cursor mode).
const sequences = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  'shift+tab': '\u001b[Z',
  backspace: '\u007f',
  delete: '\u001b[3~',
  space: ' ',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
} as const

export type NamedKey = keyof typeof sequences

const isNamed = (key: string): key is NamedKey => Object.hasOwn(sequences, key)

/** Bytes of one key: a name of the table, `ctrl+<letter>`, or the single character itself. */
export function keySequence(key: string): string {
  if (isNamed(key)) return sequences[key]
  const control = /^ctrl\+([a-z])$/.exec(key)?.[1]
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 96)
  if ([...key].length === 1) return key
  throw new Error(`Unknown key ${JSON.stringify(key)}: use a name of test/support/keys.ts or one character.`)
}
