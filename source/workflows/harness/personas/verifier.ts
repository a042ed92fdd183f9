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
  scratchpadRule,
} from './shared.js'

/** What harness-verifier is told (docs/harness.md, "Prompts"). */
export interface VerifierFields extends PhaseFields {
  planPath: string
  /** Commit before the first one of the phase; absent when it is not known. */
  startCommit?: string | undefined
  scratchpadDir?: string
}

/** Prompt that has a phase checked against its plan and the spec, by someone who did not build it. */
export function verifierPrompt(fields: VerifierFields): string {
  const { phase } = fields
  const range = fields.startCommit === undefined ? undefined : `${fields.startCommit}..HEAD`
  return page(
    opening('harness-verifier', 'harness-verification', `verify phase ${phase.label}: ${phase.name}`),
    facts(fields, [
      phaseLine(fields),
      ['Plan', fields.planPath],
      ['Commits of the phase', range ?? 'not recorded; find them in `git log` by the messages in the plan'],
    ]),
    contextFirst(fields, 'harness-verification'),
    interruptedNotice(fields),
    `## The work

Find out whether the phase does what its plan and the spec promise. You did not build it and you owe it nothing: what the handoff, the task state or a commit message claims is what you check, never what you rely on.

${bullets([
  'It exists: every file of the File Map and every task of the plan is really there, in the commits of the phase.',
  'It has substance: no stub, no placeholder, no test that cannot fail, no TODO where work should be.',
  'It is connected: new code is reached from where it should be used, not only defined.',
  'It holds: run the checks that the plan names and the tests of the project, and try each Observable Truth yourself. Quote the command and what it printed as evidence.',
])}

A point you could not check is a gap, not a pass.`,
    fields.rigor === 'thorough' ? expandedChecks() : undefined,
    personNote(fields),
    `## You change nothing

Never fix, never edit, never commit, however small the matter. Report it as a gap: someone else mends it. Files that a test run writes by itself are no harm if git ignores them; remove others that you caused.`,
    scratchpadRule(fields.rigor, fields.scratchpadDir, 'verification-<topic>.md'),
    groundRules(),
    handoffRule(fields.sessionDir, {
      fromSkill: 'harness-verification',
      phase: 'COMPLETE',
      extra: ['"verdict": "pass" | "fail"', '"gaps": ["<gap>"]'],
      optional: true,
    }),
    resultRule(
      `{
  "verdict": "pass" | "fail" | "incomplete",
  "gaps": ["<what is missing or wrong, where, and how you saw it>"],
  "evidence": ["<command or file, and what it showed>"]
}`,
      [
        '`verdict`: `pass` only if everything above was checked and holds; `fail` if something does not; `incomplete` if you could not check it all.',
        '`gaps`: empty only with `pass`. Each can be acted on by someone who reads nothing else.',
      ],
    ),
  )
}

function expandedChecks(): string {
  return `## Expanded checks

This session asks for thorough work. Beyond the above:

${bullets([
  'Go through the spec sentence by sentence where it speaks of this phase, and name for each requirement the code and the test that meet it.',
  'Try the edges: empty, missing, malformed and very large input, the second run, the interrupted run.',
  'Run the whole test suite, the linter and the type checker, not only what the phase touched, and compare with the state before the phase where something fails.',
  'Check that nothing the phase did not promise has changed: public names, formats, defaults, dependencies.',
])}`
}
