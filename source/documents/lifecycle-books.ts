import type { SectionKey } from './lifecycle-outline.js'
import { type CompletedRow, type LifecycleRecord, readLifecycleState } from './lifecycle-state.js'

// What a worker enters into the state file in place of the program (docs/lifecycle.md, "What a worker may change"). Pure.

/** What the program would enter at the end that the worker reports. */
export interface ExpectedBooks {
  step: { id: string; name: string }
  /** Undefined behind the last step. */
  next: { id: string; name: string } | undefined
  ended: 'complete' | 'failed' | 'gate'
  /** A session ends behind the step. */
  boundary: boolean
  /** ISO days that are today, wherever the worker looked at its clock. */
  days: readonly string[]
  /** Notes of the program, which nobody needs any more. */
  isOwnNote(notes: string): boolean
}

/** Which sections say what the program would say. */
export interface Books {
  agrees(key: SectionKey): boolean
  /** Current Step is at the next step. */
  moved: boolean
}

/** Holds what a worker left against what the program would enter. */
export function booksOf(before: string, found: string, expected: ExpectedBooks): Books {
  const [old, now] = [readLifecycleState(before), readLifecycleState(found)]
  const checks: Partial<Record<SectionKey, boolean>> = {
    current: currentAgrees(old, now, expected),
    completed: rowAgrees(old.completed, now.completed, expected),
    session: sessionAgrees(old, now, expected),
    retries: expected.ended === 'complete' && now.retryLog.length === 0,
  }
  return {
    agrees: (key) => checks[key] === true,
    moved: String(old.current.step) !== String(now.current.step),
  }
}

function currentAgrees(
  { current: old }: LifecycleRecord,
  { current: now }: LifecycleRecord,
  { ended, step, next }: ExpectedBooks,
): boolean {
  if (ended !== 'complete' || now.flow !== old.flow || ![0, old.retryCount].includes(now.retryCount))
    return false
  const id = String(now.step)
  if (id === step.id && now.name === step.name)
    return now.status === 'completed' || (now.status === old.status && now.retryCount !== old.retryCount)
  if (now.retryCount !== 0) return false
  if (!next) return id === 'done'
  return id === next.id && now.name === next.name && now.status === 'not_started'
}

/** A single row behind the others, of this step and of today, that claims no leave of a person. */
function rowAgrees(
  old: readonly CompletedRow[],
  now: readonly CompletedRow[],
  { ended, step, days }: ExpectedBooks,
): boolean {
  const row = now.at(-1)
  if (ended !== 'complete' || !row || now.length !== old.length + 1) return false
  const isSame = old.every((one, at) => JSON.stringify(one) === JSON.stringify(now[at]))
  const isLeave = /^(?:\(loop \d+\) )?(?:skipped|accepted without artifacts|found in folders)\b/i.test(
    row.outcome,
  )
  return (
    isSame &&
    !isLeave &&
    String(row.step) === step.id &&
    row.name === step.name &&
    days.includes(row.completed.slice(0, 10))
  )
}

function sessionAgrees(
  { lastSession: old }: LifecycleRecord,
  { lastSession: now }: LifecycleRecord,
  { ended, step, boundary, days, isOwnNote }: ExpectedBooks,
): boolean {
  const reasons = ended === 'complete' ? ['completed step'] : ['user paused', 'context limit']
  if (ended === 'complete' && boundary) reasons.push('session boundary')
  const isNew = (key: 'date' | 'endedAt' | 'reason' | 'notes') => now[key] !== old[key]
  if (isNew('date') && !days.includes((now.date ?? '').slice(0, 10))) return false
  if (isNew('endedAt') && !new RegExp(`^Step ${escaped(step.id)}\\b`, 'i').test(now.endedAt ?? ''))
    return false
  if (isNew('endedAt') && !(now.endedAt ?? '').includes(step.name)) return false
  if (isNew('reason') && !reasons.includes(now.reason ?? '')) return false
  return !isNew('notes') || old.notes === undefined || isOwnNote(old.notes)
}

const escaped = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')
