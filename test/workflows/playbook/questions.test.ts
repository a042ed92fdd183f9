import { expect, test } from 'vitest'
import { safeOption } from '../../../source/ui/layout/option-letters.js'
import type { QuestionDraft } from '../../../source/view/question.js'
import { decisionViews } from '../../../source/workflows/playbook/decision-views.js'
import { qBreaker } from '../../../source/workflows/playbook/questions/breaker.js'
import { qDirectory } from '../../../source/workflows/playbook/questions/directory.js'
import { qNoQuestions } from '../../../source/workflows/playbook/questions/discuss.js'
import { qEvery } from '../../../source/workflows/playbook/questions/every.js'
import { qHuman } from '../../../source/workflows/playbook/questions/human.js'
import { qLeftChanges, qLeftWorktree } from '../../../source/workflows/playbook/questions/leftover.js'
import { qMerge } from '../../../source/workflows/playbook/questions/merge.js'
import { qPlan } from '../../../source/workflows/playbook/questions/plan.js'
import { qAnother, qResume } from '../../../source/workflows/playbook/questions/resume.js'
import { qRevert } from '../../../source/workflows/playbook/questions/revert.js'
import { qSpec } from '../../../source/workflows/playbook/questions/spec.js'
import { qTree } from '../../../source/workflows/playbook/questions/tree.js'
import { qVerdict } from '../../../source/workflows/playbook/questions/verdict.js'
import { pickQuestion } from '../../../source/workflows/playbook/selection/pick-question.js'
import { withEvents } from '../../../source/workflows/playbook/state/events.js'
import { newState } from '../../../source/workflows/playbook/state/new-state.js'
import { newPhase } from '../../../source/workflows/playbook/state/phases.js'

// What only a person can decide is recommended by nobody, stopping neither: the program recommends nothing in this
// workflow (docs/playbook.md, "Decisions"); the menu opens where nothing is decided.

const task = { id: '01-02', title: 'Look', type: 'decision', action: '', options: [] } as never
const trouble = { kind: 'conflict', paths: ['a.ts'], output: '' } as const
const left = { part: '1a', path: '.autopilot/worktrees/1a', branch: 'autopilot/1a', isGone: false }
const cap = { reason: 'phase_tokens', threshold: 1, value: 2 } as const

const open = {
  id: '1',
  name: 'One',
  dependsOn: [],
  status: 'not_started',
  score: null,
  begun: false,
} as const
const stateOf = (status: 'failed' | 'running') => {
  const fresh = newState({
    at: '2026-01-01T00:00:00Z',
    runId: 'run-2026-01-01-000000',
    spec: { path: 'a.md', hash: 'sha256:0' },
    roadmapPath: 'ROADMAP.md',
    head: null,
    phases: ['1', '2'],
    queue: ['1', '2'],
    carried: {},
    skipped: [],
    flags: {},
    threshold: 9,
    confidence: 6,
  })
  return { ...fresh, _meta: { ...fresh._meta, status } }
}

