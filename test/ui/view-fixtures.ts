import type { RunControls, RunSnapshot } from '../../source/view/view.js'
import { snapshotOf } from './fixtures.js'

/** What a run says of itself when every view has something to show. */
export function filledSnapshot(change: Partial<RunSnapshot> = {}): RunSnapshot {
  const base = snapshotOf(change)
  const badge = (text: string, tone: 'good' | 'plain' | 'warn' = 'good') => ({ text, tone })
  return {
    ...base,
    panes: base.panes.map((pane) => ({ ...pane, logPath: `.harness/logs/${pane.id}.log` })),
    phaseWork: new Map([
      ['1', 300_000],
      ['2', 425_000],
    ]),
    history: {
      samples: [
        { workMs: 900_000, tokens: 90_000, usd: 0.9 },
        { workMs: 1_500_000, tokens: 150_000, usd: 1.6 },
      ],
      sessions: 1,
    },
    view: {
      ...base.view,
      budgets: [
        { scope: 'run', name: 'usd', limit: 2 },
        { scope: 'phase', name: 'tokens', limit: 100_000, phase: '2' },
      ],
      documents: [
        {
          id: 'plan',
          kind: 'plan',
          title: 'plan of phase 2',
          path: 'docs/plans/2030-04-03-mail-rules-plan.md',
        },
        { id: 'spec', kind: 'plan', title: 'spec', path: 'docs/specs/mail-rules.md' },
        { id: 'diff', kind: 'diff', title: 'changes since phase 2 began', since: 'abcdef0123456789' },
      ],
      findings: [
        {
          phase: '1',
          severity: 'blocking',
          tone: 'bad',
          file: 'src/rules.ts',
          line: '120-133',
          title: 'Rules of other users can be read',
          rationale:
            'The query has no owner in it, so that anybody who knows an id gets the rule with all of its words.',
          fate: 'overridden',
        },
        { phase: '2', severity: 'note', tone: 'plain', file: 'src/store.ts', title: 'An unused import' },
      ],
      decisions: [
        { at: '2030-04-03T09:02:00.000Z', phase: '1', text: 'approved plan' },
        {
          at: '2030-04-03T09:12:00.000Z',
          phase: '1',
          text: 'overridden review',
          why: 'The service has one user only, and the query gets its owner in phase 3.',
        },
      ],
      work: [
        {
          phase: '1',
          facts: [badge('shown', 'plain'), badge('tested')],
          lines: ['tests: npm test passed: 12 executed'],
        },
        { phase: '1', task: 'Task 1', facts: [badge('shown', 'plain'), badge('verified')], lines: [] },
        { phase: '2', facts: [], lines: [] },
        { phase: '2', task: 'Task 2', facts: [badge('claimed', 'warn')], lines: [] },
      ],
    },
  }
}

const plan = `# Mail rules

Goal: rules are **kept** and \`applied\`.

## Tasks

### Task 1: Table and migration

- [x] write the test
- [ ] write the code that makes it pass, and say in the change log what a person notices of it when the program is started anew
  1. with a number
> Quoted words.

\`\`\`js
# no heading
export const rules = []
\`\`\`

| Name | Kind |
|---|---|
| one | mail |
`.split('\n')

const diff = `diff --git a/src/rules.ts b/src/rules.ts
index 1234567..89abcde 100644
--- a/src/rules.ts
+++ b/src/rules.ts
@@ -1,3 +1,4 @@
 import { store } from './store'
-export const rules = []
+export const rules = store.rules()
+// --- no head of a file
 
diff --git a/test/new.test.ts b/test/new.test.ts
new file, not committed yet
--- /dev/null
+++ test/new.test.ts
@@ -0,0 +1,1 @@
+test('rules', () => {})`.split('\n')

const log = Array.from({ length: 200 }, (_, index) => `> line ${index + 1} of the log`)

/** Reads what the views ask for; `asked` holds the ids, in order. */
export function readingControls<Controls extends RunControls>(
  controls: Controls,
): Controls & { asked: string[] } {
  const asked: string[] = []
  return {
    ...controls,
    asked,
    readLog: async (path, part = 2) => {
      asked.push(`${path} ${part}`)
      return { lines: log.map((text) => `${text}, part ${part}`), part, parts: 3 }
    },
    readEvidence: async ({ id, kind }) => {
      asked.push(id)
      return kind === 'plan' ? (id === 'plan' ? plan : ['# Spec']) : kind === 'diff' ? diff : log
    },
  }
}
