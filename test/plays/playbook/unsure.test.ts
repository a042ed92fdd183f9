import { expect, test } from 'vitest'
import { roadmapOf, verification } from './roles.js'
import { type Acts, createStage, play } from './stage.js'

// A verifier that is less sure than the threshold, in a phase that has no task of a person.

const slow = { timeout: 240_000 }
const one = { '.planning/ROADMAP.md': roadmapOf(1) }
const unsure = (times: number): Acts => ({
  verification: ({ order, nth }) => verification(order, nth <= times ? { autonomous_confidence: 4 } : {}),
})
const spawned = (played: Awaited<ReturnType<typeof play>>) =>
  played.dispatches
    .filter(({ order }) => order.expects === 'verification')
    .map(({ order }) => order.enforcement?.check)

test(
  'it says nothing of why: it is sent again, and a person is asked where it is no surer',
  slow,
  async () => {
    const played = await play(await createStage(one), {
      acts: unsure(9),
      answers: { 'Q-VERDICT': 'pass' },
    })
    expect(spawned(played)).toEqual([undefined, '13'])
    expect(played.gates).toEqual(['Q-VERDICT'])
    expect(played.asked[0]?.body).toEqual([
      'No task asks for a person: the verifier is 4 of 10 sure, and from 6 on nobody is asked.',
      'Score: 9.4/10',
    ])
    expect(played.state.phases.phase_1).toMatchObject({ status: 'completed', respawns: { 13: 1 } })
    expect(played.state._meta.deferral_history).toMatchObject([{ reason: 'deferred', human_verdict: 'pass' }])
  },
)

test('it is surer the second time: nobody is asked', slow, async () => {
  const played = await play(await createStage(one), { acts: unsure(1) })
  expect([spawned(played), played.gates]).toEqual([[undefined, '13'], []])
  expect(played.state.phases.phase_1?.status).toBe('completed')
})