const drafts: Record<string, { draft: QuestionDraft; labels: string[] }> = {
  'Q-VERDICT': {
    draft: qVerdict('1', 'One', newPhase()),
    labels: ['pass', 'fail', 'issues', 'stop'],
  },
  'Q-SPEC': { draft: qSpec('a.md', 'sha256:0', 'sha256:1'), labels: ['accept the new hash', 'stop'] },
  'Q-TREE': { draft: qTree(['a']), labels: ['commit', 'put aside', 'continue', 'stop'] },
  'Q-PLAN': { draft: qPlan('1', ['PLAN.md'], []), labels: ['re-plan', 'run as it stands', 'stop'] },
  'Q-MERGE': {
    draft: qMerge('1a', { branch: 'autopilot/1a', worktree: '.autopilot/worktrees/1a' }, trouble),
    labels: ['resolve', 'debugger', 'drop', 'stop'],
  },
  'Q-HUMAN, a decision': { draft: qHuman('1', task), labels: ['decide in words', 'defer', 'stop'] },
  'Q-LEFTOVER, a work tree': {
    draft: qLeftWorktree(left, { canGoOn: true, isDirty: true }),
    labels: ['take up', 'remove', 'stop'],
  },
  'Q-DIRECTORY': { draft: qDirectory('1', ['p/01-a', 'p/01-b']), labels: ['01-a', '01-b', 'stop'] },
  'Q-BREAKER, a cap': { draft: qBreaker('1', cap, null), labels: ['new allowance', 'stop'] },
  'Q-BREAKER, rounds': {
    draft: qBreaker('1', { reason: 'no_progress', threshold: 3, value: 3 }, null),
    labels: ['wait', 'override', 'stop'],
  },
  'Q-RESUME, a failed run': {
    draft: qResume('1', stateOf('failed')),
    labels: ['retry phase', 'skip', 'new run', 'stop'],
  },
  'Q-RESUME, another run': {
    draft: qAnother(stateOf('running'), ['3']),
    labels: ['go on with it', 'new run', 'stop'],
  },
  'Q-EVERY': { draft: qEvery(2, ['3']), labels: ['continue', 'stop'] },
  'Q-PICK': { draft: pickQuestion([open]), labels: ['all', 'next', 'named', 'stop'] },
  'Q-LEFTOVER, a task': { draft: qLeftChanges('01-01', ['a']), labels: ['keep', 'put aside', 'stop'] },
  'Q-HUMAN, an action': {
    draft: qHuman('1', { ...(task as object), type: 'human-action' } as never),
    labels: ['done', 'defer', 'stop'],
  },
  'Q-DISCUSS, nobody could ask': {
    draft: qNoQuestions({ id: '1', name: 'One' }, 'no'),
    labels: ['try again', 'go on', 'stop'],
  },
  'Q-REVERT, commits of others': {
    draft: qRevert('1', { foreign: ['a'] }),
    labels: ['revert ours only', 'debugger', 'stop'],
  },
  'Q-REVERT, commits of phases that build on it': {
    draft: qRevert('1', { foreign: ['a'], builtOn: ['2', '3'] }),
    labels: ['revert ours only', 'debugger', 'leave', 'stop'],
  },
  'Q-REVERT, a conflict': {
    draft: qRevert('1', { conflict: ['a'] }),
    labels: ['retry', 'debugger', 'leave', 'stop'],
  },
  'Q-REVERT, something is left': {
    draft: qRevert('1', { left: ['a'] }),
    labels: ['retry', 'debugger', 'leave', 'stop'],
  },
}

test.each(Object.entries(drafts))('%s', (_, { draft, labels }) => {
  expect(draft.options.map(({ label }) => label)).toEqual(labels)
  expect(draft.options.filter(({ recommended }) => recommended)).toEqual([])
  expect(draft.options[safeOption(draft.options)]?.label).toBe('stop')
})

test('the breaker counts in words: one of something, or several', () => {
  const said = (value: number) => qBreaker('1', { reason: 'probe_failed', threshold: 3, value }, null).body[0]
  expect(said(1)).toBe('1 try after a pause failed too; the bound is 3.')
  expect(said(2)).toBe('2 tries after a pause failed too; the bound is 3.')
})

test('the breaker promises another wait only where there is one', () => {
  const said = (failed: number) =>
    qBreaker('1', { reason: 'probe_failed', threshold: 3, value: failed }, null, failed).body[1]
  expect([0, 1].map((failed) => said(failed)?.includes('it waits again'))).toEqual([true, true])
  expect(said(2)).toContain('if that comes to nothing too the run fails')
})

test('which phases: each with where it stands, and no row of ids that hides the answers', () => {
  const many = Array.from({ length: 200 }, (_, at) => ({
    ...open,
    id: String(at + 1),
    dependsOn: at === 4 ? ['1', '2'] : [],
  }))
  const { options, evidence } = pickQuestion(many)
  for (const { consequence } of options) expect(consequence.length).toBeLessThan(120)
  expect(options[0]?.consequence).toMatch(/^run 1, 2, .+, \.\. 200 \(200\)$/)
  const lines = evidence?.[0]?.lines ?? []
  expect(lines).toHaveLength(201)
  expect(lines[5]).toMatch(/^5 .+ +not started +- +1, 2$/)
})

test('what a rule left out is passed by nobody; what a person skipped is', () => {
  const skipped = (reason: string) =>
    decisionViews(
      withEvents(stateOf('failed'), '2026-01-01T00:00:00Z', [
        { event: 'phase_skipped', phase: '1', details: { reason } },
      ]),
    ).map(({ text, why }) => `${text}: ${why}`)
  expect(skipped('blocked_by_phase_3')).toEqual(['left out: blocked by phase 3'])
  expect(skipped('already_completed')).toEqual(['left out: already completed'])
  expect(skipped('skipped by a person')).toEqual(['skipped: skipped by a person'])
})

test('what each round of a failed phase told again is said once', () => {
  const issues = ['ORPHANED FILE: a.ts', 'the tests are red', 'ORPHANED FILE: a.ts']
  const state = withEvents(stateOf('failed'), '2026-01-01T00:00:00Z', [
    { event: 'phase_failed', phase: '1', details: { issues } },
  ])
  expect(qResume('1', state).body.slice(0, 3)).toEqual(['ORPHANED FILE: a.ts', 'the tests are red', ''])
})
