import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createProject, type TestProject } from '../support/project.js'
import { autopilotCommand, openTerminal, type TestTerminal } from '../support/terminal.js'
import { answer, eventually, play, seenGate, waitForGate } from './journey.js'
import { countOf, openOf } from './on-record.js'

// The habits of people who live in terminals, at the gate of a plan: docs/terminal.md "Gates" and "Life cycle".

const run = promisify(execFile)
const specPath = 'docs/changes/rules/proposal.md'
const planPath = 'docs/plans/2030-04-02-rule-engine-plan.md'
const spec = `# Rules

## Implementation Order

### Phase 1: Rule Engine
<!-- complexity: high -->

Tasks: rules; loader
`
const plan = `# Plan: Rule engine

## Tasks

### Task 1: rules

Each rule has a name of its own.

### Task 2: loader
`

const apprentice = fileURLToPath(new URL('../fixtures/fake-agents/apprentice.mjs', import.meta.url))
const agent = ['--agent', `command:${process.execPath} ${apprentice}`]
const argv = [...autopilotCommand, specPath, ...agent]
const quoted = argv.map((word) => `'${word}'`).join(' ')

async function createRules(): Promise<TestProject> {
  const project = await createProject({ files: { [specPath]: spec } })
  await project.write(planPath, plan)
  return project
}

/** The label of the lit option. */
const lit = (screen: string) => /^[❯>] \d .\s{2,}(\S.*?)(?:\s{2,}|$)/m.exec(screen)?.[1]

async function toTheGate(terminal: TestTerminal): Promise<void> {
  await waitForGate(terminal, 'Q-TRUST')
  await answer(terminal, { choose: 'yes' })
  await waitForGate(terminal, 'Q-PLAN-FILE')
  await answer(terminal, { choose: 'docs/plans' })
  await waitForGate(terminal, 'Q-APPROVE')
}

test('from what the start screen offers, with settings that can be used, and told where they cannot', async () => {
  const project = await createRules()
  const open = () =>
    openTerminal({ command: [...autopilotCommand, ...agent], cwd: project.dir, env: project.env })
  const terminal = open()
  await terminal.waitFor((screen) => /^[❯>] new .*Rules .*1 phase$/m.test(screen))
  await terminal.press('enter')
  await waitForGate(terminal, 'Q-TRUST')
  await terminal.press('q')
  expect(await terminal.exit).toEqual({ code: 3, signal: 0 })

  await mkdir(join(project.home, '.config/autopilot'), { recursive: true })
  await writeFile(join(project.home, '.config/autopilot/config.json'), '{ "limits": { "turns": "many" } }')
  const told = open()
  expect(await told.exit).toEqual({ code: 1, signal: 0 })
  expect(told.everything()).toContain('limits.turns')
})

test('at the gate of a plan: the wheel, what there is to read, an editor, a shell in between', async () => {
  const project = await createRules()
  const flag = join(project.root, 'change')
  const editor = join(project.root, 'editor.sh')
  await writeFile(editor, `[ -f '${flag}' ] && printf '\\n### Task 3: flags\\n' >> "$1"\nexit 0\n`)
  const terminal = openTerminal({
    command: ['bash', '--norc', '--noprofile', '-i'],
    cwd: project.dir,
    env: { ...project.env, PS1: 'shell> ', EDITOR: `sh ${editor}` },
    cols: 100,
    rows: 30,
  })
  await terminal.waitFor('shell>')
  terminal.type(`${quoted}\r`)
  await toTheGate(terminal)
  const id = await openOf(project.dir, 'Q-APPROVE')
  const before = lit(terminal.screen())

  // A wheel that sends arrows, both ways: nothing is decided and no option moves.
  terminal.type('\u001b[B'.repeat(3))
  terminal.type('\u001bOA'.repeat(6))
  terminal.type('\u001b[B'.repeat(5))

  // The plan is read, and the gate is as it was.
  await terminal.press('tab')
  await terminal.waitFor('Enter opens it')
  await terminal.press('enter')
  await terminal.waitFor('Each rule has a name of its own.')
  expect(seenGate(terminal.screen())).toBeUndefined()
  await terminal.press('escape')
  await waitForGate(terminal, 'Q-APPROVE')
  expect(lit(terminal.screen())).toBe(before)

  // Sleeping gives the shell back as it was; awake, the gate waits anew.
  await terminal.press('ctrl+z')
  await terminal.waitFor('Stopped')
  expect(terminal.alternate()).toBe(false)
  terminal.type('echo between $((20+3))\r')
  await terminal.waitFor('between 23')
  terminal.type('fg\r')
  await terminal.waitFor((screen) => seenGate(screen)?.gate === 'Q-APPROVE')
  expect(terminal.alternate()).toBe(true)
  await waitForGate(terminal, 'Q-APPROVE')

  // An editor that changes nothing comes back to the same question, one that does to another.
  const asked = await countOf(project.dir, String(id))
  await terminal.press('ctrl+e')
  await terminal.waitFor((screen) => seenGate(screen)?.armed === false)
  await waitForGate(terminal, 'Q-APPROVE')
  expect(await countOf(project.dir, String(id))).toBe(asked)
  await writeFile(flag, '')
  await terminal.press('ctrl+e')
  await eventually(
    async () => ((await countOf(project.dir, String(id))) > asked ? true : undefined),
    'the changed plan to be asked about',
  )
  expect(await project.read(planPath)).toContain('Task 3: flags')
  expect(await openOf(project.dir, 'Q-APPROVE')).toBe(id)

  const policy = { 'Q-APPROVE': { choose: 'yes' }, 'Q-NEXT': { choose: 'yes' }, 'Q-PR': { choose: 'no' } }
  await play(terminal, policy, (screen) => screen.includes('── Finished'), 180_000)
  await terminal.press('enter')
  await terminal.waitFor(/shell> *$/)
  expect(terminal.alternate()).toBe(false)
  expect(terminal.count('\u001b[3J')).toBe(0)
})

test('a tmux session is left and taken up from another size', async () => {
  const project = await createRules()
  const tmux = ['tmux', '-L', `cockpit-${process.pid}`, '-f', '/dev/null']
  onTestFinished(
    async () => void (await run('tmux', [...tmux.slice(1), 'kill-server']).catch(() => undefined)),
  )
  const open = (command: string[], cols: number, rows: number) =>
    openTerminal({ command: [...tmux, ...command], cwd: project.dir, env: project.env, cols, rows })
  const first = open(['new-session', ...argv], 120, 40)
  await waitForGate(first, 'Q-TRUST')
  await first.press('ctrl+b', 'd')
  expect((await first.exit).code).toBe(0)

  const second = open(['attach'], 60, 16)
  const gate = await waitForGate(second, 'Q-TRUST')
  expect(gate.options[1]).toMatch(/^yes/)
  const rows = second.screen().split('\n')
  expect(rows.length).toBeLessThanOrEqual(16)
  for (const row of rows) expect([...row].length).toBeLessThanOrEqual(60)
  await answer(second, { choose: 'yes' })
  // The title leaves no room for the name of the gate.
  await second.waitFor('Is this the plan', { timeoutMs: 60_000 })
  await second.press('q')
  expect((await second.exit).code).toBe(0)
})
