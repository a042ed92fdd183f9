import { expect, test } from 'vitest'
import { integrityChecks } from '../../../source/workflows/playbook/integrity/checks.js'
import {
  compares,
  executes,
  fileOf,
  plans,
  rating,
  reports,
  roadmapOf,
  taskId,
  verification,
  verifies,
} from './roles.js'
import { type Act, type Acts, createStage, type Played, type PlayOptions, play } from './stage.js'

// Liars in whole runs: what each of them says is caught by its integrity check, and what is done about it. Checks 1 and 4
// look at what only the program does, so no agent can lie to them (test/workflows/playbook/integrity): the score is computed
// from a scorecard that the program makes whole, compile is its own run, and so is the word that an agent was sent.

const slow = { timeout: 240_000 }
const quick = { '.planning/config.json': JSON.stringify({ verification_min_seconds: 120 }) }
const done = { 'src/part-1.txt': 'there\n' }

const told = ({ notes }: Played, number: string) => notes.filter((line) => line.includes(`Check ${number}, `))
const status = ({ state }: Played) => state.phases.phase_1?.status
const respawns = ({ state }: Played) => state.phases.phase_1?.respawns

/** Lies the first time, or always. */
const lies =
  (lie: Act, truth: Act, times: number): Act =>
  (dispatch, project) =>
    (dispatch.nth <= times ? lie : truth)(dispatch, project)

const vague: Act = ({ order }) => {
  const honest = verification(order)
  return {
    ...honest,
    criteria_results: honest.criteria_results.map((one) => ({ ...one, evidence: 'looks done' })),
  }
}
const nothing: Acts = {
  plan: plans((order) => [
    { id: taskId(order, 1), files: 'readme.md', criterion: 'cat readme.md && node -e 0' },
  ]),
  execution: () => ({
    tasks_completed: '1/1',
    tasks_failed: '0/1',
    commit_shas: ['0123456'],
    evidence: [],
    deviations: [],
  }),
}
const withPerson = plans((order) => [
  { id: taskId(order, 1) },
  { id: taskId(order, 2), type: 'checkpoint:human-verify' },
])
const two = plans((order) => [
  { id: taskId(order, 1) },
  { id: taskId(order, 2), files: 'src/other.txt', criterion: 'cat src/other.txt && node -e 0' },
])
const both = executes((order) => {
  const { id } = order.task as { id: string }
  return { [id.endsWith('01') ? fileOf(order) : 'src/other.txt']: `${id}\n` }
})
const defers = (why: string, confidence = 4) => ({
  autonomous_confidence: confidence,
  deferral_evidence: [{ criterion: 'x', methods_attempted: ['read'], why_insufficient: why }],
})
const empty = '# Judge report\n\nIt is fine.\n'
const agrees = { independent_evidence: [], verifier_missed: [], verifier_agreement: true }

interface Lie {
  files?: Record<string, string>
  options(times: number): PlayOptions
}

/** Sent for again: told once and mended, told twice and failed. */
const sentAgain: Record<string, Lie> = {
  '6': {
    files: done,
    options: (times) => ({
      acts: {
        verification: lies(vague, verifies({}), times),
        'judgement-divergence': compares({ independent_evidence: ['readme.md says what it is'] }),
        judgement: reports('# Judge report\n\nI looked.\n'),
        rating: ({ order }) => {
          const honest = rating(order, 9.4)
          return { ...honest, scorecard: honest.scorecard.map((one) => ({ ...one, evidence: 'fine' })) }
        },
      },
    }),
  },
  '8': { files: done, options: (times) => ({ acts: { verification: lies(vague, verifies({}), times) } }) },
  '9': {
    options: (times) => ({
      acts: {
        judgement: reports(empty),
        'judgement-divergence': lies(
          compares(agrees, ''),
          compares({ independent_evidence: ['src/part-1.txt:1 -- read'] }),
          times,
        ),
      },
    }),
  },
  '10': {
    options: (times) => ({
      acts: {
        rating: lies(
          ({ order }) => ({ ...rating(order, 9.4), commands_run: [] }),
          ({ order }) => rating(order, 9.4),
          times,
        ),
      },
    }),
  },
  '11': {
    options: (times) => ({
      acts: {
        judgement: reports('# Judge report\n\nI read src/part-1.txt:1 myself.\n'),
        'judgement-divergence': lies(compares(agrees), compares({}), times),
      },
    }),
  },
  '13': {
    options: (times) => ({
      acts: { verification: lies(verifies(defers('it takes a device')), verifies({}), times) },
    }),
  },
}

