import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bundleGarden } from '../fourth/bundle.js'
import { type MockModel, startMockModel } from '../mock-model/server.js'
import { type ModelRequest, type Scenario, textOf, turn } from '../mock-model/turn.js'
import { deliver, writeCall } from '../mock-model/vocabulary.js'
import { createProject, type TestProject } from '../support/project.js'
import { openTerminal, type TestTerminal } from '../support/terminal.js'
import { answer, eventually, waitForGate } from './journey.js'

// Two agents at work at once, led by keys while they stream: docs/terminal.md "Panes" and "Life cycle".

const run = promisify(execFile)
const [north, south] = ['2.1-north', '12A-south'] as const
const patienceMs = 60_000

const bedOf = ({ system }: ModelRequest) => /beds\/([\w.-]+\w)/.exec(system)?.[1] ?? ''

/** What a person said in this conversation, oldest first; the first text is the order itself. */
const heardIn = ({ messages }: ModelRequest) =>
  messages
    .filter(({ role }) => role === 'user')
    .map(textOf)
    .filter((text) => text.trim() !== '')
    .slice(1)

/** Digs on and on until a person says that it is enough, and repeats what it was told. */
const digging: Scenario = (request) => {
  const bed = bedOf(request)
  const heard = heardIn(request).flatMap((text) => text.match(/(?:water|rake|enough) [a-z]+/g) ?? [])
  const last = heard.at(-1)
  if (last?.startsWith('enough')) return deliver(request, { grew: heard.join(', ') }, 'It is dug.')
  const spades = request.messages.filter(({ role }) => role === 'assistant').length
  const said = last === undefined ? '' : ` Heard: ${last}.`
  const call = writeCall(request, `spade-${spades}.txt`, 'earth\n')
  const text = `In ${bed}: spade ${spades}.${said}`
  return turn({ text, calls: call ? [call] : [], pieceSize: 12, paceMs: 60 })
}

interface Garden {
  project: TestProject
  mock: MockModel
  /** Where the bundled programs lie. */
  programs: string
  terminal: TestTerminal
}

/** A shell with a garden in it that is begun: both agents stream. */
async function openGarden(): Promise<Garden> {
  const mock = await startMockModel()
  onTestFinished(() => mock.close())
  const project = await createProject({
    files: { 'garden.md': '# Garden: Herbs\n', 'docs/readme.md': 'Herbs.\n' },
  })
  const programs = join(project.root, 'program')
  await bundleGarden(programs, { cli: '../fourth/cli.ts', embedded: '../../source/embedded/main.ts' })
  const own = { ANTHROPIC_BASE_URL: mock.play(digging), ANTHROPIC_API_KEY: 'dummy' }
  const configPath = join(project.home, '.config', 'autopilot', 'config.json')
  await mkdir(dirname(configPath), { recursive: true })
  await writeFile(configPath, JSON.stringify({ environment: Object.keys(own), permissions: 'all' }))
  const terminal = openTerminal({
    command: ['bash', '--norc', '--noprofile', '-i'],
    cwd: project.dir,
    env: { ...project.env, ...own, PS1: 'shell> ' },
    cols: 100,
    rows: 34,
  })
  await terminal.waitFor('shell>')
  terminal.type(`'${process.execPath}' '${join(programs, 'cli.js')}' garden.md --agent embedded\r`)
  await waitForGate(terminal, 'Q-TRUST')
  await answer(terminal, { choose: 'yes' })
  for (const bed of [north, south]) await see(terminal, `In ${bed}: spade`)
  return { project, mock, programs, terminal }
}

const see = (terminal: TestTerminal, sight: string | RegExp) =>
  terminal.waitFor(sight, { timeoutMs: patienceMs })

const requestsOf = ({ mock }: Garden, bed: string) =>
  mock.requests.flatMap(({ request }) => (request && bedOf(request) === bed ? [request] : []))

/** Waits until the agent of a bed has asked its model again. */
async function works(garden: Garden, bed: string): Promise<void> {
  const before = requestsOf(garden, bed).length
  await eventually(
    async () => (requestsOf(garden, bed).length > before + 1 ? true : undefined),
    `${bed} to be dug`,
    patienceMs,
  )
}

/** States of the agents' processes, as `ps` names them; what confines an agent names it too. */
async function states({ programs }: Garden): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'stat=,args='])
  const program = join(programs, 'embedded.js')
  return stdout.split('\n').flatMap((row) => {
    const [, state = '', args = ''] = /^\s*(\S)\S*\s+(.*)$/.exec(row) ?? []
    return args.startsWith(process.execPath) && args.includes(program) ? [state] : []
  })
}

