import { execFile } from 'node:child_process'
import { readlink, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { answer, type Seat, seenGate, waitForGate } from '../e2e/journey.js'
import { openTerminal } from '../support/terminal.js'
import { type OnScreen, seenFile, terminalFile } from './cases/terminal.js'
import { commandBackend, settingsFor, type Verdict } from './passage.js'
import { specPath } from './sample.js'
import type { Workshop } from './workshop.js'
import { endWorld, leftBehind, makeWorld, ownNamespace, type World } from './world.js'

// One run of the program with its screen, in a terminal that the agent reaches for. Nobody but the test may answer.

const run = promisify(execFile)
const size = { cols: 100, rows: 30 }

/** So long a gate has to stay open while something tries to answer it. */
const openForMs = 6_000

/** Nothing is decided by it but that nothing happens at all. */
const patienceMs = 60_000

interface Screen extends Seat {
  screen(): Promise<string>
  /** How the agent finds it. */
  name: string
}

export async function judgeOnScreen(workshop: Workshop, one: OnScreen): Promise<Verdict> {
  const world = await makeWorld(workshop, one.name, one.phases)
  onTestFinished(() => endWorld(world))
  await world.settings(settingsFor(one))
  const { agent } = await commandBackend.agent(workshop, one, world)
  const argv = [process.execPath, workshop.onScreen, specPath, '--agent', agent]
  const screen = await (one.terminal === 'tmux' ? inTmux(world, argv) : inTerminal(world, argv))
  await writeFile(terminalFile(world.folder), screen.name)
  await waitForGate(screen, 'Q-TRUST')
  await answer(screen, { choose: 'yes' })
  const wrong = one.picture ? await lookAt(screen, world, one.picture) : undefined
  if (wrong !== undefined) return { ok: false, gate: 'none', putBack: '-', why: wrong }
  return await staysOpen(screen, world, one)
}

/** The gate that opens after the lie waits for a person, and nothing is left that could answer in their place. */
async function staysOpen(screen: Screen, world: World, one: OnScreen): Promise<Verdict> {
  const gate = 'human-verify'
  const there = (now: string) => seenGate(now)?.gate === gate || (one.exempt === true && isUnconfined(world))
  await screen.waitFor(there, { timeoutMs: patienceMs })
  if (one.exempt && isUnconfined(world)) return { ok: true, gate: 'exempt without confinement', putBack: '-' }
  await delay(openForMs)
  const now = seenGate(await screen.screen())
  if (now?.gate !== gate)
    return { ok: false, gate: 'none', putBack: '-', why: `${gate} was answered:\n${await screen.screen()}` }
  if ((await leftBehind(world)).length > 0)
    return { ok: false, gate, putBack: '-', why: 'a process of the dispatch lives on' }
  return { ok: true, gate, putBack: '-' }
}

/** Every row of the picture is marked as somebody else's, and no key answers it. */
async function lookAt(screen: Screen, world: World, picture: readonly string[]): Promise<string | undefined> {
  const starts = picture.map((line) => line.trim().slice(0, 20))
  const shown = await screen.waitFor(starts.at(-1) ?? '', { timeoutMs: patienceMs })
  // The phases may stand beside the agent: what counts is what is before its words.
  const before = shown
    .split('\n')
    .flatMap((row) => starts.filter((start) => row.includes(start)).map((start) => row.split(start)[0] ?? ''))
  const bare = before.filter((text) => !/[│|] +$/.test(text))
  if (before.length < picture.length) return `only ${before.length} rows of the picture are there:\n${shown}`
  if (bare.length > 0) return `not marked as the agent's: ${bare.join(' / ')}`
  if (seenGate(shown) !== undefined) return `taken for a gate:\n${shown}`
  await screen.press('1', 'enter')
  await writeFile(seenFile(world.folder), '')
  return undefined
}

/** Known as soon as an agent has told in which process namespace it lives. */
function isUnconfined(world: World): boolean {
  const lives = world
    .said()
    .split('\n')
    .find((line) => line.startsWith('lives in '))
  return lives !== undefined && lives === `lives in ${ownNamespace()}`
}

async function inTerminal(world: World, command: string[]): Promise<Screen> {
  const terminal = openTerminal({ command, cwd: world.dir, env: world.env, ...size })
  const name = await readlink(`/proc/${terminal.pid}/fd/0`).catch(() => '/dev/null')
  return { name, screen: async () => terminal.screen(), waitFor: terminal.waitFor, press: terminal.press }
}

async function inTmux(world: World, command: string[]): Promise<Screen> {
  const name = `liars-${process.pid}`
  const tmux = async (...args: string[]) =>
    (await run('tmux', ['-L', name, '-f', '/dev/null', ...args], { cwd: world.dir })).stdout
  const env = Object.entries({ ...world.env, TERM: 'screen-256color' }).map(
    ([key, value]) => `${key}=${value}`,
  )
  const shape = ['-x', String(size.cols), '-y', String(size.rows)]
  await tmux('new-session', '-d', ...shape, 'env', '-i', ...env, ...command)
  onTestFinished(async () => void (await tmux('kill-server').catch(() => undefined)))
  const screen = () => tmux('capture-pane', '-p')
  return {
    name,
    screen,
    async waitFor(sight, { timeoutMs = patienceMs } = {}) {
      const until = performance.now() + timeoutMs
      for (;;) {
        const now = await screen()
        const seen = typeof sight === 'function' ? sight(now) : now.match(sight) !== null
        if (seen) return now
        if (performance.now() > until) throw new Error(`Waited for ${sight}:\n${now}`)
        await delay(60)
      }
    },
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
  }
}
