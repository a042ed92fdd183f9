import { describe, expect, it } from 'vitest'
import { questionLines, replyOf } from '../../../source/ui/plain/question-lines.js'
import type { Question } from '../../../source/view/question.js'

const question: Question = {
  id: 'visit-1/plan',
  gate: 'Q-APPROVE',
  title: 'Carry the plan out?',
  body: ['Two tasks.', '  one', '  two'],
  evidence: [{ id: 'plan', kind: 'plan', title: 'the plan', path: 'docs/plans/one.md' }],
  options: [
    { value: 'approve', label: 'approve', consequence: 'the plan is carried out' },
    { value: 'fix', label: 'fix', consequence: 'the planner works again', recommended: true },
    { value: 'stop', label: 'stop', consequence: 'ends here', stops: true },
  ],
  askedAt: '2030-04-03T09:12:00.000Z',
}

it('shows all of a question, its evidence, and each answer with what it does', () => {
  expect(questionLines(question, false)).toEqual([
    '',
    'Question (Q-APPROVE): Carry the plan out?',
    '  Two tasks.',
    '    one',
    '    two',
    'To read first:',
    '  r1. the plan, docs/plans/one.md',
    'Answers:',
    '  1. approve: the plan is carried out',
    '  2. fix (recommended): the planner works again',
    '  3. stop: ends here',
  ])
})

it('names a copy by the file that it is a copy of', () => {
  const copy = {
    id: 'plan',
    kind: 'plan' as const,
    title: 'docs/plans/one.md',
    path: '.harness/approved/b872.md',
  }
  const lines = questionLines({ ...question, evidence: [copy] }, false)
  expect(lines).toContain('  r1. docs/plans/one.md')
  expect(lines.join('\n')).not.toContain('b872')
})

describe('what is typed', () => {
  const reply = (typed: string, wantsWords = false) => replyOf(question, typed, wantsWords)

  it('chooses by number or by word', () => {
    expect(reply(' 2 ')).toEqual({ kind: 'option', index: 1 })
    expect(reply('Approve')).toEqual({ kind: 'option', index: 0 })
    expect(reply('appr')).toEqual({ kind: 'option', index: 0 })
  })

  it('opens evidence, shows the question again, leaves', () => {
    expect(reply('r1')).toEqual({ kind: 'read', evidence: question.evidence?.[0] })
    expect(reply('?')).toEqual({ kind: 'again' })
    expect(reply('q')).toEqual({ kind: 'quit' })
  })

  it('decides nothing by what is no answer', () => {
    for (const typed of ['', '0', '4', 'yes', 'a', 'r2', '1 2']) expect(reply(typed).kind).toBe('unclear')
  })

  it('wants the word for what lets something pass, where typing cannot be told from pasting', () => {
    expect(reply('1', true)).toMatchObject({ kind: 'unclear', why: expect.stringContaining('type approve') })
    expect(reply('approve', true)).toEqual({ kind: 'option', index: 0 })
    expect(reply('2', true)).toEqual({ kind: 'option', index: 1 })
    expect(reply('3', true)).toEqual({ kind: 'option', index: 2 })
    expect(questionLines(question, true)).toContain('  type "approve": the plan is carried out')
  })
})
