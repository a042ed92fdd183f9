import { expect, test } from 'vitest'
import { withoutUnits } from '../../../source/workflows/harness/execution/tests.js'
import type { HarnessState } from '../../../source/workflows/harness/state/state.js'

const run = { command: 'npm test', outcome: 'passed', durationMs: 5, tail: [], units: 'abcdefgh' } as const
const phase = (evidence: object) => ({
  name: 'A phase',
  complexity: 'low',
  complexityOverride: null,
  planPath: null,
  status: 'complete',
  evidence: { tasks: {}, ...evidence },
})

test('which tests a run named is kept for the phase that is worked on alone', () => {
  const state = {
    phases: [
      phase({ testsBefore: null, tests: run }),
      phase({ testsBefore: run }),
      phase({ testsBefore: run, tests: run }),
    ],
  } as unknown as HarnessState
  const { units: _, ...bare } = run
  expect(withoutUnits(state, 1).phases.map(({ evidence }) => evidence)).toEqual([
    { tasks: {}, testsBefore: null, tests: bare },
    { tasks: {}, testsBefore: run },
    { tasks: {}, testsBefore: bare, tests: bare },
  ])
})