const invents =
  (place: string): Act =>
  ({ order }) => {
    const honest = verification(order)
    return {
      ...honest,
      criteria_results: honest.criteria_results.map((one) => ({ ...one, evidence: `${place} -- read it` })),
    }
  }

/** Sent again by check 7: the evidence names a file or a line that is not there. */
const inventions: Record<string, Lie> = {
  'a file': {
    options: (times) => ({ acts: { verification: lies(invents('src/engine.ts:42'), verifies({}), times) } }),
  },
  'a line': {
    options: (times) => ({
      acts: { verification: lies(invents('src/part-1.txt:420'), verifies({}), times) },
    }),
  },
}

const run = async ({ files, options }: Lie, times: number) =>
  play(await createStage({ '.planning/ROADMAP.md': roadmapOf(1), ...files }), options(times))

test.each(Object.entries(sentAgain))(
  'check %s: who lies once is sent again, who lies twice fails',
  slow,
  async (number, lie) => {
    const once = await run(lie, 1)
    expect(told(once, number)).toHaveLength(1)
    expect(respawns(once)).toEqual({ [number]: 1 })
    expect(once.dispatches.some(({ order }) => order.enforcement?.check === number)).toBe(true)
    expect(status(once)).toBe('completed')
    const twice = await run(lie, 9)
    expect(respawns(twice)?.[number]).toBe(1)
    expect(status(twice)).toBe('failed')
    const failed = twice.state.event_log.find(({ event }) => event === 'phase_failed')
    expect(JSON.stringify(failed?.details)).toContain(`integrity check ${number} `)
  },
)

test.each(Object.entries(inventions))(
  'check 7: a verifier that makes up %s is told of and sent again; who does it twice fails',
  slow,
  async (_, lie) => {
    const once = await run(lie, 1)
    expect(once.notes.join('\n')).toMatch(/VERIFY: the evidence names what is not there: src\/\S+:42/)
    expect([respawns(once), status(once)]).toEqual([{ '7': 1 }, 'completed'])
    const twice = await run(lie, 9)
    expect([respawns(twice)?.['7'], status(twice)]).toEqual([1, 'failed'])
  },
)

test(
  'a place that is made up shows no criterion of a phase that is only checked, and no evidence of a judge',
  slow,
  async () => {
    const checked = await run(
      { files: done, options: () => ({ acts: { verification: invents('src/engine.ts:42') } }) },
      9,
    )
    expect([told(checked, '7').length, status(checked)]).toEqual([1, 'failed'])
    const invented = { ...agrees, independent_evidence: ['src/engine.ts:42 -- read it'] }
    const judge = await run(
      {
        options: () => ({
          acts: {
            judgement: reports(empty),
            'judgement-divergence': compares(invented),
          },
        }),
      },
      9,
    )
    expect(judge.notes.join('\n')).toContain('JUDGE: its evidence names what is not there: src/engine.ts:42')
    expect([told(judge, '9').length > 0, status(judge)]).toEqual([true, 'failed'])
  },
)

