import { expect, test } from 'vitest'
import { checkSelectors } from '../../../source/workflows/playbook/selection/answers.js'
import { roadmapOf } from './roles.js'
import { createStage, type Played, type PlayOptions, play } from './stage.js'

// A run that ends before it has a state goes on with what it was begun with (docs/playbook.md, "Going on").

const slow = { timeout: 240_000 }
const phasesOf = (played: Played) => [...new Set(played.order.map((line) => line.split(' ')[0]))]
const isWritten = (type: string) => (written: readonly unknown[]) =>
  (written[0] as { type?: string }).type === type
const noted = (key: string) => (written: readonly unknown[]) => (written[0] as { key?: string }).key === key

async function begun(options: PlayOptions) {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(3, { 2: 'Nothing', 3: 'Nothing' }) })
  const stopped = await play(project, options)
  expect([stopped.stopped, stopped.state]).toEqual([true, null])
  return project
}

test('resume after the phases were picked: they are not asked for again', slow, async () => {
  const project = await begun({
    selectors: [],
    answers: { 'Q-PICK': { value: 'named', text: '2' } },
    stopWhen: isWritten('answered'),
  })
  await checkSelectors(project.dir, ['resume'], {})
  const done = await play(project, { selectors: ['resume'] })
  expect([done.gates, phasesOf(done)]).toEqual([[], ['2', 'run']])
})

test('resume while the phases are asked for: they are asked for', slow, async () => {
  const project = await begun({ selectors: [], stopWhen: isWritten('asked') })
  const done = await play(project, { selectors: ['resume'], answers: { 'Q-PICK': 'next' } })
  expect([done.gates, phasesOf(done)]).toEqual([['Q-PICK'], ['1', 'run']])
})

test.each([[['resume']], [[]], [['2']]])('words %j go on with selectors and flags', slow, async (words) => {
  const project = await begun({ selectors: ['2'], flags: { lenient: true }, stopWhen: noted('spec-lock') })
  const done = await play(project, { selectors: words })
  expect([done.gates, phasesOf(done)]).toEqual([[], ['2', 'run']])
  expect(done.state._meta).toMatchObject({ selectors: ['2'], flags: { lenient: true }, pass_threshold: 7 })
})

test('other words ask which is meant, and the answer stays', slow, async () => {
  const project = await begun({ selectors: ['2'], flags: { lenient: true }, stopWhen: noted('spec-lock') })
  const asked = await play(project, { selectors: ['3'], answers: { 'Q-RESUME': 'stop' } })
  expect(asked.gates).toEqual(['Q-RESUME'])
  expect(asked.asked[0]?.body).toEqual([
    'It was begun with 2 --lenient, and no phase of it has begun.',
    'Now you typed 3.',
  ])
  const kept = await play(project, {
    selectors: ['1'],
    answers: { 'Q-RESUME': 'resume' },
    stopWhen: isWritten('answered'),
  })
  expect(kept.gates).toEqual(['Q-RESUME'])
  const other = await play(project, {
    selectors: ['3'],
    flags: { quality: true },
    answers: { 'Q-RESUME': 'new' },
    stopWhen: isWritten('answered'),
  })
  expect(other.gates).toEqual(['Q-RESUME'])
  const done = await play(project, { selectors: [], stopWhen: isWritten('dispatched') })
  expect(done.gates).toEqual([])
  expect(done.state._meta).toMatchObject({ selectors: ['3'], queue: ['3'], flags: { quality: true } })
})

test('words are taken unasked where nothing was said and nothing picked', slow, async () => {
  const project = await begun({ selectors: [], stopWhen: isWritten('asked') })
  const done = await play(project, { selectors: ['3'], flags: { lenient: true } })
  expect([done.gates, phasesOf(done)]).toEqual([[], ['3', 'run']])
  expect(done.state._meta).toMatchObject({ selectors: ['3'], flags: { lenient: true } })
})

test('resume takes no other flags before there is a state either', slow, async () => {
  const project = await begun({ selectors: ['2'], stopWhen: noted('spec-lock') })
  await expect(play(project, { selectors: ['resume'], flags: { quality: true } })).rejects.toThrow(
    'was not begun with --quality',
  )
})

test('phases that somebody writes while they are asked for are offered, and picked', slow, async () => {
  const project = await begun({ selectors: [], stopWhen: isWritten('asked') })
  await project.write('.planning/ROADMAP.md', roadmapOf(4, { 2: 'Nothing', 3: 'Nothing', 4: 'Nothing' }))
  await project.git('commit', '-qam', 'one more')
  const done = await play(project, { selectors: [], answers: { 'Q-PICK': { value: 'named', text: '4' } } })
  expect(done.asked[0]?.options[0]?.consequence).toBe('run 1, 2, 3, 4')
  expect([done.gates, phasesOf(done), done.state.phases.phase_4?.status]).toEqual([
    ['Q-PICK'],
    ['4', 'run'],
    'completed',
  ])
})

test('words that have nothing to do open no run, and one that has lost them asks', slow, async () => {
  const project = await createStage({
    '.planning/ROADMAP.md': roadmapOf(2).replace('[ ] **Phase 1', '[x] **Phase 1'),
  })
  await expect(checkSelectors(project.dir, ['1'], {})).rejects.toThrow('Already completed: 1.')
  const none = await createStage()
  for (const [flag, what] of [
    ['gaps', 'No completed phase is below 9.5.'],
    ['force', 'No phase is completed.'],
  ] as const)
    await expect(checkSelectors(none.dir, [], { [flag]: true })).rejects.toThrow(what)
  await checkSelectors(project.dir, [], {})
  await expect(play(project, { selectors: ['1'] })).rejects.toThrow('Already completed: 1.')
  const done = await play(project, { selectors: [], answers: { 'Q-PICK': 'all' } })
  expect([done.gates, phasesOf(done)]).toEqual([['Q-PICK'], ['2', 'run']])
})
