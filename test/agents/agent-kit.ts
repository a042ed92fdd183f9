import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { AgentEvent, AgentTask, Backend } from '../../source/agents/agent.js'
import { commandBackend } from '../../source/agents/backends/command.js'
import { dispatchAgent } from '../../source/agents/dispatch.js'
import type { DispatchContext } from '../../source/agents/dispatch-context.js'
import { childEnvironment } from '../../source/processes/environment.js'
import { linesOf, type PaneLine } from '../../source/view/panes.js'
import { type VerificationResult, verificationResultSchema } from '../../source/workflows/harness/results.js'

export const fakeAgent = fileURLToPath(new URL('../fixtures/fake-agents/agent.mjs', import.meta.url))

/** Of the test that asks for it. A hook of this module would only be one of the first file in a worker that imports it. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'autopilot-agents-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

let runs = 0

/** Unique per call, so that the scans of parallel tests never meet. */
export function freshRunId(): string {
  runs += 1
  return `test-${process.pid}-${Date.now()}-${runs}`
}

export function fake(mode: string, ...extra: string[]): Backend {
  return commandBackend([process.execPath, fakeAgent, mode, ...extra])
}

export function verifyTask(
  changes: Partial<AgentTask<VerificationResult>> = {},
): AgentTask<VerificationResult> {
  return {
    persona: 'harness-verifier',
    workflow: 'harness',
    title: 'Verify phase 2: Rules',
    attempt: 1,
    prompt: 'Check it.\n',
    brief: { slug: 'mail', rigor: 'standard', phase: { number: 2, name: 'Rules' }, expects: 'verification' },
    phase: 2,
    expects: verificationResultSchema,
    access: 'read',
    wallMs: 60_000,
    ...changes,
  }
}

export interface Trial {
  context: DispatchContext
  lines: PaneLine[]
  events: AgentEvent[]
  sessions: string[]
  usages: unknown[]
  controller: AbortController
  log(): string
}

/** A dispatch context in a project of its own that records what it is told. */
export function trial(backend: Backend, changes: Partial<DispatchContext> = {}): Trial {
  const projectDir = temporaryDirectory()
  const controller = new AbortController()
  const lines: PaneLine[] = []
  const events: AgentEvent[] = []
  const sessions: string[] = []
  const usages: unknown[] = []
  const context: DispatchContext = {
    backend,
    runId: freshRunId(),
    dispatchId: 'd1',
    projectDir,
    sessionDir: '.harness/sessions/mail',
    signal: controller.signal,
    env: childEnvironment(),
    line: (told) => lines.push(...linesOf(told)),
    usage: (usage) => usages.push(usage),
    session: (id) => sessions.push(id),
    event: (event) => events.push(event),
    ...changes,
  }
  const log = () => readFileSync(join(projectDir, '.harness/sessions/mail/logs/d1.log'), 'utf8')
  return { context, lines, events, sessions, usages, controller, log }
}

export function dispatchFake(mode: string, ...extra: string[]) {
  return dispatchAgent(verifyTask(), trial(fake(mode, ...extra)).context)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** Waits until a condition holds; fails after half a minute. */
export async function eventually(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition never came true')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
