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
}

/** Marks, pictures and boxes that people put before the word. */
const before = /^(?:[^\p{L}\p{N}(<|]|\[[ xX~]\])*/u
const phase = new RegExp(
  String.raw`^phase\s{1,9}(${phaseIdPattern})((?:\*\*|__|~~)?\s{0,9}(?:\(INSERTED\)\s{0,9})?(?:\*\*|__)?)(:|\s[-–—]+\s|\s{0,9}[–—])\s{0,9}(.*)$`,
  'iu',
)
/** `Phase 1-11: ..` and `Phases 1 – 11` speak of many. */
const restOfRange = /^\d{1,6}[A-Z]?(?:\.\d{1,6})*\s*(?:[:)(*]|\s[-–—]\s|[–—]|$)/i

/** Reads the text of a heading or list item. Undefined where it names no phase, or a range of them. */
export function namedPhase(text: string): NamedPhase | undefined {
  if (!/phase/i.test(text.slice(0, 80))) return undefined
  const lead = before.exec(text)?.[0] ?? ''
  const match = phase.exec(text.slice(lead.length))
  const id = normalPhaseId(match?.[1] ?? '')
  if (match === null || id === undefined) return undefined
  const [, , middle = '', separator = '', rest = ''] = match
  if (separator.trim() !== ':' && restOfRange.test(rest)) return undefined
  const marks = `${lead}${middle}`
  const bold = marks.includes('**') ? '**' : marks.includes('__') ? '__' : undefined
  const { name, tail } = splitName(rest, middle.includes(bold ?? '**') ? undefined : bold)
  const whole = `${middle}${rest}`
  return {
    id,
    name: cleanPhaseName(name),
    text: cleanTail(tail),
    inserted: /\(\s*INSERTED\s*\)/i.test(whole),
    removed: lead.includes('~~') || /^~~/.test(rest),
  }
}

/** A bold name ends with its bold marks, a plain one before the first dash that stands between blanks. */
function splitName(rest: string, bold: string | undefined): { name: string; tail: string } {
  const own = bold ?? (rest.startsWith('**') ? '**' : undefined)
  const from = own !== undefined && rest.startsWith(own) ? own.length : 0
  const close = own === undefined ? -1 : rest.indexOf(own, from)
  if (close >= from && close !== -1)
    return { name: rest.slice(from, close), tail: rest.slice(close + (own?.length ?? 0)) }
  return { name: rest, tail: '' }
}

/** The same for a list item: what follows a dash says what the phase is about. */
export function splitListName(phase: NamedPhase): NamedPhase {
  if (phase.text !== '') return phase
  const dash = /\s(?:[–—]+|--?)\s/.exec(phase.name)
  if (dash === null) return phase
  return {
    ...phase,
    name: cleanPhaseName(phase.name.slice(0, dash.index)),
    text: phase.name.slice(dash.index + dash[0].length).trim(),
  }
}

function cleanTail(tail: string): string {
  return cutTails(tail.replace(/~~/g, '').trim())
    .replace(/^\s*(?:\((?:completed?|done|shipped)[^)]{0,80}\)\s*)?(?:[-–—:]+\s*)?/i, '')
    .trim()
}

const statusWords = '(?:completed?|complete|done|shipped|finished)'
const tails = [
  /\s{0,9}\(\s{0,9}INSERTED\s{0,9}\)/i,
  /\s{0,9}\(\s{0,9}\d{1,4}\s{0,9}\/\s{0,9}\d{1,4}(?:\s{1,9}plans?)?(?:\s{1,9}\w{1,20})?\s{0,9}\)\s{0,9}$/i,
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
  new RegExp(String.raw`\s{1,9}[✅✓✔☑]️?\s{0,9}${statusWords}(?:\s{1,9}\d{4}-\d\d-\d\d)?$`, 'iu'),
  /\s{1,9}(?:completed|shipped|done)\s{1,9}\d{4}-\d\d-\d\d$/i,
  /\s{0,9}(?:[✅✓✔☑]️?)\s{0,9}$/u,
  /\s{1,9}[-–—:|]{1,3}$/,
]

function cutTails(text: string): string {
  let name = text.trim()
  for (let round = 0; round < 6; round += 1) {
    const cut = tails.reduce((left, tail) => left.replace(tail, '').trim(), name)
    if (cut === name || cut === '') return cut === '' ? name : cut
    name = cut
  }
  return name
}

/** A name without marks, counters and words on how far it is. */
export function cleanPhaseName(text: string): string {
  const plain = text.replace(/\*\*|__|~~/g, '').replace(/^\*|\*$/g, '')
  const link = /^\[([^\]]{1,300})\]\([^)]{0,500}\)/.exec(plain.trim())
  return cutTails(link?.[1] ?? plain)
}
