import { normalPhaseId, phaseIdPattern } from './playbook-id.js'

// A line that names a phase: its heading, or its place in a list (docs/playbook.md, "Roadmap").

export interface NamedPhase {
  /** Normalised. */
  id: string
  name: string
  /** What follows the name behind a dash. */
  text: string
  inserted: boolean
  /** Struck through: it was taken out of the roadmap. */
  removed: boolean
  /** A mark before it, or words behind its name, say that it is done. */
  saysDone: boolean
}

/** Marks, pictures and boxes that people put before the word. */
const before = /^(?:\[[ xX~]\]|[^\p{L}\p{N}(<|])*/u
/** A remark between id and name: `(INSERTED)`, `(completed)`. */
const remark = String.raw`(?:\([^()]{1,80}\)\s{0,9})?`
const marks = String.raw`(?:\*\*|__|~~|\*|_|\x60)?`
const dash = '[-–—−‒―]'
/** What stands between id and name; a dot only before a blank, a plain dash only between blanks. */
const separator = String.raw`:|：|\s${dash}+\s|\s{0,9}[–—―]|\s\|\s|\.(?=\s|(?:\*\*|__)\s)`
const phase = new RegExp(
  String.raw`^phase\s{1,9}(${phaseIdPattern})(${marks}\s{0,9}${remark}${marks})(${separator})(?:\*\*|__)?\s{0,9}(.*)$`,
  'iu',
)
/** Where nothing stands between the two, the marks of the id alone divide them: `**Phase 4** Name`. */
const marked = new RegExp(
  String.raw`^phase\s{1,9}(${phaseIdPattern})((?:\*\*|__)\s{1,9}${remark})()([\p{L}\p{N}\x60"'].*)$`,
  'iu',
)
/** Only the id in a link, with its marks inside or outside: `[Phase 4](x.md): Name`. */
const linkedId = new RegExp(String.raw`^(phase\s{1,9}${phaseIdPattern}(?:\*\*)?)\]\([^()]{0,500}\)`, 'iu')
/** `(INSERTED)`, `(INSERTED — urgent)` */
const insertedRemark = /\s{0,9}(?:\*{0,2}|_{0,2})\(\s{0,9}INSERTED\b[^()]{0,120}\)(?:\*{0,2}|_{0,2})/i
/** `Phase 1-11: ..` and `Phases 1 – 11` speak of many. */
const restOfRange = /^\d{1,6}[A-Z]?(?:\.\d{1,6})*\s*(?:[:)(*.]|\s[-–—]\s|[–—]|$)/i

/** Of the last texts, for headings are looked at more than once. */
const read = new Map<string, NamedPhase | undefined>()
const mostRead = 2000

/** Reads the text of a heading or list item. Undefined where it names no phase, or a range of them. */
export function namedPhase(text: string): NamedPhase | undefined {
  if (!/phase/i.test(text.slice(0, 80))) return undefined
  if (read.has(text)) return read.get(text)
  if (read.size >= mostRead) read.clear()
  const found = readPhase(text)
  read.set(text, found)
  return found
}

function readPhase(text: string): NamedPhase | undefined {
  const lead = before.exec(text)?.[0] ?? ''
  const linked = text.slice(lead.length)
  const said = lead.includes('[') ? linked.replace(linkedId, '$1') : linked
  const match = phase.exec(said) ?? (/\*\*|__/.test(lead) ? marked.exec(said) : null)
  const id = normalPhaseId(match?.[1] ?? '')
  if (match === null || id === undefined) return undefined
  const [, , middle = '', between = '', rest = ''] = match
  if (!/[:：.]/.test(between) && restOfRange.test(rest)) return undefined
  const around = `${lead}${middle}`
  const bold = around.includes('**') ? '**' : around.includes('__') ? '__' : undefined
  const { name, tail } = splitName(unlinked(lead, rest), middle.includes(bold ?? '**') ? undefined : bold)
  const whole = `${middle}${rest}`
  return {
    id,
    name: cleanPhaseName(name),
    text: cleanTail(tail),
    inserted: insertedRemark.test(whole) || /\([^()]{0,120}\bINSERTED\b[^()]{0,120}\)/.test(whole),
    removed: lead.includes('~~') || /^~~/.test(rest),
    saysDone: checkMark.test(lead) || endsDone(name),
  }
}

const checkMark = /[✅✓✔☑]/u

/** Whether what is cut off a name says that all of it is done; a counter of plans does not. */
function endsDone(text: string): boolean {
  const plain = plainName(text)
  const cut = plain.slice(cutTails(plain).length).replace(/\([^()]{0,80}\d\s{0,3}\/[^()]{0,300}\)/g, '')
  return /[✅✓✔☑]|\[[xX]\]/u.test(cut) || new RegExp(String.raw`\b${statusWords}\b|\bclosed\b`, 'i').test(cut)
}

/** A whole name in a link: `[Phase 4: Name](x.md)`. */
function unlinked(lead: string, rest: string): string {
  return lead.includes('[') ? rest.replace(/^([^\][]{1,300})\]\([^()]{0,500}\)/, '$1') : rest
}

