import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Handoff, readHandoff, writeHandoff } from '../../../documents/handoff.js'
import { isFileProblem, Problem } from '../../../problem.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'
import { textHash } from './frozen.js'

// handoff.json, which one skill writes for the next (docs/harness.md, "Handoff").

export interface FoundHandoff {
  handoff: Handoff
  /** Written since the moment that was asked about. */
  fresh: boolean
  warnings: string[]
}

/** Clocks of file systems are coarser than ours. */
const clockSlackMs = 50

/**
 * The handoff of the expected skill. One file serves all skills, so another skill's, or one from before
 * `since`, says nothing about the dispatch that was made.
 */
export async function findHandoff(
  tools: HarnessTools,
  fromSkill: string,
  since: string,
): Promise<FoundHandoff | undefined> {
  const path = sessionFiles(tools.sessionDir).handoff
  const text = await readText(tools, path)
  if (text === undefined) return undefined
  const { mtime } = await stat(join(tools.root, path))
  const read = readHandoff(text, mtime.toISOString())
  if (!('normalised' in read) || read.normalised.fromSkill !== fromSkill) return undefined
  return {
    handoff: read.normalised,
    fresh: mtime.getTime() + clockSlackMs >= Date.parse(since),
    warnings: read.warnings,
  }
}

/** The content of the file before a dispatch: its hash, null where there was none. */
export type HandoffMark = string | null

export async function handoffMark(tools: HarnessTools): Promise<HandoffMark> {
  const text = await readText(tools, sessionFiles(tools.sessionDir).handoff).catch(() => undefined)
  return text === undefined ? null : textHash(text)
}

/** What a dispatch left in the file: nothing that counts, its own record, or one that is none and has to be asked about. */
export type LeftHandoff =
  | { kind: 'none' }
  | { kind: 'own'; handoff: Handoff }
  | { kind: 'foreign'; problem: string }

const skills = new Set([
  'harness-planning',
  'harness-execution',
  'harness-verification',
  'harness-code-review',
  'harness-autopilot',
])
/** Clocks of two machines may differ by so much. */
const aheadMs = 10 * 60_000

/** What is no file that can be read is no record; other failures are thrown. */
function wrongOf(error: unknown): Problem {
  if (isFileProblem(error)) return error
  throw error
}

/** Looks at what was written since the mark; `fromSkill` is the skill that was dispatched. */
export async function leftHandoff(
  tools: HarnessTools,
  fromSkill: string,
  before: HandoffMark,
): Promise<LeftHandoff> {
  const text = await readText(tools, sessionFiles(tools.sessionDir).handoff).catch(wrongOf)
  if (text instanceof Problem) return { kind: 'foreign', problem: text.what }
  if (text === undefined || textHash(text) === before) return { kind: 'none' }
  const now = tools.now()
  const read = readHandoff(text, now.toISOString())
  if (!('normalised' in read)) return { kind: 'none' }
  const handoff = read.normalised
  if (handoff.fromSkill !== fromSkill) {
    if (!skills.has(handoff.fromSkill)) return { kind: 'none' }
    const problem = `handoff.json was written in the name of ${handoff.fromSkill}; ${fromSkill} was at work.`
    return { kind: 'foreign', problem }
  }
  if (Date.parse(handoff.timestamp) > now.getTime() + aheadMs) {
    return { kind: 'foreign', problem: `handoff.json is dated ahead: ${handoff.timestamp}.` }
  }
  return { kind: 'own', handoff }
}

/** Writes the handoff that an agent left out, from its structured result. */
export async function writeSkillHandoff(
  tools: HarnessTools,
  fields: Parameters<typeof writeHandoff>[0],
): Promise<void> {
  await writeText(tools, sessionFiles(tools.sessionDir).handoff, writeHandoff(fields))
}
