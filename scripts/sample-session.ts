import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSession } from '../source/sessions/open-session.js'
import {
  freshFinalReview,
  freshRetryBudget,
  type HarnessState,
} from '../source/workflows/harness/state/state.js'
import { harnessWorkflow } from '../source/workflows/harness/workflow.js'

// node sample-session.mjs <root> <facts>: a project with one session whose journal has as many facts.

const [root = '', number = ''] = process.argv.slice(2)
const facts = Number(number)
const subject = 'docs/changes/long/proposal.md'

const state = (round: number): HarnessState => ({
  schemaVersion: 5,
  sessionDir: place.sessionDir,
  specPath: subject,
  startingCommit: '0'.repeat(40),
  reviewPlans: false,
  rigorLevel: 'standard',
  currentState: 'EXECUTE',
  currentPhase: 3,
  awaitingInteractivePlan: false,
  phases: Array.from({ length: 30 }, (_, index) => ({
    name: `Phase of the work ${index + 1}`,
    complexity: 'low' as const,
    complexityOverride: null,
    planPath: null,
    status: index < 3 ? ('complete' as const) : ('pending' as const),
  })),
  retryBudget: freshRetryBudget,
  history: [],
  decisions: [{ phase: 0, decision: `round ${round}`, timestamp: '2030-01-01T00:00:00Z' }],
  finalReview: freshFinalReview,
})

await mkdir(join(root, '.git'), { recursive: true })
await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
const place = harnessWorkflow.place(subject)
const opened = await openSession({ root, workflow: harnessWorkflow, place }, async () => 'quit')
if (opened.kind !== 'ready') throw new Error('the session was not opened')
const { store } = opened
await store.append({ type: 'opened', version: 'bench', pid: process.pid, runId: 'bench' })
await store.append({ type: 'visit', visit: 1, state: 'EXECUTE', workflow: 'harness', revision: 1 })
const passing = { type: 'transition', visit: 1, from: 'EXECUTE', to: 'EXECUTE' } as const
for (let round = 0; round < facts; round += 1) {
  if (round % 120 === 0) await store.saveImage(passing, state(round))
  else await store.append({ type: 'step', visit: 1, key: `step-${round}`, result: { said: 'x'.repeat(200) } })
}
await store.close()