const likely = new RegExp(
  String.raw`^((?:\S{1,12}\s{1,3}){0,2})[Pp](?:hase|HASE)(?:[\s#-]{0,4}(${phaseIdPattern})|[\s#-]{1,4}([IVX]{1,6}|[A-Z]|[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even))(?![\p{L}\p{N}])(.*)$`,
  'u',
)

/** A text that a person may take for a phase. */
export interface LikelyPhase {
  /** Normalised where it is one: `4`, else as written: `IV`. */
  id: string
  /** Other words stand before it. */
  isInside: boolean
  /** A sign stands behind it, as before a name. */
  isNamed: boolean
}

/** Reads a text that `namedPhase` does not; undefined for a range, and where nothing speaks of one phase. */
export function likelyPhase(text: string): LikelyPhase | undefined {
  if (!/phase/i.test(text.slice(0, 80))) return undefined
  const match = likely.exec(text.slice(before.exec(text)?.[0].length ?? 0))
  if (match === null) return undefined
  const [, words = '', number, other = '', rest = ''] = match
  // A range, and the name of a file: `phase-01-plan-02.md`.
  if (/^\s{0,3}(?:[-–—]|to|through)\s{0,3}\d|^-plan\b/i.test(rest)) return undefined
  const id = number === undefined ? other : (normalPhaseId(number) ?? number)
  return { id, isInside: words !== '', isNamed: /^(?:\*\*|__)?\s?[:.–—-]/.test(rest) }
}

