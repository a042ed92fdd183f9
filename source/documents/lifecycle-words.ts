import { type StepStatus, stepStatuses } from './lifecycle-record.js'
import { withoutTargets } from './link-text.js'

// Words of a lifecycle state file as people write them, and what they mean (docs/lifecycle.md, "Reading").

/** Longer ones are texts, not words of the format. */
const longest = 200

/** Without emphasis, code marks, and what is no letter or digit at either end, in small letters. */
function bare(text: string): string {
  if (text.length > longest) return text
  const plain = text.replaceAll(/[*`]/g, '')
  const letters = [...plain.matchAll(/[\p{L}\p{N}]/gu)]
  const [first, last] = [letters[0], letters.at(-1)]
  return first && last ? plain.slice(first.index, last.index + last[0].length).toLowerCase() : ''
}

/** A heading without its number, emoji and emphasis: `## 2. Key Decisions:`. */
export function plainTitle(title: string): string {
  return bare(bare(title).replace(/^\d{1,3}[.)] {1,3}/, ''))
}

/** A title without what stands behind a bracket, a colon or a dash: `Completed Steps (2 of 10)`, `Blockers: none`. */
export function titleBefore(title: string): string {
  return title.slice(0, longest).split(/ {0,3}[(:]| {1,3}[-\u2013\u2014] /)[0] ?? ''
}

/** `Autopilot State`, or `Autodev State` as newer files have it, also with a name behind a dash, colon or bracket. */
export function isStateTitle(title: string): boolean {
  return /^auto(?:pilot|dev) state(?: {0,3}[-:(\u2013\u2014].{0,200})?$/.test(plainTitle(title))
}

const nothing =
  /^(?:none|n\/a|null|nothing|no (?:open |known |active |current )?blockers?)(?: (?:at this time|at the moment|at present|currently|right now|so far|yet|known))?$/

/** Whether a value or entry says that there is none: `none`, `(None.)`, `**none**`, `No blockers`, a dash. */
export function isNothing(value: string): boolean {
  const plain = bare(value)
  return plain === '' || nothing.test(plain)
}

/** What a template has where more of the same may follow. */
export const isDots = (value: string): boolean => /^(?:\.{3}|\u2026)$/.test(value)

/**
 * `In Progress`, `in-progress`, `**in_progress**`, with a sign in front, with a note in brackets or behind a dash: undefined
 * for any other word.
 */
export function statusOf(value: string): StepStatus | undefined {
  const known = (text: string) => {
    const plain = bare(text).replaceAll(/[ -]/g, '_')
    return stepStatuses.find((status) => status === plain)
  }
  if (value.length > longest) return undefined
  return known(value) ?? known(value.split(/ \(| [-\u2013\u2014] /)[0] ?? '')
}

/** The flows that come with the format: `Existing Code`, `existing_code`, `**greenfield**`; undefined for any other name. */
export function flowOf(value: string): string | undefined {
  const known = (text: string) => {
    const plain = bare(text).replaceAll(/[ _]/g, '-')
    return ['greenfield', 'existing-code'].find((flow) => flow === plain)
  }
  const plain = plainWords(value)
  return known(plain) ?? known(plain.split(/ \(| [-\u2013\u2014] /)[0] ?? '')
}

/** `2`, `2/3`, `2 of 3`; undefined where it is none. */
export function countOf(value: string): number | undefined {
  if (/[-\u2212]\d/.test(value)) return undefined
  const [, count] = /^(\d{1,6})(?: {0,3}(?:\/|of) {0,3}\d{1,6})?$/.exec(bare(value)) ?? []
  return count === undefined ? undefined : Number(count)
}

/** A number where the text is a whole one, else the text. */
export function stepIdOf(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text
}

/** Signs of how far something is, which agents put beside words. */
const sign = String.raw`(?:[\s\u2713\u2714\u2705\u2611\u2610\u2b1c\u274c\u2717\u2718\u23f3\u23ed\u25b6]|\ufe0f|[\u{1f504}\u{1f6a7}\u{1f7e2}\u{1f7e1}\u{1f534}])`
const signs = new RegExp(`^${sign}{1,9}|${sign}{1,9}$`, 'gu')

/** A name without such signs in front or behind it. */
export function withoutSigns(text: string): string {
  const bareText = text.length > longest ? text : text.replace(signs, '')
  return bareText === '' ? text : bareText
}

/** The id in a cell of a table: `2`, `Step 2`, `2.`, with a sign beside it. */
export function stepCellOf(text: string): number | string {
  const plain = withoutSigns(text)
  const { step } = stepTextOf(plain)
  return typeof step === 'string' ? stepIdOf(step.replace(/^(\d{1,4})[.)]$/, '$1')) : step
}

/** `3`, `3 of 10`, `3 — Plan`, `Step 3: Plan`, `done`: the id, and the name where one follows. */
export function stepTextOf(value: string): { step: number | string; name?: string } {
  if (value.length > longest) return { step: value }
  if (/^done$/i.test(bare(value))) return { step: 'done' }
  const [, id, name] =
    /^(?:step {1,3})?#?([\p{L}\p{N}][\p{L}\p{N}.]{0,19})(?: {0,3}(?:\/|of) {0,3}\d{1,4})?(?:(?: {1,3}[-\u2013\u2014]|:) {1,3}(\S.{0,150}))?$/iu.exec(
      plainWords(value),
    ) ?? []
  if (id === undefined) return { step: value }
  return { step: stepIdOf(id), ...(name === undefined ? {} : { name: name.trim() }) }
}

/** Other heads that people give the columns of the two tables. */
const otherHeads: Readonly<Record<string, readonly string[]>> = {
  step: ['#', 'no', 'step #', 'step no', 'step id'],
  name: ['step name', 'title'],
  completed: ['date', 'completed on', 'completed at', 'completed date', 'completion date', 'finished'],
  'key outcome': [
    'outcome',
    'key outcomes',
    'outcomes',
    'result',
    'results',
    'key result',
    'summary',
    'notes',
  ],
  attempt: ['retry', 'attempt #'],
  substep: ['sub-step', 'sub step', 'sub_step'],
  'failure reason': ['reason', 'failure', 'error'],
  timestamp: ['time', 'date', 'when'],
}

const plainHead = (head: string) => (head.trim() === '#' ? '#' : bare(head))

/** Place of a column by its name, else by another head of the same meaning; -1 where there is none. */
export function columnAt(heads: readonly string[], name: string): number {
  const plain = heads.map(plainHead)
  const own = name.toLowerCase()
  const at = plain.indexOf(own)
  if (at !== -1) return at
  return plain.findIndex((head) => otherHeads[own]?.includes(head) === true)
}

/**
 * Places of columns by their names. Where a section was recognised by its place, so are the columns of a table that has
 * as many as it should, if no head says otherwise.
 */
export function columnPlaces(heads: readonly string[], names: readonly string[], byPlace: boolean): number[] {
  const known = names.map((name) => columnAt(heads, name))
  const isSame = heads.length === names.length && known.every((at, index) => at === -1 || at === index)
  return byPlace && isSame ? names.map((_, index) => index) : numbered(heads, names, known)
}

/** `| # | Step | .. |`: the first has the number and the second the name, where no column is called a name. */
function numbered(heads: readonly string[], names: readonly string[], known: readonly number[]): number[] {
  const [step, name] = [names.indexOf('Step'), names.indexOf('Name')]
  const number = heads.map(plainHead).findIndex((head) => otherHeads.step?.includes(head) === true)
  const named = known[step] ?? -1
  if (known[name] !== -1 || number === -1 || named === -1 || number === named) return [...known]
  return known.map((at, index) => (index === step ? number : index === name ? named : at))
}

/** A cell without emphasis around it. */
export function plainCell(text: string): string {
  const [, inner] = /^\*{1,3}([^*]{1,200})\*{1,3}$/.exec(text) ?? []
  return inner?.trim() ?? text
}

/** Whether somebody has drawn a line through it, as a whole. */
export const isStruck = (text: string): boolean => /^~~[^~]{1,200}~~$/.test(plainCell(text.trim()))

/** A name, id or date as it is meant: without emphasis, a line through it, or the target of a link. */
export function plainWords(text: string): string {
  if (text.length > longest) return text
  return withoutTargets(text)
    .replaceAll(/[*`]|~~/g, '')
    .trim()
}
