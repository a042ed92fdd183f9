import { readReview, writeReview } from '../../../documents/review.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { Finding } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'

// phase-{N}-review.json (docs/harness.md, "Review files"). N is 1-based; a set that holds a phase 0 counts from 0.

export async function writePhaseReview(
  tools: HarnessTools,
  phase: number,
  findings: readonly Finding[],
): Promise<void> {
  await writeText(tools, sessionFiles(tools.sessionDir).review(phase), writeReview(findings))
}

/** Undefined when there is no file; unreadable is not "no findings". */
export async function readPhaseReview(
  tools: HarnessTools,
  phase: number,
): Promise<{ findings: Finding[] } | { unreadable: string } | undefined> {
  const files = sessionFiles(tools.sessionDir)
  const zeroBased = (await readText(tools, files.review(0))) !== undefined
  const text = await readText(tools, files.review(zeroBased ? phase - 1 : phase))
  if (text === undefined) return undefined
  const read = readReview(text)
  return 'findings' in read ? { findings: read.findings as Finding[] } : { unreadable: read.unreadable }
}