/** The word of other languages, with its number behind or within it. */
const foreign =
  /^(?:(?:fase|fas|faza|etapa|[eé]tape|etappe|фаза|этап|阶段|階段|フェーズ|단계)[\s#]{0,3}(\d{1,3}(?:\.\d{1,3}){0,3})(?!\d)|第\s?([\d一二三四五六七八九十]{1,3})\s?(?:阶段|階段|フェーズ))/iu

/** Reads a text that names a phase in another language than the grammar's. */
export function foreignPhase(text: string): LikelyPhase | undefined {
  const match = foreign.exec(text.slice(before.exec(text)?.[0].length ?? 0))
  return match === null ? undefined : { id: match[1] ?? match[2] ?? '', isInside: false, isNamed: true }
}

/** A bold name ends with its bold marks, a plain one before the first dash that stands between blanks. */
function splitName(rest: string, bold: string | undefined): { name: string; tail: string } {
  const own = bold ?? (rest.startsWith('**') ? '**' : undefined)
  const from = own !== undefined && rest.startsWith(own) ? own.length : 0
  const found = own === undefined ? -1 : rest.indexOf(own, from)
  // `**Beds *(closed)***`: the first of three stars is that of the italics.
  const close = found !== -1 && own === '**' && rest[found + 2] === '*' ? found + 1 : found
  if (close >= from && close !== -1)
    return { name: rest.slice(from, close), tail: rest.slice(close + (own?.length ?? 0)) }
  return { name: rest, tail: '' }
}

/** The same for a list item: what follows a dash says what the phase is about. */
export function splitListName(phase: NamedPhase): NamedPhase {
  if (phase.text !== '') return phase
  const dash = firstDash(phase.name)
  if (dash === undefined) return phase
  return {
    ...phase,
    name: cleanPhaseName(phase.name.slice(0, dash.index)),
    text: phase.name.slice(dash.index + dash[0].length).trim(),
  }
}

/** The first dash between blanks that stands in no parentheses; one that never closes opens none. */
function firstDash(text: string): RegExpExecArray | undefined {
  const last = text.lastIndexOf(')')
  let depth = 0
  let at = 0
  for (const dash of text.matchAll(/\s(?:[–—]+|--?)\s/g)) {
    for (; at < dash.index; at += 1)
      depth = text[at] === '(' ? depth + 1 : text[at] === ')' ? Math.max(0, depth - 1) : depth
    if (depth === 0 || dash.index > last) return dash
  }
  return undefined
}

function cleanTail(tail: string): string {
  return cutTails(tail.replace(/~~/g, ''), '')
    .replace(
      /^\s*(?:\((?:completed?|done|shipped|\d{1,4}(?:\s{0,3}\/\s{0,3}\d{1,4})?\s{1,3}plans?\b)[^)]{0,80}\)\s*)?(?:[-–—:]+\s*)?/i,
      '',
    )
    .trim()
}

const statusWords = '(?:completed?|complete|done|shipped|finished)'
/** Words that begin a remark on how far a phase is where nothing but signs follow: `(closed · merged)`. */
const closing = String.raw`(?:closed|merged|deployed|built)(?=\s{0,9}(?:[)\]·,;|–—-]|\d))`
/** Words on a phase that is not done. */
const openWords =
  '(?:in[- ]progress|not\\s(?:yet\\s)?started|planned|planning|pending|upcoming|ongoing|on\\shold|paused|blocked|deferred|todo|to\\sdo|wip)'
/** The same, and others that are words of a name unless they stand in brackets or behind a mark. */
const bracketWords = `(?:${openWords}|current|active|next|future|backlog|open)`
const openMark =
  '(?:[\\u{1F504}\\u{1F501}\\u{1F6A7}\\u{1F51C}\\u{1F7E0}-\\u{1F7E2}\\u{1F535}\\u{1F534}\\u{1F4CB}\\u{1F6D1}⏳⌛⬜❌⏸⏭▶]️?)'
const tails = [
  // A box behind a heading: `### Phase 1: Name [x]`.
  /\s{1,9}\[[ xX~]\]\s{0,9}$/,
  new RegExp(
    String.raw`\s{0,9}[([]\s{0,9}(?:[✅✓✔☑]️?[^()[\]]{0,200}|${closing}[^()[\]]{0,200})[)\]]\s{0,9}$`,
    'iu',
  ),
  new RegExp(String.raw`\s{0,9}[([]\s{0,9}(?:${openMark}\s{0,9})?${bracketWords}\s{0,9}[)\]]\s{0,9}$`, 'iu'),
  new RegExp(String.raw`\s{1,9}${openMark}\s{0,9}(?:${bracketWords})?\s{0,9}$`, 'iu'),
  new RegExp(String.raw`\s{1,9}(?:[-–—]{1,3}|\|)\s{0,9}(?:${openMark}\s{0,9})?${openWords}\s{0,9}$`, 'iu'),
  insertedRemark,
  /\s{0,9}\(\s{0,9}\d{1,4}\s{0,9}\/\s{0,9}\d{1,4}(?:(?:\s{1,9}plans?)?(?:\s{1,9}\w{1,20})?|\s{1,9}plans?\b[^()]{0,300})\s{0,9}\)\s{0,9}$/i,
  /\s{0,9}\(\s{0,9}\d{1,4}\s{1,9}plans?\b[^()]{0,40}\)\s{0,9}$/i,
  new RegExp(
    String.raw`\s{0,9}[([]\s{0,9}(?:[✅✓✔☑]️?\s{0,9})?${statusWords}\b[^()[\]]{0,80}[)\]]\s{0,9}$`,
    'iu',
  ),
  /\s{1,9}(?:[-–—]{1,3}|\|)\s{0,9}(?:[✅✓✔☑]️?\s{0,9})?(?:COMPLETED?|DONE|SHIPPED|FINISHED)\b[^a-z]{0,60}$/u,
  new RegExp(
    String.raw`\s{1,9}(?:[-–—]{1,3}|\|)\s{0,9}(?:[✅✓✔☑]️?\s{0,9})?${statusWords}(?:\s{0,9}:?\s{0,9}\d{4}-\d\d-\d\d)?\s{0,9}$`,
    'iu',
  ),
  /\s{1,9}(?:COMPLETED?|DONE|SHIPPED)$/,
  new RegExp(
    String.raw`\s{1,9}(?:[✅✓✔☑]️?\s{0,9})${statusWords}\s{0,9}[([]\s{0,9}(?:on\s{1,9})?\d{4}-\d\d-\d\d\s{0,9}[)\]]\s{0,9}$`,
    'iu',
  ),
  /\s{1,9}(?:COMPLETED?|DONE|SHIPPED)\s{0,9}[([]\s{0,9}(?:on\s{1,9})?\d{4}-\d\d-\d\d\s{0,9}[)\]]\s{0,9}$/,
  // An anchor that some renderers take from a heading: `API {#phase-12}`.
  /\s{1,9}\{#[\w.:-]{1,100}\}$/,
  new RegExp(String.raw`\s{1,9}[✅✓✔☑]️?\s{0,9}${statusWords}(?:\s{1,9}\d{4}-\d\d-\d\d)?$`, 'iu'),
  /\s{1,9}(?:completed|shipped|done)\s{1,9}\d{4}-\d\d-\d\d$/i,
  /\s{0,9}(?:[✅✓✔☑]️?|:(?:white_check_mark|heavy_check_mark|ballot_box_with_check):)(?:\s{0,9}\(?\d{4}-\d\d-\d\d\)?)?\s{0,9}$/u,
  /\s{1,9}[-–—:|]{1,3}$/,
]

/** Each tail has a mark, a bracket or a dash, or a word that says that something is done. */
const mayHaveTail = /[^\p{L}\p{N}\s,.'"&/+]|complete|done|shipped|finished/iu

/** What stays without the tails; `empty` where nothing does, else what would be cut last. */
function cutTails(text: string, empty?: string): string {
  let name = text.trim()
  if (name !== '' && !mayHaveTail.test(name)) return name
  for (let round = 0; round < 6; round += 1) {
    const cut = tails.reduce((left, tail) => left.replace(tail, '').trim(), name)
    if (cut === name || cut === '') return cut === '' ? (empty ?? name) : cut
    name = cut
  }
  return name
}

/** A name without marks, counters and words on how far it is. */
export function cleanPhaseName(text: string): string {
  const plain = plainName(text)
  const link = /^\[([^\]]{1,300})\]\([^)]{0,500}\)/.exec(plain.trim())
  return cutTails(link?.[1] ?? plain)
}

/** Without the marks of bold and italics; the star of a name that was cut out of italics goes, too. */
function plainName(text: string): string {
  const plain = text
    .replace(insertedRemark, '')
    .replace(/\*\*|__|~~/g, '')
    .replace(/[*_](\([^()]{1,300}\))[*_]/g, '$1')
    .trim()
  const stars = plain.split('*').length - 1
  return stars % 2 === 1 || /^\*[^*]*\*$/.test(plain) ? plain.replace(/^\*|\*$/g, '') : plain
}
