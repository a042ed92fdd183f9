import { appendFailure } from '../../../documents/failures.js'
import type { Attempt } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { readText, sessionFiles, writeText } from './files.js'

/** One line in .harness/failures.md per dead end (section 2.7). Safe to repeat. */
export async function recordFailure(
  tools: HarnessTools,
  date: string,
  task: string,
  attempts: readonly string[],
): Promise<void> {
  const path = sessionFiles(tools.sessionDir).failures
  const before = await readText(tools, path)
  const after = appendFailure(before, {
    date,
    skill: 'harness-autopilot',
    type: 'dead-end',
    task,
    attempts: [...attempts],
  })
  const added = after.trimEnd().split('\n').at(-1) ?? ''
  if (before?.split(/\r?\n/).includes(added)) return
  await writeText(tools, path, after)
}

export function attemptTexts(attempts: readonly Attempt[]): string[] {
  return attempts.map((attempt) => attempt.fix || attempt.error)
}
