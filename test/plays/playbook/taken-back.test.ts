import { expect, test } from 'vitest'
import { commitWork, fileOf, honest, roadmapOf, verification } from './roles.js'
import { type Act, type Acts, type Answers, createStage, type Dispatch, play } from './stage.js'

// What is taken back, and how: on top of what is there, without the records of the phase.

const one = { '.planning/ROADMAP.md': roadmapOf(1) }
const slow = { timeout: 240_000 }

/** A debugger that makes the difference larger each time, and mends nothing. */
const grows: Act = async ({ order, nth }, project) => {
  await commitWork(project, order, { [fileOf(order)]: 'more\n'.repeat(nth * 10) })
  return {
    fixed: false,
    changes: ['more'],
    commits: [],
    remaining_issues: ['still wrong'],
    failure_categories: [],
  }
}

test(
  'a task whose second attempt makes the difference larger: reverted, and its fix loop has tripped',
  slow,
  async () => {
    const project = await createStage()
    const played = await play(project, {
      acts: {
        debug: grows,
        'mini-verification': ({ order }) => ({
          task_id: (order.task as { id: string }).id,
          pass: false,
          criteria_results: [],
          concerns: ['wrong'],
          commands_run: ['cat -> wrong'],
          gate_validation: { compile: 'skipped', lint: 'skipped', test: 'skipped' },
        }),
        verification: ({ order }) => verification(order, { pass: false, failures: ['nothing is there'] }),
      },
    })
    // The whole phase was taken back in the end, and nothing of it a second time.
    expect(played.gates).toEqual(['Q-RESUME'])
    const task = played.state.event_log.filter(
      ({ event }) => event === 'task_retried' || event === 'task_failed',
    )
    expect(task.map(({ event }) => event)).toEqual(['task_retried', 'task_retried', 'task_failed'])
    const log = await project.read('.planning/phases/01-part-1/EXECUTION-LOG.md')
    expect(log).toContain('tripped')
    expect(log).toContain('diff_growing')
    // History stays: what was done is still in it, and a commit on top takes it back.
    const subjects = (await project.git('log', '--all', '--format=%s', '--reverse')).split('\n')
    expect(subjects).toEqual(expect.arrayContaining(['feat(1): 01-01 - done', 'fix(1): debug 2 - done']))
    expect(subjects.some((subject) => /revert|take back|taken back/i.test(subject))).toBe(true)
    await expect(project.read('src/part-1.txt')).rejects.toThrow('ENOENT')
  },
)

test('a phase that is taken back keeps its records in the planning folder', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, {
    acts: {
      verification: ({ order }) => verification(order, { pass: false, failures: ['it is ugly'] }),
      execution: async ({ order }, stage) => {
        // An agent that commits its notes with its work.
        const notes = `${order.phaseDir}/NOTES.md`
        const sha = await commitWork(stage, order, { [fileOf(order)]: 'done\n', [notes]: 'notes\n' })
        return {
          tasks_completed: '1/1',
          tasks_failed: '0/1',
          commit_shas: [sha],
          evidence: [],
          deviations: [],
        }
      },
      debug: () => ({
        fixed: false,
        changes: [],
        commits: [],
        remaining_issues: ['it is ugly'],
        failure_categories: [],
      }),
    },
    answers: { 'Q-TOUCHED': 'accept' },
  })
  expect(played.state.phases.phase_1?.status).toBe('failed')
  await expect(project.read('src/part-1.txt')).rejects.toThrow('ENOENT')
  for (const name of ['PLAN.md', 'RESEARCH.md', 'EXECUTION-LOG.md', 'NOTES.md'])
    expect(await project.read(`.planning/phases/01-part-1/${name}`)).not.toBe('')
})

test('the state is saved at every step, and that is told once a step', slow, async () => {
  const project = await createStage(one)
  const { state } = await play(project)
  const steps = state.event_log.flatMap(({ event, step }) => (event === 'checkpoint_written' ? [step] : []))
  expect(steps).toEqual([
    'preflight',
    'triage',
    'research',
    'plan',
    'plan_check',
    'execute',
    'verify',
    'judge',
    'rate',
  ])
})

/** A phase that fails, with a commit of the person in the middle that stands on the phase's own file. */
const entangled = (takesBack: Act): Acts => ({
  verification: async ({ order, nth }, project) => {
    if (nth === 1) {
      await project.commit('A word of mine', { [fileOf(order)]: 'done\nmine\n', 'src/mine.txt': 'mine\n' })
    }
    return verification(order, { pass: false, failures: ['it is ugly'] })
  },
  execution: async ({ order }, project) => {
    const sha = await commitWork(project, order, {
      [fileOf(order)]: 'done\n',
      'src/more.txt': 'part-1.txt\n',
    })
    return { tasks_completed: '1/1', tasks_failed: '0/1', commit_shas: [sha], evidence: [], deviations: [] }
  },
  debug: (dispatch, project) => {
    const isBack = JSON.stringify(dispatch.order.issues).includes('is taken back')
    const gaveUp = {
      fixed: false,
      changes: [],
      commits: [],
      remaining_issues: ['it'],
      failure_categories: [],
    }
    return isBack ? takesBack(dispatch, project) : gaveUp
  },
})
const backs = (dispatches: readonly Dispatch[]) =>
  dispatches.filter(({ order }) => JSON.stringify(order.issues ?? '').includes('is taken back'))
