import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { findMarked } from '../../source/processes/process-marker.js'
import { createProject, type TestProject } from '../support/project.js'
import { autopilotCommand, openTerminal, type TerminalOptions } from '../support/terminal.js'
import { answer, eventually, journalOf, type Policy, play, waitForGate } from './journey.js'
import { expectFinishedFiles } from './session-files.js'

// The built program with an agent of the person's own, `--agent "command:..."`.

const run = promisify(execFile)
const agentsDir = fileURLToPath(new URL('../fixtures/fake-agents/', import.meta.url))
const command = (name: string, ...args: string[]) =>
  [`command:${process.execPath}`, join(agentsDir, name), ...args].join(' ')
const apprentice = command('apprentice.mjs')
const stubborn = command('agent.mjs', 'stubborn')

const specPath = 'docs/changes/security-scanner/proposal.md'
const slug = 'changes--security-scanner--proposal'
const ruleEnginePlan = 'docs/plans/2030-04-02-rule-engine-plan.md'

/** The example of the workflow's source: low, high, low. */
const spec = `# Security scanner

## Implementation Order

### Phase 1: Core Scanner
<!-- complexity: low -->

Tasks: types; walker

### Phase 2: Rule Engine
<!-- complexity: high -->

Tasks: rules

### Phase 3: CLI Integration
<!-- complexity: low -->

Tasks: flags
`

const plan = `# Plan: Rule engine

## Tasks

### Task 1: rules

### Task 2: loader
`

const policy: Policy = {
  'Q-TRUST': { choose: 'yes' },
  'Q-NEXT': { choose: 'yes' },
  'Q-APPROVE': { choose: 'yes' },
  'Q-PR': { choose: 'no' },
}

async function createScanner(): Promise<TestProject> {
  const project = await createProject({ files: { [specPath]: spec } })
  await project.git('config', 'user.name', 'Test Person')
  await project.git('config', 'user.email', 'person@example.invalid')
  return project
}

const open = (project: TestProject, agent: string, options: Partial<TerminalOptions> = {}) =>
  openTerminal({ argv: [specPath, '--agent', agent], cwd: project.dir, env: project.env, ...options })

const journal = (project: TestProject) => journalOf(project.path('.harness/sessions', slug, 'journal.jsonl'))

const runIds = async (project: TestProject) =>
  (await journal(project)).filter((line) => line.type === 'opened').map((line) => String(line.runId))

async function agentsOf(project: TestProject): Promise<number[]> {
  return (await Promise.all((await runIds(project)).map((id) => findMarked(id)))).flat()
}

const agentWorks = (project: TestProject) =>
  eventually(async () => ((await agentsOf(project)).length > 0 ? true : undefined), 'an agent to work')

const nothingAlive = (project: TestProject, timeoutMs?: number) =>
  eventually(
    async () => ((await agentsOf(project)).length === 0 ? true : undefined),
    'all agents to be gone',
    timeoutMs,
  )

