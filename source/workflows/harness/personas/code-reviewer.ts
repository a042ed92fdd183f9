import type { ListedPhase } from '../phases.js'
import {
  bullets,
  contextFirst,
  facts,
  groundRules,
  handoffRule,
  interruptedNotice,
  opening,
  type PhaseFields,
  page,
  personNote,
  phaseLine,
  resultRule,
  type SessionFields,
} from './shared.js'

/** How the phase was verified, as the reviewer is told. */
export interface VerificationNote {
  result: 'pass' | 'fail' | 'skipped'
  gaps?: readonly string[]
}

/** What harness-code-reviewer is told for a phase (docs/harness.md, "Prompts"). */
export interface ReviewerFields extends PhaseFields {
  planPath: string
  startCommit?: string
  verification: VerificationNote
}

/** Prompt that has the changes of one phase reviewed. */
export function codeReviewerPrompt(fields: ReviewerFields): string {
  const { phase } = fields
  const range = fields.startCommit === undefined ? undefined : `${fields.startCommit}..HEAD`
  return page(
    opening('harness-code-reviewer', 'harness-code-review', `review phase ${phase.label}: ${phase.name}`),
    facts(fields, [
      phaseLine(fields),
      ['Plan', fields.planPath],
      [
        'Changes to review',
        range ?? 'not recorded; find the commits in `git log` by the messages in the plan',
      ],
      ['Verification', verificationWord(fields.verification)],
    ]),
    contextFirst(fields, 'harness-code-review'),
    interruptedNotice(fields),
    verificationWarning(fields.verification),
    `## The work

Review what these commits change, in the light of the plan and the spec. Read the code around each change, not the diff alone, and make sure of a problem before you report it: follow the call, run the test, try the input.

${bullets([
  'Correctness: does it do what it should, also at the edges, on errors and on a second run?',
  'Safety: input from outside, paths, commands, secrets, data that could be lost.',
  'Tests: do they fail when the code is wrong?',
  'Fit: names, structure and habits of the project; code that exists twice; what nobody will need.',
])}

Do not report what a formatter or linter of the project reports, matters of taste, or problems that were there before and that the changes do not touch.`,
    personNote(fields),
    ...reviewEnding(fields),
  )
}

/** What harness-code-reviewer is told at the end (docs/harness.md, "Prompts"). */
export interface FinalReviewFields extends SessionFields {
  /** Commit before the first one of the session. */
  startingCommit: string
  /** Findings of the phase reviews. `phase` is 1-based. */
  /** `phase` is what the spec calls it. */
  earlier: readonly { phase: string; severity: string; file: string; title: string }[]
  phases: readonly ListedPhase[]
}

/** Prompt that has everything since the start of the session reviewed as one change. */
export function finalReviewPrompt(fields: FinalReviewFields): string {
  const phases = fields.phases.map((phase) => `Phase ${phase.label}: ${phase.name} (${phase.status})`)
  const earlier = fields.earlier.map(
    (finding) => `Phase ${finding.phase}, ${finding.severity}: ${finding.title} (${finding.file})`,
  )
  return page(
    opening('harness-code-reviewer', 'harness-code-review', 'review the whole of what was built'),
    facts(fields, [['Changes to review', `${fields.startingCommit}..HEAD`]]),
    contextFirst(fields, 'harness-code-review'),
    interruptedNotice(fields),
    `## The work

Every phase was reviewed by itself. Review now all changes together, as one: what shows only when the phases are seen side by side.

${bullets(phases)}

Look for:

${bullets([
  'Naming: one thing under several names, one name for several things.',
  'Helpers and types that were written twice, by different phases.',
  'Architecture: layers that are crossed, dependencies that point the wrong way, patterns that changed on the way from the first phase to the last.',
  'Seams: what one phase left for another to do and nobody did; leftovers of an approach that was given up.',
  'The spec as a whole: is what it promises there, apart from skipped phases?',
])}`,
    earlier.length > 0
      ? `## Findings of the phase reviews\n\n${bullets(earlier)}\n\nVerify each in the code as it is now; do not trust the list. What was mended is no finding any more. What still holds, report again, with the severity it deserves now.`
      : `## Findings of the phase reviews\n\nNone were recorded. That is no proof that there is nothing to find.`,
    personNote(fields),
    ...reviewEnding(fields),
  )
}

function reviewEnding(fields: SessionFields): string[] {
  return [
    `## You change nothing

Never edit, fix, stage or commit. Report; others mend.`,
    groundRules(),
    handoffRule(fields.sessionDir, {
      fromSkill: 'harness-code-review',
      phase: 'OUTPUT',
      extra: ['"assessment": "approve" | "request-changes" | "comment"'],
      optional: true,
    }),
    resultRule(
      `{
  "assessment": "approve" | "request-changes" | "comment",
  "findings": [
    { "severity": "blocking" | "warning" | "note", "file": "<path>", "line": 14,
      "title": "<the problem in one line>", "rationale": "<why it matters, and how to see it>" }
  ]
}`,
      [
        '`severity`: `blocking` for what must not stay (wrong results, lost data, a security hole, a broken promise of the spec), `warning` for what should be mended soon, `note` for the rest. If your skill says critical, important, suggestion: these are the same three, in that order. Any other word counts as blocking.',
        '`line`: a line number, `[first, last]`, or `null` for the whole file. `file` is relative to the project root.',
        '`findings`: all of them, also in the prose of your report; an empty list says that you found nothing.',
      ],
    ),
  ]
}

function verificationWord(verification: VerificationNote): string {
  if (verification.result === 'skipped') return 'SKIPPED'
  return verification.result === 'pass' ? 'passed' : 'did not pass'
}

function verificationWarning(verification: VerificationNote): string | undefined {
  const gaps = verification.gaps ?? []
  const known = gaps.length > 0 ? `\n\nKnown gaps:\n\n${bullets(gaps)}` : ''
  if (verification.result === 'pass') return gaps.length > 0 ? `## Verification${known}` : undefined
  const what =
    verification.result === 'skipped'
      ? 'The verification of this phase was skipped. Nobody has yet checked that the work is complete or that its tests pass'
      : 'The verification of this phase did not pass, and it was decided to go on'
  return `## Warning: not verified\n\n${what}. Check it yourself as far as you can, and report what is missing as a finding.${known}`
}
