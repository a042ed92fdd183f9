import { expect, test } from 'vitest'
import { commitWork, fileOf, roadmapOf, verification } from './roles.js'
import { type Act, createStage, play } from './stage.js'

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