/** A command with output, outside a terminal. */
async function autopilot(project: TestProject, ...args: string[]) {
  const [file = '', ...first] = autopilotCommand
  return run(file, [...first, ...args], { cwd: project.dir, env: project.env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test('low, high, low: the wait for an interactive plan is left, and a new process goes on at its gate', async () => {
  const project = await createScanner()
  const first = open(project, apprentice)
  await waitForGate(first, 'Q-TRUST', 30_000)
  expect(first.screen()).toContain('apprentice.mjs')
  expect(existsSync(project.path('.harness'))).toBe(false)
  expect(await play(first, policy, (screen) => screen.includes('needs a plan made with you'))).toEqual([
    'Q-TRUST',
    'Q-NEXT',
  ])
  const gate = await waitForGate(first, 'Q-INTERACTIVE')
  expect(gate.options).toEqual(['check again', 'choose plan file', 'stop'])
  await answer(first, { choose: 'check again' })
  await first.waitFor('No plan for this phase was found yet.')
  await waitForGate(first, 'Q-INTERACTIVE')
  await first.press('q')
  expect(await first.exit).toEqual({ code: 3, signal: 0 })
  expect(JSON.parse(await project.read(`.harness/sessions/${slug}/autopilot-state.json`))).toMatchObject({
    currentState: 'PLAN',
    currentPhase: 1,
    awaitingInteractivePlan: true,
    pendingQuestion: { id: 'Q-INTERACTIVE', options: ['check again', 'choose plan file', 'stop'] },
  })

  await project.write(ruleEnginePlan, plan)
  const second = open(project, apprentice)
  await waitForGate(second, 'Q-APPROVE', 30_000)
  const screen = second.screen()
  expect(screen).toContain('Pausing for review -- Phase 2: Rule Engine')
  expect(screen).toContain('Complexity: high (triggered)')
  expect(screen).not.toContain('needs a plan made with you')
  expect(await play(second, policy, (now) => now.includes('── Finished'), 180_000)).toEqual([
    'Q-APPROVE',
    'Q-NEXT',
    'Q-PR',
  ])
  await second.press('enter')
  expect(await second.exit).toEqual({ code: 0, signal: 0 })
  const state = await expectFinishedFiles(project.dir, slug)
  expect(state.phases[1]?.planPath).toBe(ruleEnginePlan)
  expect(state.history.map((entry) => entry.tasksCompleted)).toEqual([2, 2, 1])
  expect(state.decisions.map((entry) => entry.decision)).toEqual([
    'auto_approved_plan',
    'approved_plan',
    'auto_approved_plan',
  ])
  await nothingAlive(project)
})

test('while a session is open: status names its question, and a second instance is turned away', async () => {
  const project = await createScanner()
  const owner = open(project, apprentice)
  await play(owner, policy, (screen) => screen.includes('Q-NEXT'), 90_000)
  const shown = await waitForGate(owner, 'Q-NEXT')

  const { code, stdout } = await autopilot(project, 'status', '--json')
  expect(code).toBe(0)
  const [session] = JSON.parse(stdout).sessions
  expect(session).toMatchObject({
    session: slug,
    workflow: 'harness',
    spec: specPath,
    state: 'PHASE_COMPLETE',
    phase: { number: 1, name: 'Core Scanner', total: 3 },
    live: true,
    owner: { pid: owner.pid },
    question: { gate: 'Q-NEXT' },
  })
  expect(session.question.options.map((option: { label: string }) => option.label)).toEqual(shown.options)
  expect((await autopilot(project, 'sessions')).stdout).toContain(`open in pid ${owner.pid}`)

  const second = open(project, apprentice)
  await waitForGate(second, 'Q-LOCK', 30_000)
  expect(second.screen()).toContain(`is open in pid ${owner.pid}`)
  await answer(second, { choose: 'close' })
  expect(await second.exit).toEqual({ code: 3, signal: 0 })
  expect(second.everything()).toMatch(new RegExp(`is open in pid ${owner.pid} on .+ since`))

  // The first one is not disturbed.
  await answer(owner, { choose: 'yes' })
  await owner.waitFor('needs a plan made with you', { timeoutMs: 30_000 })
  await owner.press('q')
  expect((await owner.exit).code).toBe(3)
})

describe('ends', () => {
  const works = async (project: TestProject, agent: string) => {
    const terminal = open(project, agent)
    await waitForGate(terminal, 'Q-TRUST', 30_000)
    await answer(terminal, { choose: 'yes' })
    await terminal.waitFor('● running', { timeoutMs: 30_000 })
    await agentWorks(project)
    return terminal
  }

  test('Ctrl+C twice ends an agent that ignores every polite signal', async () => {
    const project = await createScanner()
    const terminal = await works(project, stubborn)
    await terminal.press('ctrl+c')
    await terminal.waitFor(/stopping/i)
    await terminal.press('ctrl+c')
    expect(await terminal.exit).toEqual({ code: 130, signal: 0 })
    expect(await agentsOf(project)).toEqual([])
    expect(terminal.alternate()).toBe(false)
    expect(existsSync(project.path('.harness/sessions', slug, 'lock.json'))).toBe(false)
  })

  test('SIGKILL: the guard ends the agent, and the session opens again', async () => {
    const project = await createScanner()
    const terminal = await works(project, stubborn)
    terminal.kill('SIGKILL')
    expect((await terminal.exit).signal).toBe(9)
    await nothingAlive(project, 30_000)
    const again = open(project, apprentice)
    const asked = await play(again, policy, (screen) => screen.includes('needs a plan made with you'), 90_000)
    expect(asked).toEqual(['Q-TRUST', 'Q-NEXT'])
    await again.press('q')
    expect((await again.exit).code).toBe(3)
  })

  test('SIGTERM: journalled, agents ended, terminal restored, 143', async () => {
    const project = await createScanner()
    const terminal = await works(project, command('agent.mjs', 'silent'))
    terminal.kill('SIGTERM')
    expect(await terminal.exit).toEqual({ code: 143, signal: 0 })
    expect(terminal.alternate()).toBe(false)
    expect(terminal.raw().lastIndexOf('\u001b[?25h')).toBeGreaterThan(
      terminal.raw().lastIndexOf('\u001b[?25l'),
    )
    expect((await journal(project)).filter((line) => line.type === 'interrupted')).toMatchObject([
      { text: 'SIGTERM' },
    ])
    expect(await agentsOf(project)).toEqual([])
  })

  test('SIGHUP, as when the terminal is closed: journalled, agents ended, ended by the signal', async () => {
    const project = await createScanner()
    const terminal = await works(project, command('agent.mjs', 'silent'))
    terminal.kill('SIGHUP')
    const { code, signal } = await terminal.exit
    expect(code === 129 || signal === 1).toBe(true)
    expect((await journal(project)).filter((line) => line.type === 'interrupted')).toMatchObject([
      { text: 'SIGHUP' },
    ])
    await nothingAlive(project)
  })

  test('SIGTERM at a question before the run starts nothing', async () => {
    const project = await createScanner()
    const terminal = open(project, apprentice)
    await waitForGate(terminal, 'Q-TRUST', 30_000)
    terminal.kill('SIGTERM')
    expect(await terminal.exit).toEqual({ code: 143, signal: 0 })
    expect(terminal.alternate()).toBe(false)
    expect(existsSync(project.path('.harness'))).toBe(false)
  })
})

describe('terminals', () => {
  test('NO_COLOR writes no colour, CI=true still draws', async () => {
    const project = await createScanner()
    const terminal = open(project, apprentice, { env: { ...project.env, NO_COLOR: '1', CI: 'true' } })
    await waitForGate(terminal, 'Q-TRUST', 30_000)
    await play(terminal, policy, (screen) => screen.includes('Q-NEXT'), 90_000)
    expect(terminal.raw()).not.toMatch(/\u001b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|38|48)(?:;\d+)*m/)
    await terminal.press('q')
    expect((await terminal.exit).code).toBe(3)
  })

  test('without a terminal the first question stops the run with 3, and nothing is touched', async () => {
    const project = await createScanner()
    const { code, stdout } = await autopilot(project, specPath, '--agent', apprentice)
    expect(code).toBe(3)
    expect(stdout).toContain('Question (Q-TRUST)')
    expect(stdout).toContain('There is no terminal to answer it in')
    expect(await readdir(project.dir)).toEqual(['.git', 'docs'])
  })
})

describe('refusals leave nothing behind', () => {
  interface Case {
    name: string
    argv?: string[]
    prepare?(project: TestProject): Promise<void>
    git?: boolean
    code: number
    says: RegExp
  }
  const cases: Case[] = [
    {
      name: 'both rigor flags',
      argv: [specPath, '--fast', '--thorough', '--agent', apprentice],
      code: 2,
      says: /Cannot use --fast and --thorough together\. Choose one\./,
    },
    {
      name: 'a spec that is not there',
      argv: ['docs/nowhere.md', '--agent', apprentice],
      code: 2,
      says: /no spec at docs\/nowhere\.md/,
    },
    {
      name: 'a spec outside the repository',
      argv: ['../outside.md', '--agent', apprentice],
      prepare: (project) => writeFile(join(project.root, 'outside.md'), spec),
      code: 2,
      says: /outside/,
    },
    { name: 'no repository', git: false, code: 1, says: /not inside a git repository/ },
    {
      name: 'an agent program that is not known',
      argv: [specPath, '--agent', 'nobody'],
      code: 2,
      says: /no agent "nobody"/,
    },
  ]
  test.each(cases)('$name', async ({ argv, prepare, git, code, says }) => {
    const project =
      git === false ? await createProject({ git: false, files: { [specPath]: spec } }) : await createScanner()
    await prepare?.(project)
    const terminal = openTerminal({
      argv: argv ?? [specPath, '--agent', apprentice],
      cwd: project.dir,
      env: project.env,
      cols: 160,
    })
    expect(await terminal.exit).toEqual({ code, signal: 0 })
    await terminal.waitFor(says)
    expect(terminal.alternate()).toBe(false)
    expect(existsSync(project.path('.harness'))).toBe(false)
  })

  const afterTrust: Case[] = [
    { name: 'no commit', git: true, code: 1, says: /no commit|first commit/i },
    {
      name: 'a merge in progress',
      prepare: async (project) => {
        await project.git('checkout', '-q', '-b', 'side')
        await project.commit('side', { 'a.txt': 'side\n' })
        await project.git('checkout', '-q', 'main')
        await project.commit('main', { 'a.txt': 'main\n' })
        await project.git('merge', 'side').catch(() => undefined)
      },
      code: 1,
      says: /merge/i,
    },
  ]
  test.each(afterTrust)('$name, after trust', async ({ prepare, git, code, says }) => {
    const project = git ? await createProject() : await createScanner()
    if (git) await project.write(specPath, spec)
    await prepare?.(project)
    const terminal = open(project, apprentice, { cols: 160 })
    await waitForGate(terminal, 'Q-TRUST', 30_000)
    await answer(terminal, { choose: 'yes' })
    expect(await terminal.exit).toEqual({ code, signal: 0 })
    await terminal.waitFor(says)
    expect(existsSync(project.path('.harness'))).toBe(false)
  })
})

test('an agent program that is missing is a question with the reason, not an end', async () => {
  const project = await createScanner()
  await mkdir(project.path('bin'), { recursive: true })
  const terminal = open(project, 'command:there-is-no-such-program --do it')
  await waitForGate(terminal, 'Q-TRUST', 30_000)
  await answer(terminal, { choose: 'yes' })
  await waitForGate(terminal, 'Q-AGENT', 30_000)
  expect(terminal.screen()).toContain('was not found')
  await answer(terminal, { choose: 'stop' })
  expect((await terminal.exit).code).toBe(3)
})
