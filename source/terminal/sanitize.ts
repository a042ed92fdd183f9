// Text of others made safe to draw: docs/terminal.md "Text of others". Nothing that comes out can move the cursor, change a
// colour, hide, reorder or overwrite text.

/** Takes text in pieces, as it arrives; sequences may be cut anywhere. */
export interface Sanitizer {
  /** Safe text for this piece; what may be the start of a sequence is kept back. */
  push(chunk: string): string
  /** What was kept back, and a fresh start. */
  end(): string
}

const tab = '    '
const replacement = '\ufffd'
const marksPerCharacter = 4
/** A control string longer than this is not swallowed further, so that nobody can hide a whole stream in one. */
const longestControlString = 65_536

const plain = /^[\x20-\x7e\n]*$/
const variationSelector = /^[\ufe00-\ufe0f]$/
const kindsOfCharacters = () => ({
  hidden: /^[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]$/u,
  mark: /^\p{M}$/u,
  emoji: /^\p{Extended_Pictographic}$/u,
})
const skinTone = /^[\u{1f3fb}-\u{1f3ff}]$/u
const joiner = '\u200d'

/** Made for the first text that needs them: their tables take longer than the rest of a quick command. */
let kinds: ReturnType<typeof kindsOfCharacters> | undefined

function isA(kind: 'hidden' | 'mark' | 'emoji', character: string): boolean {
  kinds ??= kindsOfCharacters()
  return kinds[kind].test(character)
}

type Mode =
  | { in: 'text' }
  /** After ESC, with or without intermediate bytes. */
  | { in: 'escape' }
  | { in: 'csi' }
  /** OSC, DCS, APC, PM or SOS; `escaped` after an ESC that may begin the terminator. */
  | { in: 'string'; osc: boolean; length: number; escaped: boolean }

const text: Mode = { in: 'text' }

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function controlString(osc: boolean): Mode {
  return { in: 'string', osc, length: 0, escaped: false }
}

function afterC1(code: number): Mode | undefined {
  switch (code) {
    case 0x90:
    case 0x98:
    case 0x9e:
    case 0x9f:
      return controlString(false)
    case 0x9b:
      return { in: 'csi' }
    case 0x9d:
      return controlString(true)
    default:
      return undefined
  }
}

function afterEscape(character: string): Mode | undefined {
  switch (character) {
    case '[':
      return { in: 'csi' }
    case ']':
      return controlString(true)
    case 'P':
    case 'X':
    case '^':
    case '_':
      return controlString(false)
    default:
      return undefined
  }
}

/** Where a stream stands between two characters. */
interface Scan {
  mode: Mode
  /** Combining marks on the last character that was shown. */
  marks: number
  /**
   * Of emoji that are joined to one: after the first, after a joiner, after one that is left out. Terminals draw the whole
   * in as many cells as each of them likes, so the first stands for all.
   */
  joined: 'no' | 'emoji' | 'joiner' | 'left out'
}

/** What of joined emoji is left out; undefined for a character that is none of them. */
function leftOut(scan: Scan, character: string): string | undefined {
  const { joined } = scan
  if (character === joiner && (joined === 'emoji' || joined === 'left out')) {
    scan.joined = 'joiner'
    return ''
  }
  if (joined === 'joiner') {
    if (isA('emoji', character)) {
      scan.joined = 'left out'
      return ''
    }
    scan.joined = 'no'
    return undefined
  }
  if (joined === 'left out' && (skinTone.test(character) || variationSelector.test(character))) return ''
  // A tone of the first one is a part of it.
  if (joined !== 'emoji' || !(skinTone.test(character) || variationSelector.test(character)))
    scan.joined = isA('emoji', character) ? 'emoji' : 'no'
  return undefined
}

/** One character of text, never LF, ESC, or a C1 opener. */
function shown(scan: Scan, character: string, code: number): string {
  if (code >= 0x20 && code < 0x7f) {
    scan.marks = 0
    scan.joined = 'no'
    return character
  }
  if (code === 0x09) return tab
  if (code === 0x0d) return '\u240d'
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code <= 0x9f) return '\u2421'
  if (code >= 0xd800 && code <= 0xdfff) return replacement
  const joined = leftOut(scan, character)
  if (joined !== undefined) return joined
  if (variationSelector.test(character)) return ''
  if (isA('hidden', character)) {
    scan.marks = 0
    return replacement
  }
  if (isA('mark', character)) {
    scan.marks += 1
    return scan.marks <= marksPerCharacter ? character : ''
  }
  scan.marks = 0
  return character
}

