import { countOf, flowOf, statusOf, stepTextOf } from './lifecycle-words.js'

// What the parts of a state file are where their names are in another language (docs/lifecycle.md, "Other languages"). Pure.

export type SectionKey = 'current' | 'completed' | 'decisions' | 'session' | 'retries' | 'blockers'

/** In the order in which a new file has them. */
export const sectionKeys: readonly SectionKey[] = [
  'current',
  'completed',
  'decisions',
  'session',
  'retries',
  'blockers',
]

interface Field {
  key: string
  value: string
}

/** A section as far as it takes to tell what it is; `columns` is 0 without a table. */
export interface SectionShape {
  key: SectionKey | undefined
  /** Of a section that is not known by its title, with keys told by their places. */
  fields: readonly Field[]
  columns: number
}

const tableColumns: Readonly<Record<SectionKey, number>> = {
  current: 0,
  completed: 4,
  decisions: 0,
  session: 0,
  retries: 6,
  blockers: 0,
}

/**
 * What each section is. The current step is told by what it holds, where a single one holds it; the other five by their
 * places, where exactly they follow it, no title is known, and each has the table that it should have or none.
 */
export function keysByPlace(shapes: readonly SectionShape[]): (SectionKey | undefined)[] {
  const known = shapes.map(({ key }) => key)
  if (!known.includes(undefined)) return known
  const holders = shapes.flatMap(({ key, fields }, at) =>
    key === 'current' || (key === undefined && holdsPosition(fields)) ? [at] : [],
  )
  const [first, ...others] = holders
  if (first === undefined || others.length > 0) return known
  const result = known.with(first, 'current')
  const rest = shapes.slice(first)
  const isWhole =
    rest.length === sectionKeys.length &&
    // Beside a title that is known, one that is not is somebody's own.
    known.every((key) => key === undefined) &&
    rest.some(({ columns }) => columns > 0) &&
    rest.every(({ columns }, at) => columns === 0 || columns === tableColumns[sectionKeys[at] as SectionKey])
  return isWhole ? [...result.slice(0, first), ...sectionKeys] : result
}

function holdsPosition(fields: readonly Field[]): boolean {
  const has = (name: string) => fields.some(({ key }) => key === name)
  return has('flow') && has('step') && has('status')
}

const isStep = (value: string) => {
  const { step } = stepTextOf(value)
  return typeof step === 'number' || step === 'done' || /^\d{1,3}\.\d{1,3}$/.test(step)
}

/**
 * Keys of the current step by the order of a new file: flow, step, name, status, sub-step, retry count. Undefined where a
 * key is known by its name, or where the values are of another kind.
 */
export function currentKeysByPlace(fields: readonly Field[]): (string | undefined)[] | undefined {
  if (fields.some(({ key }) => /^(?:flow|step|name|status|sub_step|retry_count)$/.test(key))) return undefined
  const [flow, step, name, status, ...rest] = fields
  if (!flow || !step || !name || !status || rest.length > 2) return undefined
  if (flowOf(flow.value) === undefined || !isStep(step.value)) return undefined
  const last = rest.at(-1)
  const isCount = last !== undefined && (statusOf(last.value) ?? countOf(last.value)) !== undefined
  if (rest.length === 2 && !isCount) return undefined
  const tail = rest.length === 2 ? ['sub_step', 'retry_count'] : [isCount ? 'retry_count' : 'sub_step']
  return ['flow', 'step', 'name', 'status', ...tail.slice(0, rest.length)]
}

/** Keys of the last session, where there are exactly the four of a new file and the first one is a date. */
export function sessionKeysByPlace(fields: readonly Field[]): (string | undefined)[] | undefined {
  if (fields.some(({ key }) => /^(?:date|ended_at|reason|notes)$/.test(key))) return undefined
  if (fields.length !== 4 || Number.isNaN(Date.parse(fields[0]?.value ?? ''))) return undefined
  return ['date', 'ended_at', 'reason', 'notes']
}