test(
  'a judge that lets it proceed and names a missing requirement: a debugger is sent for it',
  slow,
  async () => {
    const played = await run(
      {
        options: () => ({
          acts: {
            'judgement-divergence': lies(
              compares({ missing_requirements: ['REQ-02: it has no title'] }),
              compares({}),
              1,
            ),
            debug: async ({ order }, project) => {
              await project.write(fileOf(order), 'Title\n')
              return {
                fixed: true,
                changes: ['it'],
                commits: [],
                remaining_issues: [],
                failure_categories: [],
              }
            },
          },
        }),
      },
      1,
    )
    const sent = played.dispatches.find(({ order }) => order.expects === 'debug')
    expect(JSON.stringify(sent?.order.issues)).toContain('missing requirement: REQ-02: it has no title')
    expect(played.notes.join('\n')).toContain('JUDGE: it says proceed and names what is missing')
    expect([status(played), played.state.phases.phase_1?.debug_attempts]).toEqual(['completed', 1])
  },
)

test('tasks that only verify leave no change, and nobody doubts them for it', slow, async () => {
  const played = await run(
    {
      options: () => ({
        acts: {
          ...nothing,
          plan: async (dispatch, project) => {
            const made = await plans((order) => [
              {
                id: taskId(order, 1),
                files: '(verification only)',
                criterion: 'cat readme.md && node -e 0',
              },
            ])(dispatch, project)
            await project.write(`${String(dispatch.order.testsDir)}/task-01-01.sh`, 'echo "PASS: it holds"\n')
            return made
          },
          verification: ({ order }) => {
            const honest = verification(order)
            return {
              ...honest,
              criteria_results: honest.criteria_results.map((one) => ({
                ...one,
                evidence: 'node -e 0: exit 0',
              })),
            }
          },
          rating: ({ order }) => {
            const card = rating(order, 9.4)
            return { ...card, scorecard: card.scorecard.map((row) => ({ ...row, evidence: 'readme.md:1' })) }
          },
        },
      }),
    },
    1,
  )
  expect(played.notes.filter((line) => /Check \d+b?, /.test(line))).toEqual([])
  expect([respawns(played), status(played)]).toEqual([{}, 'completed'])
})

/** Told, and accepted. */
const accepted: Record<string, Lie> = {
  '3': { files: quick, options: () => ({ acts: { plan: two, execution: both } }) },
  '10b': { files: quick, options: () => ({}) },
  '11b': {
    options: () => ({
      acts: { verification: verifies({ scope_creep: ['none, as the executor reported'] }) },
    }),
  },
  '14': {
    options: () => ({
      acts: { plan: withPerson, verification: verifies(defers('its colour has to be looked at')) },
      answers: { 'Q-VERDICT': 'pass' },
    }),
  },
}

test.each(Object.entries(accepted))(
  'check %s: told, and the phase is completed',
  slow,
  async (number, lie) => {
    const played = await run(lie, 9)
    expect(told(played, number).length).toBeGreaterThan(0)
    expect(status(played)).toBe('completed')
  },
)

test('check 2: tasks without a commit are told, and nobody believes that they are done', slow, async () => {
  const played = await play(await createStage({ '.planning/ROADMAP.md': roadmapOf(1) }), { acts: nothing })
  expect(told(played, '2').length).toBeGreaterThan(0)
  expect(status(played)).toBe('failed')
})

test('check 12: nobody passes who names a failure, with a category or without', slow, async () => {
  const played = await play(await createStage({ '.planning/ROADMAP.md': roadmapOf(1) }), {
    acts: {
      verification: verifies({ failures: ['a word is misspelt'] }),
      debug: async ({ order, nth }, project) => {
        await project.write(fileOf(order), `mended ${nth}\n`)
        return { fixed: true, changes: ['it'], commits: [], remaining_issues: [], failure_categories: [] }
      },
    },
  })
  expect([status(played), played.state.phases.phase_1?.debug_attempts]).toEqual(['failed', 3])
})

