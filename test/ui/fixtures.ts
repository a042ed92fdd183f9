import type { StartData } from '../../source/ui/contract.js'
import { plainFact } from '../../source/view/facts.js'
import { createLineRing, type Pane, type PaneLine } from '../../source/view/panes.js'
import type { ListEditor, ListItem, Question, QuestionOption } from '../../source/view/question.js'
import type { RunControls, RunSnapshot, RunStore } from '../../source/view/view.js'

export const startOfRun = Date.UTC(2030, 3, 3, 9, 0, 0)

const stop: QuestionOption = {
  value: 'stop',
  label: 'stop',
  consequence: 'saves the state and ends; the question is asked again',
  stops: true,
}

function option(label: string, consequence: string, extra: Partial<QuestionOption> = {}): QuestionOption {
  return { value: label, label, consequence, ...extra }
}

const phases: ListItem[] = [
  { id: '1', name: 'Storage layer', choice: 'low', line: 42 },
  { id: '2', name: 'Mail rules and their editor', choice: 'high', line: 58 },
  { id: '3', name: 'Import of old rules (deferred)', choice: 'medium', line: 71 },
]

const choice: ListEditor['choice'] = {
  label: 'complexity',
  values: ['low', 'medium', 'high'],
  default: 'medium',
}

type Draft = Pick<Question, 'gate' | 'title' | 'body' | 'options' | 'list'>

const note = { label: 'What should be different?', required: true }
const fixNote = { label: 'What is wrong?', required: true }
const rationale = { label: 'Why is this acceptable?', required: true }

