import { expect, test } from 'vitest'
import { safeOption } from '../../../source/ui/layout/option-letters.js'
import type { QuestionDraft } from '../../../source/view/question.js'
import { qBreaker } from '../../../source/workflows/playbook/questions/breaker.js'
import { qDirectory } from '../../../source/workflows/playbook/questions/directory.js'
import { qHuman } from '../../../source/workflows/playbook/questions/human.js'
import { qLeftWorktree } from '../../../source/workflows/playbook/questions/leftover.js'
import { qMerge } from '../../../source/workflows/playbook/questions/merge.js'
import { qPlan } from '../../../source/workflows/playbook/questions/plan.js'
import { qRevert } from '../../../source/workflows/playbook/questions/revert.js'
import { qSpec } from '../../../source/workflows/playbook/questions/spec.js'
import { qTree } from '../../../source/workflows/playbook/questions/tree.js'
import { qVerdict } from '../../../source/workflows/playbook/questions/verdict.js'
import { newPhase } from '../../../source/workflows/playbook/state/phases.js'

// What only a person can decide is recommended by nobody, stopping neither; the menu opens where nothing is decided.

const task = { id: '01-02', title: 'Look', type: 'decision', action: '', options: [] } as never
const trouble = { kind: 'conflict', paths: ['a.ts'], output: '' } as const
const left = { part: '1a', path: '.autopilot/worktrees/1a', branch: 'autopilot/1a', isGone: false }
const cap = { reason: 'phase_tokens', threshold: 1, value: 2 } as const

const drafts: Record<string, { draft: QuestionDraft; labels: string[] }> = {
  'Q-VERDICT': {
    draft: qVerdict('1', 'One', newPhase()),
    labels: ['pass', 'fail', 'issues', 'stop'],
  },
  'Q-SPEC': { draft: qSpec('a.md', 'sha256:0', 'sha256:1'), labels: ['accept the new hash', 'stop'] },
  'Q-TREE': { draft: qTree(['a']), labels: ['commit', 'put aside', 'continue', 'stop'] },
  'Q-PLAN': { draft: qPlan('1', ['PLAN.md'], []), labels: ['re-plan', 'run as it stands', 'stop'] },
  'Q-MERGE': {
    draft: qMerge('1a', 'autopilot/1a', trouble),
    labels: ['resolve', 'debugger', 'drop', 'stop'],
  },
  'Q-HUMAN, a decision': { draft: qHuman('1', task), labels: ['decide in words', 'defer', 'stop'] },
  'Q-LEFTOVER, a work tree': {
    draft: qLeftWorktree(left, { canGoOn: true, isDirty: true }),
    labels: ['take up', 'remove', 'stop'],
  },
  'Q-DIRECTORY': { draft: qDirectory('1', ['p/01-a', 'p/01-b']), labels: ['01-a', '01-b', 'stop'] },
  'Q-BREAKER, a cap': { draft: qBreaker('1', cap, null), labels: ['new allowance', 'stop'] },
  'Q-REVERT, a conflict': { draft: qRevert('1', { conflict: ['a'] }), labels: ['retry', 'leave', 'stop'] },
}

test.each(Object.entries(drafts))('%s', (_, { draft, labels }) => {
  expect(draft.options.map(({ label }) => label)).toEqual(labels)
  expect(draft.options.filter(({ recommended }) => recommended)).toEqual([])
  expect(draft.options[safeOption(draft.options)]?.label).toBe('stop')
})
