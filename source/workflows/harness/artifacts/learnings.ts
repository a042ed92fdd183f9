import { appendLearnings, countLearnings, promotable } from '../../../documents/learnings.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'

// learnings.md, global and of the session (docs/harness.md, "Learnings and failures").

export const pruneThreshold = 30

/** Appends an entry to the global file unless it is there already. */
export async function appendGlobalLearning(tools: HarnessTools, lines: readonly string[]): Promise<void> {
  const path = sessionFiles(tools.sessionDir).globalLearnings
  const before = await readText(tools, path)
  if (before?.replaceAll('\r\n', '\n').includes(lines.join('\n'))) return
  await writeText(tools, path, appendLearnings(before, [lines.join('\n')]))
}

/** Copies what is worth keeping from the session's learnings to the global file; says how much. */
export async function promoteLearnings(tools: HarnessTools): Promise<{ promoted: number; kept: number }> {
  const files = sessionFiles(tools.sessionDir)
  const session = await readText(tools, files.learnings)
  if (session === undefined) return { promoted: 0, kept: 0 }
  const global = await readText(tools, files.globalLearnings)
  const { promoted, kept } = promotable(session, global ?? '')
  if (promoted.length > 0) await writeText(tools, files.globalLearnings, appendLearnings(global, promoted))
  return { promoted: promoted.length, kept }
}

export async function globalLearningCount(tools: HarnessTools): Promise<number> {
  return countLearnings((await readText(tools, sessionFiles(tools.sessionDir).globalLearnings)) ?? '')
}
