// What looks like the beginning of a phase, "Phase 1: Name", in all its spellings (docs/harness.md, "Spec grammar").

/** A text that begins as a phase does. */
export interface PhaseShape {
  /** As written: `Phase`, `Wave`, `Sub-Phase`, `Phases` of several at once. */
  word: string
  /** The label as written: `1`, `2.1`, `5a`, `A`, `One`, `1-2`, `1 of 3`. */
  id: string
  /** What stands in parentheses or brackets between label and name, with them, and words on how far it is behind a sign. */
  aside: string
  name: string
  /** Nothing follows the label, not even a colon. */
  bare: boolean
  /** Struck through with `~~`. */
  struck: boolean
  /** The done mark or ticked box that stands before it, or right behind its label. */
  mark: string | undefined
}

export const phaseWords: readonly string[] = ['phase', 'wave', 'stage', 'step']
/** Words that count only below a heading that a person chose. */
export const chosenWords: readonly string[] = [
  ...phaseWords,
  'milestone',
  'iteration',
  'sprint',
  'week',
  'part',
]

const doneMarks = '✅☑✔✓'
const number = String.raw`\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?`
const label = new RegExp(
  String.raw`^(?:${number}(?:(?:[-–—/+&]|\s(?:of|and|&|\+)\s)${number})?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[IVX]{1,8}|[A-Z]\d{0,9})(?![\p{L}\p{N}])`,
  'iu',
)
/** Two labels at once, `1-2`: what a word in the plural needs. */
const range = /\d[a-z]?\s?\D{1,5}\s?\d/i
const numbering = /^\d{1,9}(?:\.\d{1,9}){0,8}[.)]?\s/
/** Emoji and other signs that people put before a name, with what joins them. */
const sign = /^(?:\p{Extended_Pictographic}|\p{So}|\u200d|\ufe0e|\ufe0f|✓|✔)/u