/** Every question of docs/harness.md, "Questions", with its labels. */
const drafts: Draft[] = [
  {
    gate: 'Q-SPEC',
    title: 'Which spec?',
    body: ['No spec was given and no session is unfinished.'],
    options: [
      option('path', 'takes the spec at the path you type', {
        text: { label: 'Path of the spec', required: true },
      }),
      option('quit', 'nothing is changed', { stops: true }),
    ],
  },
  {
    gate: 'Q-DONE',
    title: 'This session is finished',
    body: ['Mail rules: 3 phases, 14 tasks, 2 retries', 'Final review passed, 1 finding overridden'],
    options: [
      option('archive and start fresh', 'moves the session to .harness/archive'),
      option('close', 'nothing is changed', { safe: true, stops: true }),
    ],
  },
  {
    gate: 'Q-READING',
    title: 'Are these the phases?',
    body: [
      'Read as headings from "Implementation plan" (line 40)',
      'line 42  1: Storage layer (low)',
      'line 58  2: Mail rules and their editor (high)',
      'line 71  3: Import of old rules (deferred) (medium)',
      'Not used: line 90 "Later ideas"',
    ],
    options: [
      option('use these phases', 'records the reading and starts with phase 1', { safe: true }),
      option('edit the list', 'rename, drop, merge, set complexity', { edits: true }),
      stop,
    ],
    list: { kind: 'reading', items: phases, choice },
  },
  {
    gate: 'Q-INTERACTIVE',
    title: 'Phase 2 needs a plan that you make with the planner',
    body: ['Complexity: high', 'Expected at docs/plans/2030-04-03-mail-rules-plan.md'],
    options: [
      option('check again', 'looks for the plan file', { safe: true }),
      option('choose plan file', 'takes the plan at the path you type', {
        text: { label: 'Path of the plan', required: true },
      }),
      stop,
    ],
  },
  {
    gate: 'Q-SKELETON',
    title: 'Skeleton of the plan for phase 2',
    body: ['Task 1: schema', 'Task 2: rule parser', 'Task 3: editor'],
    options: [
      option('approve', 'the planner writes the whole plan'),
      option('revise', 'the planner gets your note', { text: note }),
      stop,
    ],
  },
  {
    gate: 'Q-APPROVE',
    title: 'Pausing for review -- Phase 2: Mail rules and their editor',
    body: [
      'Review mode: auto',
      'Complexity: high (triggered)',
      'Planner concerns: 2 concerns (triggered)',
      'Tasks: 18 (threshold: 15) (triggered)',
      'Plan: docs/plans/2030-04-03-mail-rules-plan.md, about 54 minutes',
    ],
    options: [
      option('yes', 'the plan is carried out'),
      option('revise', 'you edit the plan file, then this is asked again'),
      option('skip phase', 'the phase is left out'),
      stop,
    ],
  },
  {
    gate: 'human-verify',
    title: 'Please verify: Task 4',
    body: ['Open the editor, add a rule and reload the page. Is the rule still there?'],
    options: [
      option('confirm', 'commits and goes on', { safe: true }),
      option('reject', 'your note becomes an order to fix', { text: fixNote }),
      stop,
    ],
  },
  {
    gate: 'decision',
    title: 'Please decide: Task 5',
    body: ['How are rules stored?'],
    options: [
      option('SQLite with write-ahead log, one table per kind of rule', 'the executor gets this answer'),
      option('One JSON file', 'the executor gets this answer'),
      option('something else', 'the executor gets your text', {
        text: { label: 'Your decision', required: true },
      }),
      stop,
    ],
  },
  {
    gate: 'human-action',
    title: 'Please do this: Task 6',
    body: ['Create an application password for the test mailbox and put it into .env as MAIL_PASSWORD.'],
    options: [option('done', 'the executor goes on'), stop],
  },
  {
    gate: 'Q-RETRY',
    title: 'Task 3 failed 3 times after its first failure',
    body: [
      'Attempt 1: TypeError: rule.match is not a function',
      'Attempt 2: expected 3 rules, got 2',
      'Attempt 3: expected 3 rules, got 2',
    ],
    options: [
      option('fix manually and continue', 'a fresh budget, from this task'),
      option('revise plan', 'back to the plan gate'),
      stop,
    ],
  },
  {
    gate: 'Q-TWOFAIL',
    title: 'Two phases in a row failed',
    body: ['The spec may be unclear.'],
    options: [
      option('review the spec', 'stops; start again when the spec is better', {
        stops: true,
        safe: true,
      }),
      option('continue', 'goes on with this phase'),
    ],
  },
  {
    gate: 'Q-VERIFY',
    title: 'Verification failed',
    body: ['Gap: rules are not applied to drafts', 'Gap: no test for the import'],
    options: [
      option('fix', 'the executor gets the gaps, then verification again', { recommended: true }),
      option('skip verification', 'goes to the review with a warning'),
      stop,
    ],
  },
  {
    gate: 'Q-VALIDATE',
    title: 'No validate command',
    body: ['`harness validate` is not installed and no command is configured.'],
    options: [
      option('run verifier instead', 'dispatches the verifier', { safe: true }),
      option('skip verification', 'goes to the review with a warning'),
      stop,
    ],
  },
  {
    gate: 'Q-REVIEW',
    title: 'The review found 1 blocking finding',
    body: [
      'blocking  src/rules.ts:120  rules of other users can be read',
      'warning   src/rules.ts:8  unused import',
    ],
    options: [
      option('fix', 'the executor gets the findings', { recommended: true }),
      option('override', 'recorded with your reason', { text: rationale }),
      stop,
    ],
  },
  {
    gate: 'Q-NEXT',
    title: 'Phase 1 is complete. Go on with phase 2?',
    body: [
      'Tasks: 5, retries: 1, verification: pass',
      'Findings: 0 blocking, 1 warning, 2 notes',
      'Elapsed: 12m 5s',
    ],
    options: [option('yes', 'starts phase 2: Mail rules and their editor', { safe: true }), stop],
  },
  {
    gate: 'Q-FINAL',
    title: 'The final review found 2 blocking findings',
    body: ['blocking  src/a.ts:1  first', 'blocking  src/b.ts:2  second'],
    options: [
      option('fix', 'fix cycle 2 of 3', { recommended: true }),
      option('override', 'recorded with your reason', { text: rationale }),
      stop,
    ],
  },
  {
    gate: 'Q-FINAL-LIMIT',
    title: 'Three fix cycles did not settle the final review',
    body: ['See .harness/failures.md'],
    options: [option('fix manually and continue', 'the final review runs again'), stop],
  },
  {
    gate: 'Q-PR',
    title: 'Open a pull request?',
    body: ['9 commits on mail-rules'],
    options: [option('yes', 'title and text from the commits'), option('no', 'nothing is opened')],
  },
  {
    gate: 'Q-AGENT',
    title: 'harness-planner gave no result that can be read',
    body: ['result.planPath: expected string', 'Log: .harness/sessions/mail-rules/logs/planner-1.log'],
    options: [
      option('retry the step', 'dispatches the planner again', { safe: true }),
      option('choose plan file', 'takes the plan at the path you type', {
        text: { label: 'Path of the plan', required: true },
      }),
      stop,
    ],
  },
  {
    gate: 'Q-COMMIT',
    title: 'The commit was refused by a hook',
    body: ['pre-commit: 2 files are not formatted'],
    options: [
      option('retry', 'commits again', { safe: true }),
      option('commit without hooks', 'passes --no-verify'),
      option('leave uncommitted', 'goes on without this commit'),
      stop,
    ],
  },
  {
    gate: 'Q-DIRTY',
    title: 'Changes from before the run',
    body: ['src/mail.ts', 'notes.txt'],
    options: [
      option('include', 'they become part of the checkpoint commits'),
      option('leave out', 'they stay as they are', { safe: true }),
      stop,
    ],
  },
  {
    gate: 'Q-TOUCHED',
    title: 'harness-verifier changed what it was not to change',
    body: [
      'During: Verify Phase 1: Plant list (harness-verifier).',
      '',
      'docs/changes/watering-plan/proposal.md (changed): it was approved as it was, and work is judged by it',
    ],
    options: [
      option('put back', 'exactly these, as they were before; what is there now is kept aside', {
        recommended: true,
      }),
      option(
        'put back, and the same for the rest of this run',
        'what such an agent leaves is put back unasked from now on',
      ),
      option('mine, keep', 'it stays; nothing is held against the agent'),
      option('accept', 'it stays; that you let it pass is recorded with the list'),
      stop,
    ],
  },
  {
    gate: 'Q-ROADMAP',
    title: 'Update the roadmap?',
    body: ['- **Status:** in-progress', '+ **Status:** done'],
    options: [option('yes', 'writes docs/roadmap.md', { safe: true }), option('no', 'leaves it as it is')],
  },
  {
    gate: 'Q-ORDER',
    title: 'Open phases',
    body: ['Completed phases are not listed.'],
    options: [
      option('change the order', 'move, skip', { edits: true }),
      option('leave as it is', 'nothing is changed', { safe: true }),
    ],
    list: { kind: 'order', items: phases.slice(1), choice },
  },
]