function inText(scan: Scan, character: string, code: number): string {
  if (code === 0x1b) {
    scan.mode = { in: 'escape' }
    return ''
  }
  if (code === 0x0a) {
    scan.marks = 0
    scan.joined = 'no'
    return '\n'
  }
  const next = afterC1(code)
  if (!next) return shown(scan, character, code)
  scan.mode = next
  return ''
}

// The readers of sequences return undefined if the character is no part of it and has to be read again as text.

function inEscape(scan: Scan, character: string, code: number): string | undefined {
  const next = afterEscape(character)
  if (next) {
    scan.mode = next
    return ''
  }
  if (code >= 0x20 && code <= 0x2f) return ''
  scan.mode = text
  return code >= 0x30 && code <= 0x7e ? '' : undefined
}

function inCsi(scan: Scan, code: number): string | undefined {
  if (code >= 0x20 && code <= 0x3f) return ''
  scan.mode = text
  return code >= 0x40 && code <= 0x7e ? '' : undefined
}

function inString(
  scan: Scan,
  state: Mode & { in: 'string' },
  character: string,
  code: number,
): string | undefined {
  if (state.escaped) {
    scan.mode = character === '\\' ? text : { in: 'escape' }
    return character === '\\' ? '' : undefined
  }
  if (code === 0x1b) {
    scan.mode = { ...state, escaped: true }
    return ''
  }
  const ended = code === 0x9c || code === 0x18 || code === 0x1a || (state.osc && code === 0x07)
  if (ended) {
    scan.mode = text
    return ''
  }
  if ((state.osc && code === 0x0a) || state.length >= longestControlString) {
    scan.mode = text
    return undefined
  }
  state.length += 1
  return ''
}

function one(scan: Scan, character: string, code: number): string {
  const state = scan.mode
  let out: string | undefined
  if (state.in === 'escape') out = inEscape(scan, character, code)
  else if (state.in === 'csi') out = inCsi(scan, code)
  else if (state.in === 'string') out = inString(scan, state, character, code)
  else return inText(scan, character, code)
  return out ?? one(scan, character, code)
}

function whole(scan: Scan, chunk: string): string {
  let out = ''
  for (let index = 0; index < chunk.length; ) {
    const code = chunk.codePointAt(index) ?? 0
    const character = String.fromCodePoint(code)
    const breaksLine = code === 0x0d && scan.mode.in === 'text' && chunk[index + 1] === '\n'
    if (!breaksLine) out += one(scan, character, code)
    index += character.length
  }
  return out
}

/** A sanitiser for one stream. */
export function createSanitizer(): Sanitizer {
  const scan: Scan = { mode: text, marks: 0, joined: 'no' }
  let kept = ''
  return {
    push(chunk) {
      const input = kept + chunk
      kept = ''
      if (scan.mode.in === 'text' && plain.test(input)) {
        if (input !== '') {
          scan.marks = 0
          scan.joined = 'no'
        }
        return input
      }
      const last = input.charCodeAt(input.length - 1)
      if (last === 0x0d || isHighSurrogate(last)) {
        kept = input.slice(-1)
        return whole(scan, input.slice(0, -1))
      }
      return whole(scan, input)
    },
    end() {
      const rest = whole(scan, kept)
      kept = ''
      scan.mode = text
      scan.marks = 0
      scan.joined = 'no'
      return rest
    },
  }
}

/** Safe text of a whole string; line breaks stay. */
export function sanitizeText(value: string): string {
  if (plain.test(value)) return value
  const sanitizer = createSanitizer()
  return sanitizer.push(value) + sanitizer.end()
}

/** Safe text on one line: line breaks become spaces. For titles, names, paths and labels. */
export function sanitizeLine(value: string): string {
  return sanitizeText(value).replace(/\n+/g, ' ')
}
