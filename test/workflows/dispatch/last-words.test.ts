import { expect, test } from 'vitest'
import { lastWords, reasonOr } from '../../../source/workflows/dispatch/last-words.js'

// What an agent has said beside its result stands in the place of a reason (docs/agents.md, "Results").

const block = '```json\n{"status":"blocked","completed":[]}\n```'

test.each([
  ['before its block', `Where is the key?\n\n${block}`, undefined, 'Where is the key?'],
  ['behind it', `${block}\nWhere is the key?`, undefined, 'Where is the key?'],
  ['in another fence', `\`\`\`sh\nls\n\`\`\`\n${block}`, undefined, '```sh\nls\n```'],
  ['on the way', block, 'I look.', 'I look.'],
  ['on the way to a whole text', '{"status":"blocked","completed":[]}', 'I look.', 'I look.'],
  ['nowhere', block, undefined, undefined],
])('its words %s', (_, text, said, words) => {
  expect(lastWords({ text, ...(said === undefined ? {} : { said }) })).toBe(words)
})

test.each([undefined, '', 'None.', 'n/a', ' - '])('%s is no reason', (told) => {
  expect(reasonOr(told, 'Where is the key?')).toBe('It gave no reason. Its last words:\nWhere is the key?')
  expect(reasonOr(told, undefined)).toBe('It gave no reason and said nothing else.')
})

test('a reason stands as it was told', () => {
  expect(reasonOr('no network', 'Where is the key?')).toBe('no network')
})

test('of an endless output only the end', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `${index}`).join('\n')
  expect(reasonOr(undefined, lines).split('\n')).toHaveLength(21)
  expect(reasonOr(undefined, 'x'.repeat(100_000)).length).toBeLessThan(3_000)
})