export const questions: Question[] = drafts.map((draft) => ({
  ...draft,
  id: `visit-1/${draft.gate}`,
  askedAt: '2030-04-03T09:12:00.000Z',
}))

export function questionOf(gate: string): Question {
  const question = questions.find((one) => one.gate === gate)
  if (!question) throw new Error(`no fixture for ${gate}`)
  return question
}

export function pane(
  id: string,
  title: string,
  status: Pane['status'],
  lines: PaneLine[],
  more: Partial<Pane> = {},
): Pane {
  const ring = createLineRing()
  for (const entry of lines) ring.push(entry)
  return {
    id,
    persona: 'harness-planner',
    title,
    status,
    attempt: 1,
    startedAt: startOfRun,
    lines: ring,
    ...more,
  }
}

const plannerLines: PaneLine[] = [
  { kind: 'text', text: 'Reading the spec.' },
  { kind: 'tool', text: 'Read docs/specs/mail-rules.md' },
  { kind: 'note', text: 'plan written: docs/plans/2030-04-03-storage-plan.md' },
]

const executorLines: PaneLine[] = [
  { kind: 'text', text: 'Starting with Task 1.' },
  {
    kind: 'thinking',
    text: 'The store needs a migration before the table can be used, so that comes first; then the reader.',
  },
  {
    kind: 'tool',
    text: 'Edit source/store.ts',
    call: ' 1',
    folded: [
      { kind: 'tool', text: '-export const rules = []', as: 'diff' },
      { kind: 'tool', text: '+export const rules = store.rules()', as: 'diff' },
    ],
  },
  { kind: 'tool', text: 'Edit source/store.ts ok', call: ' 1', outcome: 'ok' },
  { kind: 'tool', text: 'Run npm test', call: ' 2' },
  {
    kind: 'error',
    text: 'Run npm test failed',
    call: ' 2',
    outcome: 'failed',
    folded: [
      { kind: 'log', text: '> mail@1.0.0 test' },
      { kind: 'log', text: '> vitest run' },
      { kind: 'log', text: '12 passing' },
      { kind: 'log', text: '1 failing: store keeps the order of rules' },
      { kind: 'log', text: '  expected [2, 1] to equal [1, 2]' },
    ],
  },
  { kind: 'log', text: 'stderr: deprecated option' },
  { kind: 'text', text: 'Fixing the order with a position column. 日本語のメールも正しく並びます。' },
]

