import { describe, expect, test } from 'vitest'
import type { MarkdownChange } from '../../../source/documents/compare-markdown.js'
import { deeperHistory } from '../../../source/project/snapshot/compare.js'
import {
  type Difference,
  type DifferenceKind,
  difference,
  type Trait,
} from '../../../source/project/snapshot/difference.js'
import { judge, verdictOn } from '../../../source/workflows/evidence/judge.js'
import type { JudgeFacts } from '../../../source/workflows/evidence/judging/verdict.js'
import { contracts } from '../../../source/workflows/harness/contracts.js'
import type { HarnessPersona } from '../../../source/workflows/harness/personas/personas.js'

// What every persona of the harness may change, kind by kind: `ok`, `noted`, or asked of `agent` or `either`.

const session = '.harness/sessions/seeds'
const plan = 'docs/plans/seeds-plan.md'
const spec = 'docs/seeds/proposal.md'

const planner = 'harness-planner'
const executor = 'harness-task-executor'
const verifier = 'harness-verifier'
const reviewer = 'harness-code-reviewer'
const all: readonly HarnessPersona[] = [planner, executor, verifier, reviewer]

interface Given {
  markdown?: MarkdownChange
  plain?: boolean
  committed?: string[]
}

function facts(persona: HarnessPersona, one: Difference, given: Given): JudgeFacts {
  const own = [plan]
  return {
    contract: contracts[persona],
    ground: {
      frozen: persona === planner ? [spec, 'docs/plans/earlier-plan.md'] : [spec, plan],
      planned: ['`src/box.js`', 'package.json', '.gitattributes', 'AGENTS.md', '.git/hooks/pre-commit'],
      places: {
        'its plan': own,
        'ticks in its plan': own,
        handoff: [`${session}/handoff.json`],
        scratchpad: [`${session}/scratchpad/`],
        'task state': [`${session}/state.json`],
        'session learnings': [`${session}/learnings.md`],
        'other documents': ['docs/'],
      },
    },
    beforehand: ['src/mine.js'],
    backendFiles: ['.claude/todos/'],
    markdown: given.markdown ? new Map([[one.id, given.markdown]]) : new Map(),
    plainAttributes: given.plain ? new Set([one.id]) : new Set(),
    committed: given.committed ?? [],
  }
}

function verdict(persona: HarnessPersona, one: Difference, given: Given = {}): string {
  const found = verdictOn(one, facts(persona, one, given))
  if (found.kind === 'asked') return found.by
  return found.kind === 'allowed' ? 'ok' : 'noted'
}

const made = (kind: DifferenceKind, name: string, change: Difference['change'], ...traits: Trait[]) =>
  difference({ kind, name, change, traits }, 'before', 'after')

/** Verdicts in the order planner, executor, verifier, reviewer. */
type Row = [what: string, one: Difference, verdicts: string, given?: Given]

const never = 'agent agent agent agent'
const always = 'noted noted noted noted'
const onBranch = () => made('ref', 'refs/heads/main', 'forward', 'current-branch')

const staged = { kind: 'index', name: 'src/box.js', change: 'changed', traits: ['staged'] } as const
const conflict = difference({ ...staged, traits: [...staged.traits] }, '100644 a', '100644 a 2;100644 b 3')

