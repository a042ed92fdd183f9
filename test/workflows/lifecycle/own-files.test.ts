import { expect, test } from 'vitest'
import { isOwnFile } from '../../../source/workflows/lifecycle/opening/own-files.js'
import { placeOf } from '../../../source/workflows/lifecycle/places.js'

test.each([
  ['_docs/_autopilot_state.md', true],
  ['_docs/_autopilot_state.md.bak', true],
  ['_docs/_autopilot_state.md.theirs-20300101T000000000Z-abcdef', true],
  ['_docs/.gitignore', true],
  ['.gitignore', true],
  ['_docs/01_solution/solution.md', false],
  ['_docs/_autopilot_flow.yaml', false],
])('what the program writes itself is no work of a step: %s', (path, isOwn) => {
  expect(isOwnFile({ place: placeOf() }, path)).toBe(isOwn)
})
