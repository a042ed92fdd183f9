import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAgents } from '../source/agents/pool.js'
import { loadConfig } from '../source/project/config.js'
import { openSession } from '../source/sessions/open-session.js'
import { runSession } from '../source/sessions/run-session.js'
import type { Ui } from '../source/ui/ui.js'
import { personas } from '../source/workflows/harness/personas/personas.js'
import { sessionsDir } from '../source/workflows/harness/places.js'
import {
  freshFinalReview,
  freshRetryBudget,
  type HarnessState,
} from '../source/workflows/harness/state/state.js'
import { harnessWorkflow } from '../source/workflows/harness/workflow.js'

// node resume-driver.mjs make <root> <new|old>: a project with a spec of 40 phases; `old` has a session that is in the last of
// them. node resume-driver.mjs start <root>: opens the session and prints the milliseconds until its first agent begins.

const [what = '', root = '', kind = ''] = process.argv.slice(2)
const subject = 'docs/changes/long/proposal.md'
const count = 40
const place = harnessWorkflow.place(subject)
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

async function make(): Promise<void> {
  mkdirSync(root, { recursive: true })
  const phases = Array.from(
    { length: count },
    (_, index) =>
      `### Phase ${index + 1}: Part ${index + 1}\n\n<!-- complexity: low -->\n\nWhat it is about.\n`,
  )
  write(subject, `# Long\n\n## Implementation Order\n\n${phases.join('\n')}`)
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@example.invalid')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  if (kind === 'old') await makeSession()
}

async function makeSession(): Promise<void> {
  const head = git('rev-parse', 'HEAD')
  const plan = `# Plan\n\n${Array.from({ length: 8 }, (_, index) => `### Task ${index + 1}: step\n\nDo it.\n`).join('\n')}`
  const phases = Array.from({ length: count }, (_, index) => {
    const over = index < count - 1
    const planPath = `docs/plans/part-${index + 1}-plan.md`
    if (over) write(planPath, plan)
    if (over) write(`${place.sessionDir}/phase-${index + 1}-review.json`, '[]\n')
    return {
      name: `Part ${index + 1}`,
      complexity: 'low' as const,
      complexityOverride: null,
      planPath: over ? planPath : null,
      status: over ? ('complete' as const) : ('pending' as const),
      ...(over ? { startCommit: head, endCommit: head, startedAt: '2030-01-01T00:00:00.000Z' } : {}),
    }
  })
  const state: HarnessState = {
    schemaVersion: 5,
    sessionDir: place.sessionDir,
    specPath: subject,
    startingCommit: head,
    reviewPlans: false,
    rigorLevel: 'standard',
    currentState: 'ASSESS',
    currentPhase: count - 1,
    awaitingInteractivePlan: false,
    phases,
    retryBudget: freshRetryBudget,
    history: [],
    decisions: [],
    finalReview: freshFinalReview,
  }
  const opened = await openSession({ root, workflow: harnessWorkflow, place }, async () => 'quit')
  if (opened.kind !== 'ready') throw new Error('the session was not opened')
  const { store } = opened
  await store.append({ type: 'opened', version: 'bench', pid: process.pid, runId: 'bench' })
  // As many facts as forty phases leave behind.
  for (let visit = 1; visit <= count * 7; visit += 1) {
    await store.append({ type: 'visit', visit, state: 'ASSESS', workflow: 'harness', revision: 1 })
    for (let step = 0; step < 10; step += 1)
      await store.append({ type: 'step', visit, key: `step-${step}`, result: { said: 'x'.repeat(200) } })
    await store.saveImage({ type: 'transition', visit, from: 'ASSESS', to: 'ASSESS' }, state)
  }
  await store.close()
}

async function start(): Promise<void> {
  const began = performance.now()
  const ui: Ui = {
    choose: async () => ({ kind: 'quit' }),
    ask: async () => 'quit',
    watch(store) {
      store.subscribe(() => {
        if (store.getSnapshot().panes.every(({ status }) => status !== 'running')) return
        process.stdout.write(`${performance.now() - began}\n`)
        process.exit(0)
      })
    },
    busy: () => undefined,
    done: async () => undefined,
    onQuit: () => () => undefined,
    interrupt: () => undefined,
    finish: async () => undefined,
  }
  const session = { root, workflow: harnessWorkflow, place }
  const opened = await openSession(session, (question, header) => ui.ask(question, header))
  if (opened.kind !== 'ready') throw new Error(`the session was not opened: ${JSON.stringify(opened)}`)
  const config = await loadConfig(root)
  await runSession({
    ...session,
    subject,
    flags: {},
    config,
    ownPaths: [sessionsDir],
    programs: [],
    agents: openAgents({ agentOption: 'command:sleep 600', config, personas: Object.keys(personas) }),
    store: opened.store,
    trusted: true,
    goOn: '',
    notices: [],
    ui,
  })
}

await (what === 'make' ? make() : start())
