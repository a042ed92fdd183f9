import { z } from 'zod'
import type { StateCodec } from '../../../ledger/state-codec.js'
import { jsonCodec } from '../../../ledger/state-codec.js'
import { type PlaybookState, stateSchema } from './schema.js'

/** Names of numbers that are written with one decimal, `8.0`, wherever they stand. */
const decimals = /^(\s*"(?:alignment_score|score|old_score|new_score|pass_threshold)": -?\d+)(,?)$/gm

/**
 * The state file: one JSON object. Keys of phases are written `phase_<id>`; bare ids are read too, as are the whole
 * scores that earlier files keep with the verifier and the judge. A file of another tool is unreadable, never
 * overwritten.
 */
export const playbookCodec: StateCodec<PlaybookState> = {
  read: (bytes) => inner.read(bytes),
  write: (state) => Buffer.from(inner.write(state).toString('utf8').replace(decimals, '$1.0$2'), 'utf8'),
}

const inner = jsonCodec<PlaybookState>(
  z.preprocess((value) => earlier(value), stateSchema) as z.ZodType<PlaybookState>,
)

/** Whether a file says which run it is of, and of which phases: what does not is another tool's. */
export function isRunState(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.phases) || !isObject(value._meta)) return false
  return typeof value._meta.run_id === 'string' && value._meta.run_id !== ''
}

type Json = Record<string, unknown>

/** What older files say elsewhere, brought to its place. What is not such a file is left to the schema. */
function earlier(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.phases)) return value
  const phases = Object.entries(value.phases).map(([key, record]): [string, unknown] => [
    key.startsWith('phase_') ? key : `phase_${key}`,
    isObject(record) ? withScore(record) : record,
  ])
  return { ...value, phases: Object.fromEntries(phases) }
}

/** Whole scores of before are the rater's, where nothing was rated since. */
function withScore(record: Json): Json {
  const steps = isObject(record.steps) ? record.steps : {}
  const rate = isObject(steps.rate) ? steps.rate : {}
  if (typeof rate.alignment_score === 'number') return record
  const found = numberIn(steps.verify, 'alignment_score') ?? numberIn(steps.judge, 'alignment')
  if (found === undefined) return record
  const scored = { ...record, steps: { ...steps, rate: { ...rate, alignment_score: found } } }
  return typeof record.alignment_score === 'number' ? scored : { ...scored, alignment_score: found }
}

function numberIn(value: unknown, key: string): number | undefined {
  const found = isObject(value) ? value[key] : undefined
  return typeof found === 'number' ? found : undefined
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
