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

/** Files of the project by path, as a step leaves them. */
function play(files: Map<string, string>, name: string, brief: string, prepareOnly = false): string[] {
  const names = (folder: string) =>
    [...files.keys()].flatMap((path) => (path.startsWith(folder) ? [path.slice(folder.length)] : []))
  const folders = { todo: names('_docs/02_tasks/todo/'), done: names('_docs/02_tasks/done/') }
  const script = scriptOf({ ...order(name, brief), prepareOnly } as Order, folders)
  const changed: string[] = []
  for (const { path, text } of script.files) {
    const before = files.get(path) ?? ''
    const after = typeof text === 'string' ? text : text(before)
    if (after !== before) changed.push(path)
    files.set(path, after)
  }
  for (const [from, to] of script.moves ?? []) {
    files.set(to, files.get(from) ?? '')
    files.delete(from)
  }
  return changed
}

const loop = ['New Task', 'Implement', 'Security Audit', 'Performance Test', 'Deploy']

// A record that stays as it was shows nothing done: each step of a second loop would be asked about, four times.
it.each([...loop, 'Deploy, prepared'])('%s leaves something new in each loop', (name) => {
  const files = new Map<string, string>()
  play(files, 'Decompose Tests', '')
  for (const brief of ['one', 'two', 'two']) {
    if (name === 'Deploy, prepared') expect(play(files, 'Deploy', brief, true)).not.toEqual([])
    else for (const step of loop) if (play(files, step, brief).length === 0) expect.fail(`${step}: ${brief}`)
  }
})

it('a wish is a task of its own with a row of the table, which is done by the step that implements it', () => {
  const files = new Map<string, string>()
  play(files, 'Decompose Tests', '')
  const table = () => files.get('_docs/02_tasks/_dependencies_table.md') ?? ''
  play(files, 'New Task', 'Pay | in coins')
  play(files, 'New Task', 'Pay | in coins')
  expect(table()).toContain('| T-3 | Pay / in coins | 2 | None | Wishes |')
  expect(table()).toMatch(/Total Tasks\*\*: 3\n\*\*Total Complexity Points\*\*: 5\n/)
  play(files, 'Implement', 'Pay in coins')
  play(files, 'New Task', 'Round up')
  expect([...files.keys()].filter((path) => path.includes('_wish.md') && path.includes('02_tasks'))).toEqual([
    '_docs/02_tasks/done/T-3_wish.md',
    '_docs/02_tasks/todo/T-4_wish.md',
  ])
  expect(table()).toContain('| T-4 | Round up | 2 | None | Wishes |')
})
