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

/** What the module holds after these loops, one behind the other. */
function moduleAfter(...wishes: string[]): string {
  return wishes.reduce((before, wish) => {
    const text = codeOf('Implement', wish)[0]?.text
    return typeof text === 'function' ? text(before) : (text ?? '')
  }, '')
}

it('each loop changes code, for another wish and for the same again, and keeps what was there', () => {
  const [one, two, again] = [moduleAfter('one'), moduleAfter('one', 'two'), moduleAfter('one', 'one')]
  expect(new Set([one, two, again]).size).toBe(3)
  expect(two).toContain('export const wishes = ["one","two"]')
  expect(again).toContain('export const wishes = ["one","one"]')
  // A change of comments alone is asked about.
  const code = (text: string) =>
    text
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/\*)/.test(line))
      .join('\n')
  expect(code(again)).not.toBe(code(one))
})