/** The same text, character by character, with blanks, those that nobody sees too, and full-width forms as plain ones. */
export function plainForms(text: string): string {
  return text
    .replace(/[\u00ad\u00a0\u1680\u180e\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff\t]/g, ' ')
    .replace(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
}

/** What stands before the words of a heading or an item: marks of emphasis, signs, a box. */
export interface Lead {
  /** Where the words begin. */
  at: number
  struck: boolean
  mark: string | undefined
}

/** Skips emphasis, signs and boxes at the beginning of a text in plain forms. */
export function leadOf(text: string): Lead {
  const lead: Lead = { at: 0, struck: false, mark: undefined }
  for (; lead.at < text.length; ) {
    const rest = text.slice(lead.at, lead.at + 4)
    const box = /^\[[^\][]\]/.exec(rest)?.[0]
    const sized = sign.exec(rest)?.[0]
    if (rest.startsWith('~~')) {
      lead.struck = true
      lead.at += 2
    } else if (box !== undefined) {
      if (/[xX✓✔]/.test(box)) lead.mark = box
      lead.at += 3
    } else if (sized !== undefined) {
      if (doneMarks.includes(sized)) lead.mark = sized
      lead.at += sized.length
    } else if (/^[\s*_]/.test(rest)) lead.at += 1
    else break
  }
  return lead
}

/** Reads a text as the beginning of a phase; undefined where it is none. */
export function phaseShapeOf(text: string, words: readonly string[] = phaseWords): PhaseShape | undefined {
  const shape = shapeIn(text, words)
  if (shape === undefined) return undefined
  // "Phase 1: Phase 1: X" says its label twice.
  for (let round = 0; round < 3; round += 1) {
    const inner = shapeIn(shape.name, words)
    const same =
      inner?.id.toLowerCase() === shape.id.toLowerCase() &&
      inner.word.toLowerCase() === shape.word.toLowerCase()
    if (inner === undefined || inner.name === '' || !same) break
    shape.name = inner.name
  }
  return shape
}

function wordPattern(words: readonly string[]): RegExp {
  return new RegExp(`^(?:sub-?\\s?)?(?:${words.join('|')})s?(?=\\s|\\d)\\s{0,9}#?`, 'i')
}

const patterns = new Map([phaseWords, chosenWords].map((words) => [words, wordPattern(words)]))
const separator = /^(?:\s{0,9}(?:[:—–―]|->|→)|\s{1,9}-{1,3}(?=\s)|-(?=\s)|\.(?=\s|$|\*|_))/

function shapeIn(text: string, words: readonly string[]): PhaseShape | undefined {
  const plain = plainForms(text)
  const lead = leadOf(plain)
  let at = lead.at
  at += numbering.exec(plain.slice(at, at + 100))?.[0].length ?? 0
  at += leadOf(plain.slice(at, at + 20)).at
  const pattern = patterns.get(words) ?? wordPattern(words)
  const word = pattern.exec(plain.slice(at, at + 40))?.[0]
  if (word === undefined) return undefined
  at += word.length
  const id = label.exec(plain.slice(at, at + 100))?.[0]
  if (id === undefined || (/s[\s#]*$/i.test(word) && !range.test(id))) return undefined
  const aside = asideAt(plain, at + id.length)
  const status = statusAt(plain, aside.end)
  at = status.end
  const shape = {
    word: word.replace(/[\s#]/g, ''),
    id,
    aside: `${aside.text} ${status.text}`.trim(),
    struck: lead.struck,
    mark: lead.mark ?? status.mark,
  }
  if (plain.slice(at).trim() === '') return { ...shape, name: '', bare: true }
  const between = separator.exec(plain.slice(at, at + 24))?.[0] ?? (status.isSigned ? '' : undefined)
  if (between === undefined) return undefined
  return { ...shape, name: nameFrom(text, at + between.length), bare: false }
}

/** Marks of emphasis and words in parentheses or brackets behind a label. */
function asideAt(text: string, from: number): { text: string; end: number } {
  let at = from
  let said = ''
  for (let round = 0; round < 4; round += 1) {
    while (text[at] === '*' || text[at] === '_' || text[at] === '~') at += 1
    const open = /^ ?[([]/.test(text.slice(at, at + 2)) ? at + (text[at] === ' ' ? 1 : 0) : -1
    const close = open === -1 ? -1 : text.slice(open, open + 200).indexOf(text[open] === '(' ? ')' : ']')
    if (close === -1) break
    said = `${said} ${text.slice(open, open + close + 1)}`.trim()
    at = open + close + 1
  }
  return { text: said, end: at }
}

/** Signs behind a label, and the words of a status behind them: `✅ BUILT`. A sign divides label and name, too. */
function statusAt(
  text: string,
  from: number,
): { text: string; mark: string | undefined; isSigned: boolean; end: number } {
  let at = from
  let mark: string | undefined
  for (let round = 0; round < 4; round += 1) {
    const blanks = /^\s{0,3}/.exec(text.slice(at, at + 3))?.[0].length ?? 0
    const found = sign.exec(text.slice(at + blanks, at + blanks + 4))?.[0]
    if (found === undefined) break
    if (doneMarks.includes(found)) mark = found
    at += blanks + found.length
  }
  if (at === from) return { text: '', mark, isSigned: false, end: from }
  const word =
    /^\s{0,3}(?:[A-Z]{3,12}(?:\s[A-Z]{2,12}){0,2}|[Cc]ompleted?|[Dd]one)(?=\s{0,3}(?:$|[\s*_~:—–-]))(?!\s{1,3}[A-Za-z])/.exec(
      text.slice(at, at + 60),
    )?.[0]
  const said = text.slice(from, at + (word?.length ?? 0)).trim()
  return { text: word === undefined ? '' : said, mark, isSigned: true, end: at + (word?.length ?? 0) }
}

/** The words behind the separator, without a mark of emphasis that was opened before them. */
function nameFrom(text: string, from: number): string {
  let name = text.slice(from).trim()
  for (const mark of ['~~', '**', '__', '*', '_']) {
    // What stands in code marks is no emphasis.
    const parts = name.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length)).split(mark)
    if (parts.length % 2 === 1 || (mark.length === 1 && !text.slice(0, from).includes(mark))) continue
    const size = mark.length
    if (name.endsWith(mark)) name = name.slice(0, -size).trimEnd()
    else if (size === 1) continue
    else if (name.startsWith(mark)) name = name.slice(size).trimStart()
    else {
      const at = parts[0]?.length ?? 0
      name = name.slice(0, at) + name.slice(at + size)
    }
  }
  return name
}

const doneWord =
  /^(?:status\s?:\s?)?(?:all\s)?(?:done|completed?|finished|shipped|merged|implemented|delivered)\b/i
const longestTail = 120
/** Signs that part a name from what is said of it. */
const setOff = [' - ', '—', '–', '→', '->', '|', '·', '•', ' / ']

/** Why a phase counts as done already, by a mark at the tail of its name or before it; undefined where it does not. */
export function doneReason(name: string, shape?: PhaseShape, checked?: boolean): string | undefined {
  if (shape?.struck === true) return 'it is struck through'
  if (isStruck(name)) return 'it is struck through'
  if (shape?.mark !== undefined) return `it is marked ${shape.mark}`
  if (checked === true) return 'its box is ticked'
  const tail = doneTail(name) ?? (shape === undefined ? undefined : doneTail(`x ${shape.aside}`))
  return tail === undefined ? undefined : `its name ends in "${tail}"`
}

/** All of the name is struck through, and not a part of it. */
function isStruck(name: string): boolean {
  const text = name.replace(/^[\s*_]{1,9}/, '').replace(/[\s*_]{1,9}$/, '')
  return text.length > 4 && text.startsWith('~~') && text.indexOf('~~', 2) === text.length - 2
}

/** A name that is struck through as what it says. */
export function withoutStrike(name: string): string {
  return isStruck(name) ? name.replaceAll('~~', '') : name
}

/** The tail that says that something is done, set off by a mark, a sign or a bracket. */
export function doneTail(name: string): string | undefined {
  const text = plainForms(name.slice(-longestTail)).replace(/[\s*_~]{1,9}$/, '')
  const mark = Math.max(...[...doneMarks].map((each) => text.lastIndexOf(each)))
  const behindMark =
    mark === -1
      ? undefined
      : text
          .slice(mark + 1)
          .replace(/^\ufe0f/, '')
          .trim()
  if (behindMark !== undefined && (behindMark === '' || isDoneWord(bare(behindMark)))) return text.slice(mark)
  const open = Math.max(text.lastIndexOf('('), text.lastIndexOf('['))
  if (open > 0 && /[)\]]$/.test(text) && isDoneWord(bare(text.slice(open)))) return text.slice(open)
  if (open > 0 && /^\[[xX]\]$/.test(text.slice(open))) return text.slice(open)
  const dash = Math.max(...setOff.map((each) => text.lastIndexOf(each)))
  if (dash > 0 && isDoneWord(bare(text.slice(dash + 1).replace(/^[->]/, '')))) return text.slice(dash).trim()
  // Behind a colon stands what is to be done, unless nothing else does.
  const colon = text.lastIndexOf(': ')
  if (colon > 0 && /^(?:all )?(?:done|completed?|finished|shipped)[.!]?$/i.test(text.slice(colon + 2).trim()))
    return text.slice(colon + 2).trim()
  return undefined
}

function bare(text: string): string {
  return text.replace(/^[\s([*_—–-]{1,9}/, '').replace(/[\s)\]*_]{1,9}$/, '')
}

/** A done word with no more behind it than when, where or what it was done by: "Complete the docs" is work. */
function isDoneWord(text: string): boolean {
  const word = doneWord.exec(text)?.[0]
  if (word === undefined) return false
  const rest = text.slice(word.length).trim()
  return rest === '' || /^(?:[\d.,:;!([#@v-]|(?:in|on|at|by|with|since)\s)/i.test(rest)
}

/** Whether the summary of a folded part says that it is done. */
export function saysDone(summary: string): boolean {
  return (
    doneTail(summary) !== undefined ||
    leadOf(plainForms(summary)).mark !== undefined ||
    doneWord.test(bare(summary))
  )
}