const rows: Row[] = [
  ['its plan', made('file', plan, 'added'), 'ok agent agent agent'],
  ['the plan laid out anew', made('file', plan, 'changed'), 'ok noted noted noted', { markdown: 'layout' }],
  ['boxes ticked in the plan', made('file', plan, 'changed'), 'ok ok noted noted', { markdown: 'ticks' }],
  ['other words in the plan', made('file', plan, 'changed'), 'ok agent agent agent', { markdown: 'content' }],
  ['other words in the spec', made('file', spec, 'changed'), never, { markdown: 'content' }],
  ['the spec as protected', made('protected', spec, 'changed', 'named'), never],
  ['boxes ticked in the spec', made('file', spec, 'changed'), always, { markdown: 'ticks' }],
  ['a project file', made('file', 'src/box.js', 'changed'), 'either ok either either'],
  ['a file of the person', made('file', 'src/mine.js', 'changed'), 'either either either either'],
  ['research below docs', made('file', 'docs/research/x.md', 'added'), 'noted ok either either'],
  ['a document that is gone', made('file', 'docs/research/x.md', 'removed'), 'either ok either either'],
  ['code below docs', made('file', 'docs/x.js', 'added'), 'either ok either either'],
  ['coverage', made('file', 'coverage/lcov.info', 'added'), 'noted ok noted noted'],
  ['an editor', made('file', 'src/.a.ts.swp', 'added'), 'noted ok noted noted'],
  ['a lock file', made('file', 'web/package-lock.json', 'changed'), 'noted ok noted noted'],
  ['todos of the program', made('file', '.claude/todos/1.json', 'added'), 'ok ok ok ok'],
  [
    'planned instructions',
    made('file', 'AGENTS.md', 'changed', 'instructions'),
    'either noted either either',
  ],
  ['other instructions', made('file', 'CLAUDE.md', 'changed', 'instructions'), 'either agent either either'],
  [
    'instructions laid out anew',
    made('protected', 'CLAUDE.md', 'changed', 'instructions'),
    'agent noted agent agent',
    { markdown: 'layout' },
  ],
  [
    'other words in instructions',
    made('protected', 'CLAUDE.md', 'changed', 'instructions'),
    never,
    { markdown: 'content' },
  ],
  ['attributes', made('file', '.gitattributes', 'added', 'attributes'), 'either agent either either'],
  [
    'attributes that start nothing',
    made('file', '.gitattributes', 'added', 'attributes'),
    'either noted either either',
    { plain: true },
  ],
  ['something staged', made('index', 'src/box.js', 'changed', 'staged'), 'agent ok agent agent'],
  ['what the person staged', made('index', 'src/mine.js', 'removed', 'unstaged'), never],
  ['a bit of the index', made('bits', 'src/box.js', 'added'), never],
  ['a bit that is gone', made('bits', 'src/box.js', 'removed'), never],
  ['a sparse checkout that grew', made('bits', 'far/a.js', 'removed', 'left-out'), always],
  ['a conflict in the index', conflict, never],
  ['a merge under way', made('protected', '.git/MERGE_HEAD', 'added', 'under-way'), never],
  ['a shallow boundary', made('ref', 'shallow', 'changed'), never],
  ['a history that is deeper', { ...made('ref', 'shallow', 'changed'), detail: deeperHistory }, always],
  ['a branch rebased beside', made('ref', 'refs/heads/x', 'changed', 'other-worktree', 'rebased'), always],
  ['a branch rewritten beside', made('ref', 'refs/heads/x', 'changed', 'other-worktree'), never],
  ['the state of an editor', made('file', '.idea/workspace.xml', 'added'), 'noted ok noted noted'],
  ['tasks for an editor', made('file', '.vscode/tasks.json', 'added'), 'either ok either either'],
  ['an ignored file', made('ignored', 'local.log', 'changed', 'unstored'), always],
  ['an ignored file of secrets', made('ignored', '.env', 'changed', 'secret-name'), never],
  ['an ignored file that is gone', made('ignored', 'local.ini', 'removed'), never],
  ['an ignored log that is gone', made('ignored', 'local.log', 'removed'), always],
  ['a swap file that is gone', made('ignored', 'src/.a.ts.swp', 'removed'), always],
  ['something hidden', made('hidden', 'src/x.js', 'added'), 'either noted either either'],
  ['commits on the branch', onBranch(), 'agent ok agent agent'],
  ['a commit of the plan', onBranch(), 'ok ok agent agent', { committed: [plan] }],
  ['a commit of plan and code', onBranch(), 'agent ok agent agent', { committed: [plan, 'src/box.js'] }],
  ['a rewritten branch', made('ref', 'refs/heads/main', 'changed', 'current-branch'), never],
  ['another branch checked out', made('ref', 'HEAD', 'changed'), never],
  [
    'a repository inside, back at an older commit',
    { ...made('ref', 'HEAD', 'changed', 'backward'), part: 'lib' },
    never,
  ],
  [
    'the same, as the plan says',
    { ...made('ref', 'HEAD', 'changed', 'backward'), part: 'src/box.js' },
    'agent noted agent agent',
  ],
  [
    'a repository inside, at another commit',
    { ...made('ref', 'HEAD', 'changed'), part: 'lib' },
    'agent noted agent agent',
  ],
  [
    'orders for agents in all projects',
    made('protected', '/home/me/.claude/CLAUDE.md', 'added', 'agent-home'),
    'either either either either',
  ],
  ['a new branch', made('ref', 'refs/heads/side', 'added'), 'agent noted agent agent'],
  ['a new tag', made('ref', 'refs/tags/v2', 'added'), 'agent noted agent agent'],
  ['a moved tag', made('ref', 'refs/tags/v1', 'changed'), never],
  ['a deleted tag', made('ref', 'refs/tags/v1', 'removed'), never],
  ['a replaced object', made('ref', 'refs/replace/abc', 'added'), never],
  ['a branch of another work tree', made('ref', 'refs/heads/other', 'forward', 'other-worktree'), always],
  ['another branch that moved on', made('ref', 'refs/heads/side', 'forward'), 'agent noted agent agent'],
  ['a new stash', made('stash', 'refs/stash', 'added'), 'agent noted agent agent'],
  ['a dropped stash', made('stash', 'refs/stash', 'removed'), never],
  ['a tag with the name of a branch', made('ref', 'refs/tags/main', 'added', 'ambiguous'), never],
  ['what put back keeps, gone', made('ref', 'refs/autopilot/kept/a/b', 'removed'), never],
  ['a filter', made('config', 'filter.x.clean', 'added'), never],
  ['a hook', made('protected', '.git/hooks/pre-commit', 'added', 'hook'), never],
  [
    'a planned script',
    made('protected', 'package.json#test', 'changed', 'command'),
    'agent noted agent agent',
  ],
  ['another script', made('protected', 'tools/check.mjs', 'changed', 'command'), never],
  ['the handoff', made('record', `${session}/handoff.json`, 'changed', 'own'), 'ok ok ok ok'],
  ['the scratchpad', made('record', `${session}/scratchpad/a.md`, 'added', 'own'), 'ok ok ok ok'],
  ['the task state', made('record', `${session}/state.json`, 'changed', 'own'), 'agent ok agent agent'],
  ['the state', made('record', `${session}/autopilot-state.json`, 'changed', 'own'), never],
  [
    'what was torn',
    made('record', `${session}/journal.torn-20261128T152822904Z-10bac3`, 'added', 'own'),
    always,
  ],
  ['a review', made('record', `${session}/phase-1-review.json`, 'added', 'own'), never],
  ['another session', made('record', '.harness/sessions/b/state.json', 'added', 'other-session'), never],
  ['a record of another tool', made('record', '.harness/x.json', 'changed', 'other-tool'), always],
  ['one that is gone', made('record', '.harness/x.json', 'removed', 'other-tool'), never],
]

