import { expect, test } from 'vitest'
import { compares, plans, rating, reports, roadmapOf, taskId, verification, verifies } from './roles.js'
import { type Act, type Acts, createStage, play } from './stage.js'

// Evidence in forms that look like some and are none, each with those that honest agents write (liars.test.ts has the rest).

const slow = { timeout: 240_000 }
const done = { 'src/part-1.txt': 'there\n' }

const shows =
  (evidence: string): Act =>
  ({ order }) => {
    const honest = verification(order)
    return { ...honest, criteria_results: honest.criteria_results.map((one) => ({ ...one, evidence })) }
  }
const rates =
  (more: object): Act =>
  ({ order }) => ({ ...rating(order, 9.4), ...more })
const empty = reports('# Judge report\n\nIt is fine.\n')
const read = reports('# Judge report\n\nI read src/part-1.txt:1.\n')
const defers = (why: string): Acts => ({
  plan: plans((order) => [
    { id: taskId(order, 1) },
    { id: taskId(order, 2), type: 'checkpoint:human-verify' },
  ]),
  verification: verifies({
    autonomous_confidence: 4,
    deferral_evidence: [{ criterion: 'x', methods_attempted: ['read'], why_insufficient: why }],
  }),
})

const run = async (acts: Acts, files: Record<string, string> = {}) => {
  const stage = await createStage({ '.planning/ROADMAP.md': roadmapOf(1), ...files })
  const played = await play(stage, { acts, answers: { 'Q-VERDICT': 'pass' } })
  return {
    checks: played.notes.flatMap((line) => /Check (\d+b?), /.exec(line)?.[1] ?? []),
    status: played.state.phases.phase_1?.status,
  }
}

/** The evidence of a phase that was done before. */
test.each([
  ['8', '.planning/ROADMAP.md:8 -- it says so'],
  ['7', '.planning/phases/none.md:900 -- read'],
  ['8', 'https://host.example:443/a -- seen'],
  ['7', 'JUDGE-REPORT.md:1 -- read'],
])('check %s: a phase that was done before is not shown by %s', slow, async (number, evidence) => {
  expect(await run({ verification: shows(evidence) }, done)).toMatchObject({
    checks: expect.arrayContaining([number]),
    status: 'failed',
  })
})

test.each(['./src/part-1.txt:1', '`src/part-1.txt:1` holds it', 'src/part-1.txt#L1', 'src/part-1.txt:L1'])(
  'a phase that was done before is shown by %s',
  slow,
  async (evidence) => {
    expect(await run({ verification: shows(evidence) }, done)).toEqual({ checks: [], status: 'completed' })
  },
)

test.each<[string, string, Acts]>([
  [
    '9',
    'whose own evidence is none',
    { judgement: empty, 'judgement-divergence': compares({ independent_evidence: ['None.'] }) },
  ],
  [
    '9',
    'whose analysis is still to come',
    { 'judgement-divergence': compares({}, '## Divergence Analysis\n\nTBD\n') },
  ],
  [
    '9',
    'whose analysis is an example',
    { 'judgement-divergence': compares({}, '```\n## Divergence Analysis\nsame\n```\n') },
  ],
  ['10', 'whose commands are none', { verification: verifies({ commands_run: ['none'] }) }],
  ['10', 'whose commands are blank', { verification: verifies({ commands_run: [' '] }) }],
  ['10', 'that ran no commands', { rating: rates({ commands_run: ['(no commands were run)'] }) }],
  [
    '11',
    'that misses nothing, in words',
    {
      judgement: read,
      'judgement-divergence': compares({ independent_evidence: ['-'], verifier_missed: ['No gaps found'] }),
    },
  ],
])('check %s: a role %s', slow, async (number, _, acts) => {
  expect(await run(acts)).toMatchObject({ checks: [number], status: 'failed' })
})

test.each<[string, string, Acts]>([
  ['11b', 'in bold', { verification: shows('src/part-1.txt:1, as the **executor**\nreported') }],
  ['14', 'spacing and fonts', defers('The spacing and the font have to be judged by a human')],
  ['14', 'beauty', defers('whether it is beautiful and aligned')],
])('check %s is told: %s', slow, async (number, _, acts) => {
  const { checks, status } = await run(acts)
  expect([checks.includes(number), status]).toEqual([true, 'completed'])
})

test('words that honest roles write are told by none', slow, async () => {
  const analysis = '### 4. Divergence analysis\n\n```\ngit diff\n```\n\nThe same but for the name.\n'
  expect(await run({ 'judgement-divergence': compares({}, analysis) })).toEqual({
    checks: [],
    status: 'completed',
  })
  expect(await run(defers('It renders only on external hardware'))).toEqual({
    checks: [],
    status: 'completed',
  })
})
