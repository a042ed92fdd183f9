import { expect, test } from 'vitest'
import { Problem } from '../../source/problem.js'
import { settleStartDoubts } from '../../source/sessions/start-doubts.js'
import type { Question } from '../../source/view/question.js'

// Changed submodules and missing programs for large files are asked about before a start.

const doubt = new Problem({
  code: 'repository',
  what: 'Submodules have changes.',
  why: 'They stay.',
  todo: 'Commit them.',
})

async function settle(doubts: Problem[], value: string) {
  const asked: Question[] = []
  const goes = await settleStartDoubts({ startDoubts: async () => doubts }, async (question) => {
    asked.push(question)
    return value === 'quit' ? 'quit' : { value }
  })
  return { goes, asked }
}

test('nothing is asked where nothing is in doubt', async () => {
  expect(await settle([], 'close')).toEqual({ goes: true, asked: [] })
})

test.each([
  ['go', true],
  ['close', false],
  ['quit', false],
])('"%s" decides', async (value, goes) => {
  const settled = await settle([doubt], value)
  expect(settled.goes).toBe(goes)
  expect(settled.asked[0]?.body).toEqual(['Submodules have changes.', 'They stay.', 'Commit them.'])
})
