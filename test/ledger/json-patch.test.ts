import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyPatch, diffJson, isPatch } from '../../source/ledger/json-patch.js'

const sizeOf = (value: unknown) => JSON.stringify(value).length
/** As it comes out of a file. */
const reread = (value: unknown) => JSON.parse(JSON.stringify(value))

function check(before: unknown, after: unknown): void {
  const patch = diffJson(before, after)
  if (patch === undefined) {
    expect(JSON.stringify(before)).toBe(JSON.stringify(after))
    return
  }
  const stored = reread(patch)
  expect(isPatch(stored)).toBe(true)
  const kept = JSON.stringify(before)
  expect(JSON.stringify(applyPatch(before, stored))).toBe(JSON.stringify(after))
  expect(JSON.stringify(before)).toBe(kept)
}

/** Values that are often alike, so that patches have something to keep. */
const { value: alike } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      null,
      true,
      0,
      1,
      'a',
      'b',
      '',
      'word '.repeat(20),
      `${'word '.repeat(20)}end`,
      '\ud800'.repeat(70),
    ),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '1', '2', '__proto__', 'set', 'keys'), tie('value'), {
      maxKeys: 5,
    }),
  ),
}))

describe('a patch', () => {
  it('leads from any JSON value to any other, byte for byte', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => check(reread(before), reread(after))),
      { numRuns: 500 },
    )
  })

  it('leads between values that are nearly the same, order of keys included', () => {
    fc.assert(
      fc.property(alike, alike, (before, after) => check(reread(before), reread(after))),
      { numRuns: 2000 },
    )
  })

  it('is undefined between equal values', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => diffJson(reread(value), reread(value)) === undefined))
  })

  it('leaves the prototype of objects alone', () => {
    const after = JSON.parse('{"a": {"__proto__": {"polluted": true}}}')
    const made = applyPatch({ a: {} }, reread(diffJson({ a: {} }, after)))
    expect(JSON.stringify(made)).toBe(JSON.stringify(after))
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('a patch stays small', () => {
  const long = Array.from({ length: 5000 }, (_, id) => ({ id, status: 'pending', title: `task ${id}` }))
  const text = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join('\n')

  it.each([
    [
      'one element of a long list changed',
      long,
      long.map((one, at) => (at === 2500 ? { ...one, status: 'done' } : one)),
    ],
    [
      'one was added at the end, and one changed',
      long,
      [{ ...long[0], status: 'done' }, ...long.slice(1), { id: 5000 }],
    ],
    ['one was added in front', long, [{ id: -1 }, ...long]],
    ['one was taken out', long, [...long.slice(0, 2500), ...long.slice(2501)]],
    ['a word of a long text changed', { text }, { text: text.replace('line 2500', 'another') }],
  ])('where %s', (_what, before, after) => {
    check(before, after)
    expect(sizeOf(diffJson(before, after))).toBeLessThan(200)
  })
})

describe('a patch for another value', () => {
  it.each([
    ['a list', { a: 1 }, { items: [] }],
    ['an object', [1], { keys: {} }],
    ['a text', 1, { text: [0, 0, 'x'] }],
    ['a longer text', 'ab', { text: [1, 5, 'x'] }],
    ['a longer list', [1], { items: [], splice: [1, 1, []] }],
    ['an element', [1], { items: [[1, { set: 2 }]] }],
    ['a property to change', {}, { keys: { a: { keys: {} } } }],
  ])('is refused: it needs %s', (_what, value, patch) => {
    expect(isPatch(patch)).toBe(true)
    expect(() => applyPatch(value, patch as never)).toThrow('does not fit')
  })

  it.each([
    [null],
    [1],
    [{}],
    [{ keys: { a: 1 } }],
    [{ items: [['x', { set: 1 }]] }],
    [{ text: [0, -1, ''] }],
    [{ items: [], splice: [0, 1] }],
  ])('or not one at all: %j', (value) => expect(isPatch(value)).toBe(false))
})
