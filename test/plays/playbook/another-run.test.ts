import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Answer, Question } from '../../../source/view/question.js'
import { checkSelectors } from '../../../source/workflows/playbook/selection/answers.js'
import { roadmapOf } from './roles.js'
import { createStage, type Played, play } from './stage.js'

// A run that is under way is given up for another one only if a person says so (docs/playbook.md, "The next run").

const slow = { timeout: 240_000 }
const phasesOf = (played: Played) => [...new Set(played.order.map((line) => line.split(' ')[0]))]
const answering =
  (value: string) =>
  (question: Question): Answer | 'quit' =>
    question.gate === 'Q-RESUME' ? { value } : 'quit'

async function stoppedRun() {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(4) })
  const stopped = await play(project, { selectors: ['1-2'], flags: { lenient: true }, stopAfter: 40 })
  expect(stopped.state._meta.status).toBe('running')
  return { project, stopped }
}

test('words and flags that mean the run under way ask nothing', slow, async () => {
  const { project, stopped } = await stoppedRun()
  for (const selectors of [['1-2'], ['1', '2'], ['1,2'], ['resume'], []]) {
    await checkSelectors(project.dir, selectors, { lenient: true })
    const gone = await play(project, { typed: { selectors, flags: {} }, stopAfter: 1 })
    expect([gone.asked, gone.state._meta.run_id]).toEqual([[], stopped.state._meta.run_id])
  }
})

test('others ask which run is meant; stop and going on leave the run as it is', slow, async () => {
  const { project, stopped } = await stoppedRun()
  const id = stopped.state._meta.run_id
  const others: [string[], Readonly<Record<string, boolean>>][] = [
    [['3'], {}],
    [['all'], {}],
    [['2'], {}],
    [['1-2'], { quality: true }],
    [['new'], {}],
    [['new', '1-2'], {}],
  ]
  for (const [selectors, flags] of others) {
    await checkSelectors(project.dir, selectors, flags)
    const left = await play(project, { typed: { selectors, flags }, askFirst: answering('stop') })
    expect(left.closed?.exitCode).toBe(3)
    const [question] = left.asked
    expect(question?.options.map(({ value }) => value)).toEqual(['resume', 'new', 'stop'])
    expect(question?.options.some(({ recommended }) => recommended)).toBe(false)
    const typed = [
      ...(selectors[0] === '1-2' ? [] : selectors),
      ...Object.keys(flags).map((one) => `--${one}`),
    ]
    expect(question?.body.slice(1)).toEqual([
      'Phases that are left: 1, 2.',
      `It was not begun with ${typed.join(' ')}.`,
    ])
  }
  const done = await play(project, {
    typed: { selectors: ['3'], flags: {} },
    askFirst: answering('resume'),
  })
  expect([done.state._meta.run_id, done.state._meta.status]).toEqual([id, 'completed'])
  expect(phasesOf(done)).toEqual(['1', '2', 'run'])
})

test(
  'a new run: the one before is archived as it is, and what it put aside comes back first',
  slow,
  async () => {
    const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(4), 'notes.md': 'one\n' })
    await project.write('notes.md', 'mine\n')
    const stopped = await play(project, { selectors: ['1-2'], stopAfter: 60, answers: { 'Q-TREE': 'aside' } })
    expect([stopped.gates, await project.read('notes.md')]).toEqual([['Q-TREE'], 'one\n'])
    const id = stopped.state._meta.run_id
    const before = await project.read('.autopilot/state.json')
    const anew = await play(project, {
      typed: { selectors: ['new', '1'], flags: { lenient: true } },
      askFirst: answering('new'),
      answers: { 'Q-TREE': 'continue' },
    })
    expect(anew.state._meta).toMatchObject({ status: 'completed', selectors: ['1'], pass_threshold: 7 })
    expect(anew.state._meta.run_id).not.toBe(id)
    expect(anew.notes).toContain('Given back: notes.md.')
    expect(await project.read('notes.md')).toBe('mine\n')
    const archived = `.autopilot/archive/${id}`
    expect(await project.read(`${archived}/state.json`)).toBe(before)
    expect(await readdir(project.path(archived))).toEqual(
      expect.arrayContaining(['dispatches', 'journal.jsonl', 'logs', 'state.json']),
    )
  },
)

test('resume takes no other flags, and no run is given up for one that has nothing to do', slow, async () => {
  const { project } = await stoppedRun()
  await expect(checkSelectors(project.dir, ['resume'], { quality: true })).rejects.toThrow(
    'The run that is under way was not begun with --quality.',
  )
  const shipped = (await project.read('.planning/ROADMAP.md')).replace('[ ] **Phase 4', '[x] **Phase 4')
  await project.write('.planning/ROADMAP.md', shipped)
  await expect(checkSelectors(project.dir, ['4'], {})).rejects.toThrow('Already completed: 4.')
})

test('a failed run, and words of another one: the same question, before anything else', slow, async () => {
  const project = await createStage()
  const failing = { research: () => ({ failed: 'crash' as const }) }
  const failed = await play(project, { acts: failing, answers: { 'Q-AGENT': 'stop' } })
  expect(failed.gates.at(-1)).toBe('Q-RESUME')
  expect(failed.state._meta.status).toBe('failed')
  const anew = await play(project, { typed: { selectors: ['1'], flags: {} }, askFirst: answering('new') })
  expect(anew.asked).toHaveLength(0)
  expect([anew.state._meta.status, phasesOf(anew)]).toEqual(['completed', ['1', 'run']])
})
