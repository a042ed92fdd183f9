import { expect, test } from 'vitest'
import { compares, executes, fileOf, rates, rating, roadmapOf } from './roles.js'
import { type Act, type Acts, createStage, play } from './stage.js'

// Why no further cycle of mending follows.

const slow = { timeout: 240_000 }
const one = { '.planning/ROADMAP.md': roadmapOf(1) }
const works = executes((order) => ({ [fileOf(order)]: `${String(order.commitSubject)}\n` }))
const scores =
  (...list: number[]): Act =>
  ({ order, nth }) =>
    rating(order, list[Math.min(nth, list.length) - 1] ?? 0)
const mends = (...list: number[]): Acts => ({ rating: scores(...list), execution: works })

test.each<[string, Acts, number]>([
  ['its cycles are used up', mends(8, 8.2, 8.4), 2],
  [
    'its last cycle failed',
    {
      ...mends(8, 8),
      'judgement-divergence': (dispatch, project) =>
        compares(dispatch.nth > 1 ? { recommendation: 'halt' } : {})(dispatch, project),
    },
    1,
  ],
])('standard: %s', slow, async (why, acts, cycles) => {
  const played = await play(await createStage(one), { acts })
  const phase = played.state.phases.phase_1
  expect(phase).toMatchObject({ status: 'completed', force_incomplete: true, remediation_cycles: cycles })
  const told = `[Phase 1] No further cycle, ${why}: it passes as force incomplete.`
  expect(played.notes.filter((line) => line.includes('No further cycle'))).toEqual([told])
  expect(played.views.at(-1)?.decisions?.map(({ why: said }) => said)).toContain(
    `${phase?.alignment_score?.toFixed(1)}: ${why}`,
  )
})

test('quality: a cycle without a gain is no cycle that was used up', slow, async () => {
  const project = await createStage(one)
  await play(project, { acts: { rating: rates(9.1) } })
  const again = await play(project, { flags: { quality: true }, acts: mends(9.2, 9.2) })
  expect(again.state.phases.phase_1?.quality_exhausted).toBe(true)
  expect(again.notes.join('\n')).toContain(
    'No further cycle, its last cycle brought nothing: it passes as quality exhausted.',
  )
  expect(again.events).toContain('quality_exhausted')
})
