import { describe, expect, it, test } from 'vitest'
import { lastJsonBlock } from '../../../../source/agents/result.js'
import { personaOf, personas } from '../../../../source/workflows/playbook/personas/personas.js'
import { promptOf } from '../../../../source/workflows/playbook/personas/prompt.js'
import { overBudget, responseBudgets } from '../../../../source/workflows/playbook/response-budget.js'
import { type Expects, resultSchemas } from '../../../../source/workflows/playbook/results.js'
import { categories } from '../../../../source/workflows/playbook/taxonomy.js'
import { orderFromAll } from '../orders/order-of-all.js'

const kinds = Object.keys(resultSchemas) as Expects[]
const prompt = (kind: Expects, more: object = {}, begin = { interrupted: false }) =>
  promptOf(orderFromAll(kind, more), begin)

describe.each(kinds)('the page for %s', (kind) => {
  const text = prompt(kind)

  it('says who, which phase, what for, where, and what comes back', () => {
    expect(text.startsWith(`You are ${personaOf[kind]}.`)).toBe(true)
    expect(text).toContain('- Phase: 2.1: Rule engine (2 of 3 in this run)')
    expect(text).toContain('- Goal: Rules run in order')
    expect(text).toContain('- Spec: `.planning/REQUIREMENTS.md`')
    expect(text).toContain('- Command to compile: `npx tsc --noEmit`')
    expect(text).toContain('- Command to lint: none; skip it')
    expect(text).toContain(orderFromAll(kind).tracePath)
    expect(text).toContain('## You must\n\n1. ')
    expect(text).toContain('one fenced block marked `json` and nothing after it')
    const { response, summary } = responseBudgets[kind]
    expect(text).toContain(`at most ${response} lines in that message, at most ${summary} of them`)
    expect(text).toContain('Never push, amend, rebase, reset, stash')
    expect(text).not.toMatch(/undefined|\[object|\n{3,}|null,/)
  })

  it('shows a shape and no result that could be taken for one', () => {
    expect(lastJsonBlock(text)).toBeUndefined()
  })

  it('tells of a run that broke off, a word of the person and why it is asked once more, only then', () => {
    expect(text).not.toMatch(/not the first|note from the person|asked once more/)
    const again = promptOf(
      orderFromAll(kind, { enforcement: { check: '10', reason: 'No command was run.' } }),
      { interrupted: true, note: 'Use tabs.' },
    )
    expect(again).toContain('You are not the first')
    expect(again).toContain('```text\nUse tabs.\n```')
    expect(again).toContain('did not hold (10):\n\n```text\nNo command was run.\n```')
  })
})

test('every persona is sent for something', () => {
  expect([...new Set(Object.values(personaOf))].sort()).toEqual(Object.keys(personas).sort())
})

test('the researcher and the planner are told what went wrong before', () => {
  expect(prompt('research')).toContain('It scored 6.2 of 10')
  expect(prompt('plan')).toContain('Mend every blocker')
  expect(prompt('plan')).toContain('<task id="02.1-01" type="auto"')
  expect(prompt('plan', { replan: undefined, checkerIssues: [] })).not.toMatch(
    /first plan|Mend every blocker/,
  )
})

test('only phases with screens are asked to follow handlers', () => {
  for (const kind of ['plan', 'verification', 'judgement'] as const) {
    expect(prompt(kind)).toMatch(/handler/)
    expect(prompt(kind, { phaseType: 'data' })).not.toMatch(/handler/)
  }
})

test('the executor is told its task, the rest of a full conversation, or what is to be mended', () => {
  const alone = { tasks: [], handoff: undefined, remediationCycle: undefined, remediationFeedback: [] }
  expect(prompt('execution', alone)).toContain('You carry out task 02.1-01 of phase 2.1')
  expect(prompt('execution', alone)).not.toMatch(/of mending|left off/)
  expect(prompt('execution')).toContain('C1: mark-remediationFeedback; now 7.5')
  expect(prompt('execution')).toContain('2 tasks of phase 2.1')
})

test('who has to name a failure knows the ten words', () => {
  for (const kind of ['verification', 'debug'] as const)
    for (const word of categories) expect(prompt(kind)).toContain(`- \`${word}\`: `)
})

test('the verifier of a phase that seems done is told so', () => {
  expect(prompt('verification')).toContain('at least one `path:line`')
  expect(prompt('verification', { triageEvidence: [] })).not.toContain('seems to have been done')
})

test('a reply over its budget is told of', () => {
  expect(overBudget('mini-verification', 'x\n'.repeat(30))).toBeUndefined()
  expect(overBudget('mini-verification', 'x\n'.repeat(31))).toContain('31 lines')
})
