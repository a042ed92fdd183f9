import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Handoff, readHandoff, writeHandoff } from '../../../documents/handoff.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'

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

/** Writes the handoff that an agent left out, from its structured result. */
export async function writeSkillHandoff(
  tools: HarnessTools,
  fields: Parameters<typeof writeHandoff>[0],
): Promise<void> {
  await writeText(tools, sessionFiles(tools.sessionDir).handoff, writeHandoff(fields))
}
