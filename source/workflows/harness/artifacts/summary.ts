import { upsertSession } from '../../../documents/session-index.js'
import { type SummaryDocument, writeSummary } from '../../../documents/summary.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'

/** Overwrites summary.md and the session's line in sessions/index.md (docs/harness.md, "Summary and index"). */
export async function writeSessionSummary(tools: HarnessTools, summary: SummaryDocument): Promise<void> {
  const files = sessionFiles(tools.sessionDir)
  await writeText(tools, files.summary, writeSummary(summary))
  const phase = summary.phase ? `phase ${summary.phase}, ` : ''
  const date = summary.lastActive.slice(0, 10)
  const line = `autopilot, ${phase}${summary.status.toLowerCase()} (${date})`
  await writeText(tools, files.index, upsertSession(await readText(tools, files.index), tools.slug, line))
}
