import { expect, test } from 'vitest'
import { phaseScript, runScript } from '../../../source/rehearsal/playbook/scenario.js'

const of = (...names: string[]) => names.flatMap((name) => phaseScript(name).trials)
const order = { expects: 'audit', requirements: ['SHELF-1'], completedPhaseDirs: [] }

test('a look over a run of some phases tries out these alone', () => {
  expect(runScript(order).trials).toEqual(of('Shelf'))
  expect(runScript({ ...order, requirements: ['SHELF-1', 'PROG-1', 'PROG-2', 'REP-1'] }).trials).toEqual(
    of('Shelf', 'Progress', 'Report'),
  )
  const done = { ...order, expects: 'integration', completedPhaseDirs: ['.planning/phases/02-progress'] }
  expect(runScript(done).trials).toEqual(of('Progress'))
})
