import { expect, test } from 'vitest'
import { createStage, dies, play } from './stage.js'

// A dispatch in which the whole program died, again and again (docs/durability.md, "Replay").

test('after three deaths in one dispatch somebody is asked; then the agent is told, and the run goes on', async () => {
  const project = await createStage([{ name: 'Box' }])
  const prompts: string[] = []
  const deadly = {
    acts: {
      verification: ({ prompt }: { prompt: string }) => {
        prompts.push(prompt)
        return dies()
      },
    },
  }
  for (const death of [1, 2, 3]) {
    const played = await play(project, deadly)
    expect(played.died, `death ${death}`).toBe(true)
    expect(played.gates).toEqual([])
  }
  const refused = await play(project, { ...deadly, answers: { 'Q-BROKEN-STEP': 'stop' } })
  expect(refused.gates).toEqual(['Q-BROKEN-STEP'])
  expect(refused.asked[0]?.title).toBe('Verify Phase 1: Box: broken off 3 times')
  expect(prompts).toHaveLength(3)

  const played = await play(project, { answers: { 'Q-BROKEN-STEP': 'again' } })
  expect(played.gates).toEqual(['Q-BROKEN-STEP', 'Q-PR'])
  const [again] = played.dispatches
  expect(again?.kind).toBe('verification')
  expect(again?.prompt).not.toBe(prompts[0])
  expect(again?.prompt).toBe(prompts[1])
  expect(played.state.currentState).toBe('DONE')
})