describe('the contracts of the harness', () => {
  test.each(rows)('%s', (_what, one, verdicts, given) => {
    expect(all.map((persona) => verdict(persona, one, given)).join(' ')).toBe(verdicts)
  })
})

test('only what a check leaves by running something is put away; a file of another repository has its full name', () => {
  const product = made('file', 'coverage/lcov.info', 'added')
  const nested: Difference = { ...made('file', 'src/a.js', 'changed'), part: 'lib/other' }
  const found = judge([product, nested], facts(verifier, product, {}))
  expect(found.noted).toMatchObject([{ name: 'coverage/lcov.info', putAway: true }])
  expect(found.asked).toMatchObject([{ name: 'lib/other/src/a.js', by: 'either' }])
})

test('a draft beside a file of its own is its own; beside another one it is not', () => {
  const added = (name: string, kind: DifferenceKind = 'record') =>
    difference({ kind, name, change: 'added', traits: [] }, undefined, 'x')
  expect(verdict(verifier, added(`${session}/handoff.json.123.tmp`))).toBe('ok')
  expect(verdict(planner, added(`${plan}.123.draft`, 'file'))).toBe('ok')
  expect(verdict(verifier, added(`${plan}.123.draft`, 'file'))).toBe('either')
  expect(verdict(executor, added(`${session}/autopilot-state.json.tmp`))).toBe('agent')
  expect(verdict(executor, added(`${session}/handoff.json.d/x`))).toBe('agent')
})

test('marks of the program come and go beside a dispatch, and its branches grow; they are not rewritten', () => {
  const withOwn = (one: Difference) => {
    const known = facts(verifier, one, {})
    const ownRefs = ['refs/tags/autopilot-checkpoint-', 'refs/heads/autopilot/']
    const found = verdictOn(one, { ...known, ground: { ...known.ground, ownRefs } })
    return found.kind === 'asked' ? found.by : found.kind
  }
  const [tag, part] = ['refs/tags/autopilot-checkpoint-2-02-01', 'refs/heads/autopilot/2b']
  for (const change of ['added', 'removed', 'changed'] as const)
    expect(withOwn(made('ref', tag, change))).toBe('allowed')
  expect(withOwn(made('ref', part, 'added'))).toBe('allowed')
  expect(withOwn(made('ref', part, 'forward'))).toBe('allowed')
  expect(withOwn(made('ref', part, 'changed'))).toBe('agent')
  expect(withOwn(made('ref', part, 'removed'))).toBe('agent')
  expect(withOwn(made('ref', 'refs/tags/v2', 'added'))).toBe('agent')
  expect(withOwn(made('ref', part, 'forward', 'current-branch'))).toBe('agent')
})

test.each([
  ['/home/me/.claude/agents/a.md', 'agent-home', 'agents take orders from it in all your projects'],
  ['/home/me/.bashrc', 'startup', 'your shells, services or builds execute it'],
  ['/home/me/.config/autopilot/config.json', 'own-settings', 'your own settings of autopilot'],
  ['/home/me/.gitconfig', 'user-settings', 'your own settings of git'],
] as const)('why a file of the person is asked about: %s', (name, trait, why) => {
  const one = made('protected', name, 'changed', trait)
  expect(verdictOn(one, facts(executor, one, {}))).toMatchObject({ why: expect.stringContaining(why) })
})
