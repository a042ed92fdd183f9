import { expect, test } from 'vitest'
import { createStage, type Dispatch, fails, play, sessionDir } from './stage.js'

// A conversation that no longer fits the model (docs/agents.md, "When a dispatch fails").

const complete = ({ brief }: Dispatch) => ({
  status: 'complete',
  completed: (brief.tasks ?? []).map((task) => task.id),
})

test('a full conversation makes place for a fresh one that knows of it, unasked', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    acts: {
      execution: (dispatch) =>
        dispatch.nth === 1 ? fails('context', 'prompt is too long') : complete(dispatch),
    },
  })
  expect(played.gates).toEqual(['Q-PR'])
  const [first, second] = played.dispatches.filter(({ kind }) => kind === 'execution')
  expect(second?.resumes).toBeUndefined()
  expect(second?.prompt).not.toBe(first?.prompt)
  expect(second?.prompt).toContain('has filled its whole context')
})

test('work that fills one conversation after the other is asked about', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    acts: {
      execution: (dispatch) =>
        dispatch.nth <= 3 ? fails('context', 'prompt is too long') : complete(dispatch),
    },
    answers: { 'Q-AGENT': 'retry' },
  })
  expect(played.gates).toEqual(['Q-AGENT', 'Q-PR'])
  expect(played.asked[0]?.body.join('\n')).toContain('prompt is too long')
})

test('the fresh one is told what is done and what is left', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    acts: {
      execution: async (dispatch, here) => {
        const progress = { 'Task 1': 'complete', 'Task 2': dispatch.nth > 1 ? 'complete' : 'in_progress' }
        await here.write(`${sessionDir}/state.json`, JSON.stringify({ schemaVersion: 1, progress }))
        if (dispatch.nth > 1) return complete(dispatch)
        await here.write('work/half.txt', 'half\n')
        return fails('context', 'prompt is too long')
      },
    },
  })
  const [, second] = played.dispatches.filter(({ kind }) => kind === 'execution')
  expect(second?.prompt).toContain('Done: Task 1 (step 1)\nLeft: Task 2 (step 2), begun')
})
