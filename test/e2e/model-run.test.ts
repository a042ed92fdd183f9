import { expect, test } from 'vitest'
import { expectedGates, threePhaseRun } from './three-phase-run.js'

// The same run with a real program in its place: test/clis.

test('a spec of three phases runs to DONE through the embedded agent, and git, files and bill agree', async () => {
  expect(await threePhaseRun({ agent: 'embedded' })).toEqual(expectedGates)
})
