import { readReview, writeReview } from '../../../documents/review.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { Finding, HarnessState } from '../state/state.js'
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

/**
 * What a phase's (0-based) reviewer found, from the state. Only a session of 0.1.0, which kept it nowhere else, is
 * read from its file.
 */
export async function phaseFindings(
  tools: HarnessTools,
  state: HarnessState,
  index: number,
): Promise<Finding[]> {
  const known = state.phases[index]?.findings
  if (known !== undefined) return known
  const read = await readPhaseReview(tools, index + 1)
  return read && 'findings' in read ? read.findings : []
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
