import { expect, test } from 'vitest'
import { createStage, type Dispatch, fails, play } from './stage.js'

// Usage limits: another agent goes on where one is named (docs/agents.md, "Usage limits").

const complete = ({ brief }: Dispatch) => ({
  status: 'complete',
  completed: (brief.tasks ?? []).map((task) => task.id),
})

test('a limit, and the fallback does this step in a conversation of its own; the next step is back', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    resumable: true,
    fallback: true,
    acts: {
      execution: (dispatch) =>
        dispatch.nth === 1 ? fails('limit', 'five hours are used up') : complete(dispatch),
    },
    answers: { 'Q-LIMIT': 'fallback' },
  })
  expect(played.gates).toEqual(['Q-LIMIT', 'Q-PR'])
  const [limit] = played.asked
  expect(limit?.options.map(({ value }) => value)).toEqual(['again', 'fallback', 'stop'])
  expect(limit?.countdown).toBeUndefined()
  const sent = played.dispatches.map(({ kind, backend }) => [kind, backend])
  expect(sent).toEqual([
    ['plan', 'scripted'],
    ['execution', 'scripted'],
    ['execution', 'fallback'],
    ['verification', 'scripted'],
    ['review', 'scripted'],
    ['final-review', 'scripted'],
  ])
  // It cannot know what the other one said, so it is told that the work was begun.
  expect(played.dispatches[2]?.resumes).toBeUndefined()
  expect(played.dispatches[2]?.prompt).not.toBe(played.dispatches[1]?.prompt)
})

test('a fallback that fails is tried again itself, not the agent whose limit was reached', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    fallback: true,
    acts: {
      execution: (dispatch) => {
        if (dispatch.nth === 1) return fails('limit', 'used up')
        return dispatch.nth === 2 ? fails('crash', 'exit code 1') : complete(dispatch)
      },
    },
    answers: { 'Q-LIMIT': 'fallback', 'Q-AGENT': 'retry' },
  })
  const sent = played.dispatches.filter(({ kind }) => kind === 'execution').map(({ backend }) => backend)
  expect(sent).toEqual(['scripted', 'fallback', 'fallback'])
})

test('without a fallback none is offered; the countdown can be taken away, and the run waits', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    limits: { maxWaitHours: 6 },
    acts: {
      execution: (dispatch) => (dispatch.nth === 1 ? fails('limit', 'used up') : complete(dispatch)),
    },
    answers: { 'Q-LIMIT': ['cancel', 'again'] },
  })
  const [first, second] = played.asked
  expect(first?.options.map(({ value }) => value)).toEqual(['again', 'cancel', 'stop'])
  expect(second?.countdown).toBeUndefined()
  expect(second?.options.map(({ value }) => value)).toEqual(['again', 'stop'])
  // Only a countdown goes on while nothing runs.
  const stops = [first, second].map((asked) => asked?.options.at(-1)?.consequence)
  expect(stops.map((text) => text?.includes('countdown'))).toEqual([true, false])
  expect(played.state.currentState).toBe('DONE')
})

test('a limit whose end nobody knows has no countdown; one whose end is told has', async () => {
  const resetsAt = Date.now() + 60 * 60_000
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    acts: {
      execution: (dispatch) => {
        if (dispatch.nth > 2) return complete(dispatch)
        const limit = fails('limit', 'used up')
        return dispatch.nth === 1 ? limit : { ...limit, resetsAt }
      },
    },
    answers: { 'Q-LIMIT': 'again' },
  })
  expect(played.gates).toEqual(['Q-LIMIT', 'Q-LIMIT', 'Q-PR'])
  expect(played.asked.map(({ countdown }) => countdown?.value)).toEqual([undefined, 'again', undefined])
})
