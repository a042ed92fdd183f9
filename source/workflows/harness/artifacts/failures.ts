import { appendFailure } from '../../../documents/failures.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { Attempt } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'

/** A dead end: its day (ISO date), the task, and what each attempt tried. */
export interface DeadEnd {
  date: string
  task: string
  attempts: readonly string[]
}

/** One line in .harness/failures.md per dead end (docs/harness.md, "Learnings and failures"). Safe to repeat. */
export async function recordFailure(tools: HarnessTools, end: DeadEnd): Promise<void> {
  const path = sessionFiles(tools.sessionDir).failures
  const before = await readText(tools, path)
  const after = appendFailure(before, {
    ...end,
    attempts: [...end.attempts],
    skill: 'harness-autopilot',
    type: 'dead-end',
  })
  const added = after.trimEnd().split('\n').at(-1) ?? ''
  if (before?.split(/\r?\n/).includes(added)) return
  await writeText(tools, path, after)
}

export function attemptTexts(attempts: readonly Attempt[]): string[] {
  return attempts.map((attempt) => attempt.fix || attempt.error)
}