const answers = (revert: Answers[string]): Answers => ({ 'Q-TOUCHED': 'mine', 'Q-REVERT': revert })

test(
  'commits of others: a debugger takes the phase back by hand, and git says whether it did',
  slow,
  async () => {
    const project = await createStage(one)
    const played = await play(project, {
      acts: entangled(async ({ order }, stage) => {
        await stage.git('rm', '-q', 'src/more.txt')
        await stage.write(fileOf(order), 'mine\n')
        return { fixed: true, changes: ['it'], commits: [], remaining_issues: [], failure_categories: [] }
      }),
      answers: answers('debugger'),
    })
    expect(played.gates).toEqual(['Q-TOUCHED', 'Q-REVERT'])
    const [order] = backs(played.dispatches)
    expect(JSON.stringify(order?.order.issues)).toContain('A word of mine')
    expect(await project.read('src/part-1.txt')).toBe('mine\n')
    expect(await project.read('src/mine.txt')).toBe('mine\n')
    await expect(project.read('src/more.txt')).rejects.toThrow('ENOENT')
    expect(played.events).toContain('rollback_completed')
    const record = played.state.phases.phase_1
    expect([record?.status, record?.commit_shas]).toEqual(['failed', []])
    expect(await project.git('status', '--porcelain', '--', 'src')).toBe('')
  },
)

test('a debugger that says it is taken back, and left it: what is left is asked about', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, {
    acts: entangled(() => ({
      fixed: true,
      changes: ['it'],
      commits: [],
      remaining_issues: [],
      failure_categories: [],
    })),
    answers: answers(['debugger', 'debugger', 'leave']),
  })
  expect(played.gates).toEqual(['Q-TOUCHED', 'Q-REVERT', 'Q-REVERT', 'Q-REVERT'])
  expect(backs(played.dispatches)).toHaveLength(2)
  const [, second, third] = played.asked.filter(({ gate }) => gate === 'Q-REVERT')
  expect(third?.body[0]).toBe('It was tried 2 times and is still not taken back.')
  expect(second?.body).toEqual(expect.arrayContaining(['src/more.txt', 'src/part-1.txt']))
  expect(played.events).not.toContain('rollback_completed')
  expect(await project.read('src/more.txt')).toBe('part-1.txt\n')
})

test(
  'a debugger that only writes something into a file of others too has not taken it back',
  slow,
  async () => {
    const project = await createStage(one)
    let tries = 0
    const played = await play(project, {
      acts: entangled(async ({ order }, stage) => {
        tries += 1
        await stage.git('rm', '-q', '--ignore-unmatch', 'src/more.txt')
        await stage.write(fileOf(order), tries === 1 ? 'done\nmine\nby hand\n' : 'mine\n')
        return { fixed: true, changes: ['it'], commits: [], remaining_issues: [], failure_categories: [] }
      }),
      answers: answers(['debugger', 'debugger']),
    })
    expect(played.gates).toEqual(['Q-TOUCHED', 'Q-REVERT', 'Q-REVERT'])
    expect(played.asked.at(-1)?.body).toContain('src/part-1.txt')
    expect(played.events).toContain('rollback_completed')
  },
)

test('a plan that its planner has committed is no commit of others', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, {
    acts: {
      plan: async (dispatch, stage) => {
        const made = await honest.plan?.(dispatch, stage)
        await stage.git('add', String(dispatch.order.phaseDir))
        await stage.git('commit', '-qm', 'docs: plan')
        return made
      },
      verification: ({ order }) => verification(order, { pass: false, failures: ['it is ugly'] }),
      debug: () => ({
        fixed: false,
        changes: [],
        commits: [],
        remaining_issues: ['it'],
        failure_categories: [],
      }),
    },
  })
  expect(played.gates).toEqual([])
  expect(played.events).toContain('rollback_completed')
  await expect(project.read('src/part-1.txt')).rejects.toThrow('ENOENT')
})

test('what planner and researcher leave below docs/ is in the commit of no task', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, {
    acts: {
      plan: async (dispatch, stage) => {
        await stage.write('docs/notes.md', '# Notes\n\nOf the plan.\n')
        return honest.plan?.(dispatch, stage)
      },
    },
  })
  expect([played.gates, played.state.phases.phase_1?.status]).toEqual([[], 'completed'])
  expect(await project.git('log', '--format=%s', '--', 'docs/notes.md')).toBe('docs(phase-1): artifacts')
  expect((await project.git('log', '--format=%s', '--reverse')).split('\n')).toEqual([
    'First commit',
    'docs(phase-1): artifacts',
    'feat(1): 01-01 - done',
    'docs(phase-1): artifacts',
  ])
})
