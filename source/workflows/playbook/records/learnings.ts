import { appendBlock, inOneLine } from '../../../documents/edit.js'
import type { Verdict } from '../decisions/human-verification.js'
import type { Category } from '../taxonomy.js'

// What a run has learned so far: read by planners and executors of its later phases, gone with the next run.

export const learningsPath = '.autopilot/learnings.md'
const title = '# Learnings (current run)'

interface LearnedPhase {
  id: string
  name: string
}

/** The rule that came of a failure. `at` is an ISO time. */
export function failureEntry(phase: LearnedPhase, category: Category, rule: string, at: string): string {
  return [
    `### Phase ${phase.id} failure -- ${category}`,
    `**Prevention rule:** ${inOneLine(rule)}`,
    `**Context:** Phase ${phase.id} (${phase.name}) failed with category \`${category}\`. Recorded: ${at}.`,
  ].join('\n')
}

/** What a verdict says of how sure verifiers should be. */
export function verdictEntry(phase: LearnedPhase, verdict: Verdict, issues: readonly string[]): string {
  const heading = `### Human Verdict: Phase ${phase.id} -- ${verdict.toUpperCase()} (confidence calibration)`
  if (verdict === 'pass') {
    return [
      heading,
      `Phase ${phase.id} (${phase.name}) was deferred to human review but passed without issues.`,
      '**Calibration:** Future phases with similar characteristics should increase autonomous completion confidence.',
    ].join('\n')
  }
  const list = issues.map(inOneLine).join('; ') || 'none named'
  return [
    heading,
    `Phase ${phase.id} (${phase.name}) was deferred to human review. Human found issues: ${list}.`,
    `**Calibration:** Tighten quality checks for similar phases. Specific issues to watch for: ${list}.`,
  ].join('\n')
}

/** The file with one more entry; it is made where it is not there. An entry that is there is not added twice. */
export function withLearning(text: string | undefined, entry: string): string {
  const before = text === undefined || text.trim() === '' ? `${title}\n` : text
  return before.includes(entry) ? before : appendBlock(before, entry)
}
