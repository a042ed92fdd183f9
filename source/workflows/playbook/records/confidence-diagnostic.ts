import type { CheckValue } from '../results.js'

// Why a phase passed with less than it could have, and what would have been needed.

export interface DiagnosticFacts {
  phase: { id: string; name: string }
  score: number
  threshold: number
  /** `remediated` with the score that mending led to. */
  status: { kind: 'passed' } | { kind: 'force_incomplete' } | { kind: 'remediated'; to: number }
  concerns: readonly string[]
  criteria: readonly { criterion: string; score: number; justification: string }[]
  checks: Readonly<Record<string, CheckValue | null>>
  /** Scores before and after each cycle, oldest first; null where one failed. */
  cycles: readonly { cycle: number; before: number; after: number | null }[]
}

const wanted = 9

/** Repo-relative. */
export function diagnosticPath(phase: string): string {
  return `.autopilot/diagnostics/phase-${phase}-confidence.md`
}

export function diagnosticText(facts: DiagnosticFacts): string {
  const { phase, score, threshold, status } = facts
  const word = status.kind === 'remediated' ? `remediated_to_${status.to.toFixed(1)}` : status.kind
  const list = (items: readonly string[], none: string) =>
    items.length === 0 ? [none] : items.map((item) => `- ${item}`)
  return [
    `# Confidence Diagnostic: Phase ${phase.id} (${phase.name})`,
    '',
    `**Score:** ${score.toFixed(1)}/10`,
    `**Threshold:** ${threshold.toFixed(1)}`,
    `**Status:** ${word}`,
    '',
    '## Judge Concerns',
    '',
    ...list(facts.concerns, 'None recorded.'),
    '',
    '## Acceptance Criteria Status',
    '',
    ...list(
      facts.criteria.map(
        (one) =>
          `${one.criterion}: ${one.score.toFixed(1)}${one.justification === '' ? '' : ` -- ${one.justification}`}`,
      ),
      'None recorded.',
    ),
    '',
    '## Automated Check Results',
    '',
    ...Object.entries(facts.checks).map(([name, value]) => `- ${name}: ${checkWord(value)}`),
    '',
    '## Path to 9/10',
    '',
    ...list(pathTo(facts), 'Nothing under 9.0 is left; the concerns above are what remains.'),
    '',
    '## Remediation History',
    '',
    ...list(
      facts.cycles.map(
        ({ cycle, before, after }) =>
          `Cycle ${cycle}: ${before.toFixed(1)} -> ${after === null ? 'failed' : after.toFixed(1)}`,
      ),
      'No cycle was run.',
    ),
    '',
  ].join('\n')
}

function checkWord(value: CheckValue | null): string {
  return value === true ? 'PASS' : value === false ? 'FAIL' : 'n/a'
}

/** What would raise the score, most first: red checks, then criteria by how far they are from it. */
function pathTo({ checks, criteria }: DiagnosticFacts): string[] {
  const red = Object.entries(checks).filter(([, value]) => value === false)
  const low = criteria.filter((one) => one.score < wanted).sort((one, other) => one.score - other.score)
  return [
    ...red.map(([name]) => `make ${name} pass`),
    ...low.map(
      (one) =>
        `${one.criterion}: from ${one.score.toFixed(1)} to ${wanted.toFixed(1)}${one.justification === '' ? '' : ` (${one.justification})`}`,
    ),
  ]
}
