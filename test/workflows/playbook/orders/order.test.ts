import { expect, test } from 'vitest'
import type { Field } from '../../../../source/workflows/playbook/orders/fields.js'
import { everybodySees, hiddenFrom, maySee } from '../../../../source/workflows/playbook/orders/may-see.js'
import { tracePath } from '../../../../source/workflows/playbook/orders/traces.js'
import { promptOf } from '../../../../source/workflows/playbook/personas/prompt.js'
import { type Expects, resultSchemas } from '../../../../source/workflows/playbook/results.js'
import { everything, orderFromAll } from './order-of-all.js'

const kinds = Object.keys(resultSchemas) as Expects[]
const seenBy = (kind: Expects): readonly string[] => [...maySee[kind].must, ...maySee[kind].may]

/** Words by which a field is found again: its own name behind `mark-`, and nothing that goes on. */
const mark = (field: string) => new RegExp(`mark-${field}(?![A-Za-z])`)

test.each(kinds)('an order of %s holds what its role may see and nothing else', (kind) => {
  const order = orderFromAll(kind, {
    enforcement: { check: '10', reason: 'none ran' },
    verdict: 'pass',
    score: 9.1,
  })
  const known = ['expects', ...everybodySees, ...seenBy(kind)]
  expect(Object.keys(order).sort()).toEqual([...known].sort())
  const text = JSON.stringify(order)
  for (const field of Object.keys(everything).filter((one) => !seenBy(kind).includes(one))) {
    expect(text).not.toMatch(mark(field))
  }
})

test.each(kinds)('a prompt of %s is made of its order alone', (kind) => {
  const text = promptOf(orderFromAll(kind), { interrupted: false })
  for (const field of Object.keys(everything).filter((one) => !seenBy(kind).includes(one))) {
    expect(text).not.toMatch(mark(field))
  }
  const numbers: readonly string[] = ['debugAttempt', 'remediationCycle']
  for (const field of seenBy(kind).filter((one) => !numbers.includes(one))) {
    expect(text).toMatch(mark(field))
  }
})

const blind: [Expects, Field[]][] = [
  ['mini-verification', ['executorEvidence', 'logPath', 'issues']],
  ['verification', ['executorEvidence', 'logPath', 'turnOne', 'reportPath', 'issues']],
  ['judgement', ['verificationPath', 'commandResults', 'turnOne', 'triageEvidence', 'issues']],
  ['rating', ['verificationPath', 'reportPath', 'turnOne', 'executorEvidence', 'triageEvidence', 'issues']],
  ['debug', ['executorEvidence', 'turnOne', 'reportPath', 'logPath']],
]

test.each(blind)('%s does not see what others say', (kind, fields) => {
  expect(seenBy(kind).filter((field) => (fields as string[]).includes(field))).toEqual([])
})

const [log, handoff, report, card] = ['EXECUTION-LOG.md', 'HANDOFF.md', 'JUDGE-REPORT.md', 'SCORECARD.md']
const verified = ['VERIFICATION.md', 'VERIFICATION.previous.md']
const unseen: [Expects, string[]][] = [
  ['plan-check', [log, handoff, ...verified, report, card]],
  ['mini-verification', [log, handoff, ...verified, report, card]],
  ['verification', [log, handoff, ...verified, report, card]],
  ['judgement', [log, handoff, ...verified, card]],
  ['judgement-divergence', [log, handoff, 'VERIFICATION.previous.md', card]],
  ['rating', [log, handoff, ...verified, report, card]],
]

test.each(unseen)('%s does not find in the directory of the phase what others say', (kind, files) => {
  const hidden = hiddenFrom(kind)
  expect(hidden.filter((name) => name.endsWith('.md')).sort()).toEqual([...files].sort())
  const own = tracePath('dir', kind).slice('dir/'.length)
  expect(hidden).not.toContain(own)
  expect(hidden).toContain(own === 'execute-trace.jsonl' ? 'verify-trace.jsonl' : 'execute-trace.jsonl')
  expect(hidden).toContain('TRACE.jsonl')
})

test('a trace lies in the directory of the phase, by the step', () => {
  expect(tracePath('.planning/phases/02-a', 'plan-check')).toBe(
    '.planning/phases/02-a/plan_check-trace.jsonl',
  )
  expect(orderFromAll('judgement').tracePath).toBe(orderFromAll('judgement-divergence').tracePath)
})

test('what is not there is left out, not told as nothing', () => {
  const order = orderFromAll('research', { repoMapPath: undefined, replan: undefined })
  expect('repoMapPath' in order).toBe(false)
  expect('replan' in order).toBe(false)
})