export function snapshotOf(change: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    view: {
      workflow: 'harness',
      subject: 'docs/specs/mail-rules.md',
      title: 'Mail rules',
      session: 'docs--specs--mail-rules',
      facts: [plainFact('standard')],
      state: 'EXECUTE',
      phases: [
        { id: '1', name: 'Storage layer', status: 'complete', facts: [plainFact('low')] },
        {
          id: '2',
          name: 'Mail rules and their editor',
          status: 'in-progress',
          facts: [plainFact('low -> medium')],
        },
        { id: '3', name: 'Import of old rules', status: 'pending', facts: [plainFact('medium')] },
        { id: '4', name: 'Clean-up', status: 'skipped', facts: [plainFact('low')] },
      ],
      currentPhase: '2',
      steps: [
        { id: 'ASSESS', name: 'ASSESS', status: 'done' },
        { id: 'PLAN', name: 'PLAN', status: 'done' },
        { id: 'APPROVE_PLAN', name: 'APPROVE_PLAN', status: 'done' },
        { id: 'EXECUTE', name: 'EXECUTE', status: 'current' },
        { id: 'VERIFY', name: 'VERIFY', status: 'todo' },
        { id: 'REVIEW', name: 'REVIEW', status: 'todo' },
        { id: 'PHASE_COMPLETE', name: 'PHASE_COMPLETE', status: 'todo' },
      ],
      interludes: [{ id: 'reorder', label: 'reorder or skip open phases', hint: 'reorder' }],
    },
    status: 'running',
    tasks: [
      { id: 'Task 1', title: 'Table and migration', status: 'complete', retries: 0, facts: [] },
      {
        id: 'Task 2',
        title: 'Reader that keeps the order of all rules',
        status: 'in_progress',
        retries: 2,
        facts: [],
      },
      { id: 'Task 3', title: 'Editor', status: 'pending', retries: 0, facts: [plainFact('human-verify')] },
      { id: 'Task 4', title: 'Import', status: 'failed', retries: 3, facts: [] },
    ],
    panes: [
      pane('p1', 'Plan phase 2', 'ok', plannerLines, { endedAt: startOfRun + 62_000 }),
      pane('p2', 'Execute phase 2', 'running', executorLines, {
        persona: 'harness-task-executor',
        attempt: 2,
        usage: { inputTokens: 82_400, outputTokens: 6_100 },
      }),
    ],
    paneRevision: 1,
    timeline: [
      { at: '2030-04-03T09:00:00.000Z', text: 'ASSESS phase 1', kind: 'state' },
      { at: '2030-04-03T09:01:00.000Z', text: 'harness-planner ok', kind: 'agent' },
      { at: '2030-04-03T09:02:00.000Z', text: 'Q-APPROVE answered: yes', kind: 'gate' },
      { at: '2030-04-03T09:05:00.000Z', text: '[autopilot] Checkpoint 1: table', kind: 'commit' },
      { at: '2030-04-03T09:06:00.000Z', text: 'flags are ignored on resume', kind: 'warning' },
    ],
    times: { workMs: 725_000, waitingMs: 0, awayMs: 0 },
    timesAt: startOfRun + 725_000,
    branch: 'mail-rules',
    agent: 'command: node agent.js',
    usage: { inputTokens: 120_400, outputTokens: 8_100, usd: 1.234 },
    phaseUsage: new Map([
      ['1', { inputTokens: 38_000, outputTokens: 2_000, usd: 0.404 }],
      ['2', { inputTokens: 82_400, outputTokens: 6_100, usd: 0.83 }],
    ]),
    recap: [],
    reports: ['Auto-approved Phase 1: Storage layer\nReview mode: auto\nComplexity: low (no override)'],
    ...change,
  }
}

/** Three agents that work at once, for three phases, after one that has ended. */
export function threeAgents(): Partial<RunSnapshot> {
  const working = (id: string, phase: string, title: string, persona: string) =>
    pane(
      id,
      title,
      'running',
      Array.from({ length: 30 }, (_, index) => ({ kind: 'text' as const, text: `${id} line ${index}` })),
      { phase, persona },
    )
  const view: RunSnapshot['view'] = {
    ...snapshotOf().view,
    workflow: 'tiny',
    phases: [
      { id: '01', label: '1', name: 'Schema', status: 'complete', facts: [] },
      { id: '02.1', name: 'Reader', status: 'in-progress', facts: [plainFact('wave 1')] },
      { id: '02.2', name: 'Writer of long names', status: 'in-progress', facts: [plainFact('wave 1')] },
      { id: '12A', name: 'Import', status: 'failed', facts: [plainFact('wave 1')] },
      { id: '13', name: 'Release', status: 'waiting', facts: [] },
    ],
    currentPhase: '02.1',
    interludes: [],
  }
  return {
    view,
    panes: [
      pane('plan', 'Plan the schema', 'ok', plannerLines, { endedAt: startOfRun + 62_000, phase: '01' }),
      working('p1', '02.1', 'Execute the reader', 'executor'),
      working('p2', '02.2', 'Execute the writer of long names', 'executor'),
      working('p3', '12A', 'Check the import', 'verifier'),
    ],
    phaseUsage: new Map([['02.1', { inputTokens: 900, outputTokens: 50 }]]),
  }
}

