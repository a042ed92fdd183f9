import { expect, it } from 'vitest'
import type { Order } from '../../../source/rehearsal/lifecycle/order.js'
import { scriptOf } from '../../../source/rehearsal/lifecycle/steps.js'

const order = (name: string, brief: string) =>
  ({ step: { name }, retry: { attempt: 0 }, brief }) as unknown as Order

const codeOf = (name: string, brief = 'a wish') =>
  scriptOf(order(name, brief)).files.filter(({ path }) => !path.startsWith('_docs/'))

// Whoever follows what the demo recommends would be asked about a claim that nothing shows, again and again.
it.each(['Refactor', 'Implement'])('%s, which is to change code, changes code', (name) => {
  expect(codeOf(name)).toHaveLength(1)
})

it('another wish is another change', () => {
  expect(codeOf('Implement', 'one')[0]?.text).not.toBe(codeOf('Implement', 'two')[0]?.text)
})
