import { expect, test } from 'vitest'
import { newLifecycleState } from '../../../source/documents/lifecycle-edit.js'
import { type Act, createStage, does, play, upTo } from './stage.js'

// What a worker changes beyond its contract: asked once, put back or on record.

const adopt = () => ({ value: 'adopt' })
const hook = '.git/hooks/pre-commit'
const flows = '_docs/_autopilot_flow.yaml'

/** The step is done as it should, and a hook and a flow file are planted beside it. */
const plants: Act = async (dispatch, project) => {
  await project.write(hook, '#!/bin/sh\nexit 1\n')
  await project.write(flows, 'maxAutoRetries: 99\n')
  return does(dispatch, project)
}

const stage = () =>
  createStage(upTo('greenfield', 'Research', newLifecycleState('greenfield', 2, 'Research')))

test('put back: the hook and the flow file are gone, what the step should leave stays', async () => {
  const project = await stage()
  const answers = { 'Q-TOUCHED': 'put-back' }
  const played = await play(project, { askFirst: adopt, acts: { Research: plants }, answers })
  expect(played.gates.filter((gate) => gate === 'Q-TOUCHED')).toHaveLength(1)
  const question = played.asked.find(({ gate }) => gate === 'Q-TOUCHED')
  expect(question?.body.join('\n')).toContain(`${hook} (new)`)
  expect(question?.body.join('\n')).toContain(`${flows} (new)`)
  expect(question?.body.join('\n')).not.toContain('solution.md')
  await expect(project.read(hook)).rejects.toThrow()
  await expect(project.read(flows)).rejects.toThrow()
  expect(await project.read('_docs/01_solution/solution.md')).toBe('x')
  expect(played.record.completed.at(-1)).toMatchObject({ name: 'Research' })
})

test('accepted: it stays, and is a line of Key Decisions', async () => {
  const project = await stage()
  const answers = { 'Q-TOUCHED': 'accept', 'Q-COMMIT': 'stop' }
  const played = await play(project, { askFirst: adopt, acts: { Research: plants }, answers })
  expect(await project.read(hook)).toContain('exit 1')
  expect(played.text).toMatch(
    /Q-TOUCHED: accepted of lifecycle-worker \(Step 2: Research\): .*pre-commit \(new\)/,
  )
})