/** A store that tests change by hand. */
export function createTestStore(first: RunSnapshot): RunStore & { set(change: Partial<RunSnapshot>): void } {
  const listeners = new Set<() => void>()
  let snapshot = first
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(change) {
      snapshot = { ...snapshot, ...change }
      for (const listener of listeners) listener()
    },
  }
}

export interface RecordedControls extends RunControls {
  calls: string[]
  answers: { id: string; answer: unknown }[]
}

export function recordControls(): RecordedControls {
  const calls: string[] = []
  const answers: { id: string; answer: unknown }[] = []
  return {
    calls,
    answers,
    answer(id, answer) {
      answers.push({ id, answer })
      return true
    },
    toggleHold: () => void calls.push('hold'),
    stop: () => void calls.push('stop'),
    interlude: (id) => void calls.push(id),
    suspend: (paneId) => void calls.push(['suspend', paneId].filter(Boolean).join(' ')),
    say(text, paneId) {
      calls.push([`say ${text}`, paneId].filter(Boolean).join(' to '))
      return 'sent'
    },
    interrupt(paneId) {
      calls.push(['interrupt', paneId].filter(Boolean).join(' '))
      return true
    },
  }
}

/** A gate with something to read before it is answered. */
export const withEvidence: Question = {
  ...questionOf('Q-APPROVE'),
  evidence: [
    {
      id: 'plan',
      kind: 'plan',
      title: 'The plan',
      path: 'docs/plans/2030-04-03-mail-rules-plan.md',
      lines: Array.from({ length: 90 }, (_, index) => `step ${index + 1}`),
    },
    {
      id: 'diff',
      kind: 'diff',
      title: 'What changed',
      lines: ['@@ -1 +1 @@', '-old', '+new \u001b[2J'],
    },
    { id: 'log', kind: 'log', title: 'Log of the planner', path: 'logs/planner.log' },
  ],
}

export const startData: StartData = {
  project: '/home/ada/mail',
  notices: ['1 session is open in another terminal'],
  lookedFor: ['Specs: Markdown files below docs/ that list phases.'],
  sessions: [
    {
      workflow: 'harness',
      key: 'harness/docs--specs--mail-rules',
      session: 'docs--specs--mail-rules',
      subject: 'docs/specs/mail-rules.md',
      state: 'APPROVE_PLAN',
      phase: { id: '2', number: 2, total: 4, name: 'Mail rules' },
      progress: { phasesComplete: 1, phasesTotal: 4, tasksComplete: 5, tasksTotal: 9 },
      lastActive: '2h ago',
      live: true,
      finished: false,
      question: {
        title: 'Pausing for review -- Phase 2: Mail rules',
        body: ['Complexity: high (triggered)', 'Planner concerns: 2 concerns (triggered)'],
      },
    },
    {
      workflow: 'harness',
      key: 'harness/docs--specs--search',
      session: 'docs--specs--search',
      subject: 'docs/specs/search.md',
      state: 'EXECUTE',
      phase: { id: '1', number: 1, total: 2, name: 'Index' },
      progress: { phasesComplete: 0, phasesTotal: 2, tasksComplete: 0, tasksTotal: 4 },
      lastActive: '3d ago',
      live: false,
      question: null,
      finished: false,
    },
    {
      workflow: 'harness',
      key: 'harness/docs--specs--login',
      session: 'docs--specs--login',
      subject: 'docs/specs/login.md',
      state: 'DONE',
      phase: { id: '3', number: 3, total: 3, name: '' },
      progress: { phasesComplete: 3, phasesTotal: 3, tasksComplete: 0, tasksTotal: 0 },
      lastActive: '9d ago',
      live: false,
      question: null,
      finished: true,
    },
  ],
  candidates: [
    {
      workflow: 'harness',
      subject: 'docs/specs/calendar.md',
      title: 'Calendar',
      size: '3 phases',
      detail: '3 phases, reading: literal',
    },
    {
      workflow: 'harness',
      subject: 'docs/specs/contacts.md',
      title: 'Contacts',
      size: '1 phase',
      detail: '1 phase, reading: bold',
    },
  ],
}