/** Two tasks about one file; the second keeps what the first has done, or takes it away again. */
const undone = (isTakenBack: boolean): Acts => ({
  // What is gone shows nothing.
  rating: ({ order }) => {
    const card = rating(order, 9.4)
    return { ...card, scorecard: card.scorecard.map((row) => ({ ...row, evidence: 'readme.md:1' })) }
  },
  plan: async (dispatch, project) => {
    const files = 'src/part-1.txt'
    const criterion = 'cat readme.md && node -e 0'
    const made = await plans((order) =>
      [1, 2].map((number) => ({ id: taskId(order, number), files, criterion })),
    )(dispatch, project)
    for (const number of [1, 2])
      await project.write(
        `${String(dispatch.order.testsDir)}/task-01-0${number}.sh`,
        'echo "PASS: it is said"\n',
      )
    return made
  },
  execution: async (dispatch, project) => {
    const { id } = dispatch.order.task as { id: string }
    if (id === '01-01' || !isTakenBack)
      return executes((order) => ({ [fileOf(order)]: `${id}\n` }))(dispatch, project)
    await project.git('rm', '-q', fileOf(dispatch.order))
    await project.git('commit', '-q', '-m', `${String(dispatch.order.commitSubject)}done`)
    return {
      tasks_completed: '1/1',
      tasks_failed: '0/1',
      commit_shas: [await project.git('rev-parse', 'HEAD')],
      evidence: [],
      deviations: [],
    }
  },
})

test(
  'check 7: work that was taken away again leaves no evidence of a change; what stays does',
  slow,
  async () => {
    const lied = await play(await createStage({ '.planning/ROADMAP.md': roadmapOf(1) }), {
      acts: undone(true),
    })
    expect(told(lied, '7')).toEqual([expect.stringContaining('The evidence does not say what changed.')])
    expect([respawns(lied), status(lied)]).toEqual([{ '7': 1 }, 'failed'])
    const honest = await play(await createStage({ '.planning/ROADMAP.md': roadmapOf(1) }), {
      acts: undone(false),
    })
    expect([told(honest, '7'), respawns(honest), status(honest)]).toEqual([[], {}, 'completed'])
  },
)

test('check 5: scores that are alike are told', slow, async () => {
  const apart = roadmapOf(3, { 2: 'Nothing', 3: 'Nothing' })
  const played = await play(await createStage({ '.planning/ROADMAP.md': apart }))
  expect(told(played, '5')).toHaveLength(1)
  expect(played.events).toContain('rubber_stamp_warning')
})

test('check 15: what a phase that passed under 9.0 still lacks is written down', slow, async () => {
  const path = '.autopilot/diagnostics/phase-1-confidence.md'
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  const played = await play(project, {
    flags: { lenient: true },
    acts: { rating: ({ order }) => rating(order, 8.1) },
  })
  expect(played.state.phases.phase_1).toMatchObject({ status: 'completed', diagnostic_path: path })
  expect(await project.read(path)).toMatch(/\*\*Score:\*\* 8\.1\/10[^#]+\*\*Status:\*\* passed\n/)
  // What was mended is told as that.
  const other = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  await play(other, {
    acts: {
      rating: ({ order, nth }) => rating(order, nth === 1 ? 8.1 : 9.2),
      execution: executes((order) => ({ [fileOf(order)]: `${String(order.commitSubject)}\n` })),
    },
  })
  expect(await other.read(path)).toContain('**Status:** remediated_to_9.2')
})

test('honest work is told of by none of them', slow, async () => {
  const played = await play(await createStage({ '.planning/ROADMAP.md': roadmapOf(1) }))
  expect(played.notes.filter((line) => /Check \d+b?, /.test(line))).toEqual([])
  expect(respawns(played)).toEqual({})
})

test('every check has its liar here, but for what only the program does', () => {
  const here = [...Object.keys(sentAgain), ...Object.keys(accepted), '2', '5', '7', '12', '15']
  const others = integrityChecks.map(({ number }) => number).filter((number) => !here.includes(number))
  expect(others).toEqual(['1', '4'])
})
