import { durationText } from '../../durations.js'
import { type StepName, stepNames } from './state/schema.js'
import type { PhaseWork, PlaybookWork } from './work.js'

// What is told while a run goes on: plain lines with plain marks, in the timeline and wherever there is no screen.

export const marks = {
  pass: '[PASS]',
  fail: '[FAIL]',
  none: '[ -- ]',
  skip: '[SKIP]',
  unknown: '[ ?? ]',
} as const
export type Mark = keyof typeof marks

export function stepTitle(step: StepName): string {
  return step.toUpperCase().replace('_', '-')
}

export function stepNumber(step: StepName): number {
  return stepNames.indexOf(step) + 1
}

export function phaseBegins(work: PhaseWork): Promise<void> {
  const { number, total, name } = work.facts
  return say(work, `${work.at}phase-begins`, `=== [PHASE ${number}/${total}] ${name} ===`)
}

export function phaseEnds(
  work: PhaseWork,
  came: { score: number | null; ms: number; waits?: boolean } | { reason: string },
): Promise<void> {
  const { number, total } = work.facts
  const what =
    'reason' in came
      ? `FAILED: ${came.reason}`
      : `Complete: ${came.score === null ? 'no score' : `${came.score.toFixed(1)}/10`} | ${durationText(came.ms)}${came.waits === true ? ' | waits for your verdict' : ''}`
  return say(
    work,
    `${work.at}phase-ends`,
    `=== [PHASE ${number}/${total}] ${what} ===`,
    'reason' in came ? 'warning' : 'note',
  )
}

export function stepBegins(work: PhaseWork, step: StepName, more = ''): Promise<void> {
  const tail = more === '' ? '' : ` -- ${more}`
  return tell(work, `${step}-says-begin`, `Step: ${stepTitle(step)} (${stepNumber(step)}/9)${tail}`)
}

export function stepEnds(
  work: PhaseWork,
  step: StepName,
  came: { mark: Mark; ms: number; more?: string | undefined },
): Promise<void> {
  const tail = came.more ? ` -- ${came.more}` : ''
  const text = `${marks[came.mark]} ${stepTitle(step)} complete. (${durationText(came.ms)})${tail}`
  return tell(work, `${step}-says-end`, text, came.mark === 'fail' ? 'warning' : 'note')
}

export function stepSkipped(work: PhaseWork, step: StepName, reason: string): Promise<void> {
  return tell(work, `${step}-says-skip`, `${marks.skip} ${stepTitle(step)} skipped (${reason})`)
}

export interface TaskPlace {
  id: string
  number: number
  total: number
}

export function taskBegins(work: PhaseWork, task: TaskPlace, title: string): Promise<void> {
  return tell(work, `${task.id}-says-begin`, `Task ${task.id} (${task.number}/${task.total}): ${title}`)
}

export function taskSays(work: PhaseWork, key: string, id: string, text: string): Promise<void> {
  return tell(work, key, `Task ${id}: ${text}`)
}

/** One line of the phase. `key` is unique in this pass. */
export function tell(
  work: PhaseWork,
  key: string,
  text: string,
  kind: 'note' | 'warning' = 'note',
): Promise<void> {
  return say(work, `${work.at}${key}`, `[Phase ${work.part ?? work.facts.id}] ${text}`, kind)
}

export function say(
  { run }: PlaybookWork,
  key: string,
  text: string,
  kind: 'note' | 'warning' = 'note',
): Promise<void> {
  return run.note(key, text, kind)
}