/** Waits until all agents are stopped, or none is. */
async function areStopped(garden: Garden, wanted: boolean): Promise<void> {
  await eventually(
    async () => {
      const found = await states(garden)
      return found.length === 2 && found.every((state) => (state === 'T') === wanted) ? true : undefined
    },
    wanted ? 'agents to be suspended' : 'agents to go on',
    patienceMs,
  )
}

/** Whom keys act on: `all`, or `one` with its bed. */
function chosenIn(screen: string): string | undefined {
  const [, whom] = /keys act on (one|all)/.exec(screen) ?? []
  return whom === 'one' ? `one ${/❯ . Bed (\S+)/.exec(screen)?.[1]}` : whom
}

/** Tab until keys act on whom they are meant for. Agents stand in the order in which they began. */
async function choose(terminal: TestTerminal, wanted: string): Promise<void> {
  for (let at = chosenIn(terminal.screen()); at !== wanted; at = chosenIn(terminal.screen())) {
    await terminal.press('tab')
    const isOther = (screen: string) => chosenIn(screen) !== undefined && chosenIn(screen) !== at
    await terminal.waitFor(isOther, { timeoutMs: patienceMs })
  }
}

/** Writes a message and sends it. */
async function tell(terminal: TestTerminal, label: string, text: string): Promise<void> {
  await terminal.press('s')
  await see(terminal, label)
  await terminal.press(...text)
  await see(terminal, text)
  await terminal.press('enter')
}

test('of two agents that stream, the chosen one is told, interrupted and told again; suspended, held, put to sleep', async () => {
  const garden = await openGarden()
  const { terminal } = garden

  // The chosen one hears it in the conversation that is going on, and what it says is seen.
  await choose(terminal, `one ${north}`)
  await tell(terminal, `Message to "Bed ${north}"`, 'water first')
  await see(terminal, 'Sent to the agent.')
  await see(terminal, 'you: water first')
  await see(terminal, new RegExp(`In ${north}: spade \\d+\\. Heard: water first`))
  expect(requestsOf(garden, south).flatMap(heardIn)).toEqual([])

  // Interrupted, it asks how to go on, and the other one works on meanwhile.
  await terminal.press('i')
  const gate = await waitForGate(terminal, 'Q-AGENT')
  expect(gate.title).toBe('The agent was interrupted')
  await works(garden, south)
  await answer(terminal, { choose: 'continue', text: 'rake it' })
  await see(terminal, new RegExp(`In ${north}: spade \\d+\\. Heard: rake it`))
  expect(heardIn(requestsOf(garden, north).at(-1) as ModelRequest).join()).toContain('water first')
  expect(requestsOf(garden, south).flatMap(heardIn)).toEqual([])

  // The program sleeps and its agents do not; awake, the screen is there again and its keys too.
  await terminal.press('ctrl+z')
  await see(terminal, 'Stopped')
  expect(terminal.alternate()).toBe(false)
  await works(garden, north)
  await works(garden, south)
  terminal.type('fg\r')
  await terminal.waitFor(() => terminal.alternate(), { timeoutMs: patienceMs })

  // All of them suspended, and going on: their processes stop and run again.
  await choose(terminal, 'all')
  await press(terminal, 'P', /SUSPENDED/)
  await areStopped(garden, true)
  await press(terminal, 'P', /running/)
  await areStopped(garden, false)
  await works(garden, north)
  await works(garden, south)

  // Held after the step that is at work: nothing is asked until it goes on.
  await press(terminal, 'p', /holding/i)
  await tell(terminal, 'Message to all 2 agents', 'enough now')
  await see(terminal, 'HELD')
  expect(terminal.screen()).not.toContain('Water the beds?')
  await terminal.press('p')
  await waitForGate(terminal, 'Q-WATER')
  expect(terminal.screen()).toContain(`${north}: water first, rake it, enough now`)
  expect(terminal.screen()).toContain(`${south}: enough now`)
  await answer(terminal, { choose: 'water' })
  await see(terminal, '── Finished')
  await terminal.press('enter')
  await see(terminal, /shell> *$/)
  expect(terminal.alternate()).toBe(false)
})

/** Presses a key, again where it came before the program was awake, until it has had its effect. */
async function press(terminal: TestTerminal, key: string, effect: RegExp): Promise<void> {
  await terminal.press(key)
  await see(terminal, effect)
}
