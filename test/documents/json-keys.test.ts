import { expect, test } from 'vitest'
import { readJsonBlock } from '../../source/agents/result.js'
import { repeatedKey } from '../../source/documents/json-keys.js'

test.each([
  ['{"verdict":"fail","gaps":["a"],"verdict":"pass"}', 'verdict'],
  ['{"a":[{"b":1},{"b":2,"c":{"d":1,"\\u0064":2}}]}', 'd'],
  ['{"a":"\\"a\\":","b":["a","a","b"],"c":{"a":1,"b":2},"d":{"a":1}}', undefined],
  ['[]', undefined],
  ['{"__proto__":1,"constructor":2}', undefined],
])('a key that stands twice: %s', (text, key) => {
  expect(repeatedKey(text)).toBe(key)
})

test('a result that says two things at once is none', () => {
  const block = '```json\n{"verdict":"fail","verdict":"pass"}\n```\n'
  expect(readJsonBlock(block)).toEqual({ kind: 'broken', message: 'says "verdict" twice' })
})

test('a long text is read in one go', () => {
  const text = `{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":"${'\\\\'.repeat(10)}"`).join(',')}}`
  expect(repeatedKey(text)).toBeUndefined()
})
