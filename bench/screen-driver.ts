// One program on a terminal for bench/screen.js: screen-driver.mjs <result file> <case> <seconds> [plain]. `plain` draws
// with the renderer of Ink instead of ours.
import { EventEmitter } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Box, render, Text } from 'ink'
import { createElement, useEffect, useState } from 'react'
import { startProcess } from '../source/processes/start-process.js'
import { createLiveStore, type LiveStore } from '../source/run/live-store.js'
import { createKeyPump } from '../source/terminal/key-pump.js'
import { createScreen } from '../source/terminal/screen.js'
import { afterFrame } from '../source/ui/after-frame.js'
import { App, createCell, type Showing } from '../source/ui/app.js'
import { createFrameStore } from '../source/ui/frame-store.js'
import { mountApp } from '../source/ui/mount.js'
import { createTheme } from '../source/ui/theme.js'
import type { Pane } from '../source/view/panes.js'
import { recordControls, snapshotOf } from '../test/ui/fixtures.js'
import { dispatchTalker } from './talking-agent.js'

const [resultFile = '', name = 'idle', time = '5', renderer = ''] = process.argv.slice(2)
const seconds = Number(time)
const agents = 3
const linesPerSecond = 100_000
/** Milliseconds between two looks at the event loop. */
const lagResolution = 5

/** An agent that prints numbered lines, so many in a second. */
const talker = (index: number) => `
  const perTick = ${linesPerSecond / agents / 100}
  let sent = 0
  const start = process.hrtime.bigint()
  const more = () => {
    const wanted = Math.min(${seconds} * 100, Number(process.hrtime.bigint() - start) / 1e7) * perTick
    let block = ''
    for (; sent < wanted; sent += 1) block += 'agent ${index} says in line ' + sent + ' what it does\\n'
    if (sent >= ${seconds} * 100 * perTick) return process.stdout.write(block + JSON.stringify({ type: 'end', result: { ok: true, sent } }) + '\\n')
    if (block === '' || process.stdout.write(block)) setTimeout(more, 10)
    else process.stdout.once('drain', more)
  }
  more()
`

/** While the screen is open, what others write goes elsewhere. */
const toTerminal = process.stdout.write.bind(process.stdout)
const live: LiveStore = createLiveStore(snapshotOf({ panes: [] }))
const openPane = (id: string): Pane =>
  live.openPane({ id, persona: 'harness-executor', title: `Task ${id}`, attempt: 1, startedAt: Date.now() })
const keys = createKeyPump(process.stdin)
const screen = createScreen()
const showing: Showing = {
  kind: 'run',
  frames: createFrameStore(live),
  controls: recordControls(),
  onStop: () => undefined,
}
const desk = {
  keys,
  theme: createTheme(true),
  armAfter: 500,
  afterFrame: (listener: () => void) => afterFrame(screen.inkStdout.afterWrite, listener),
  onUnsettled: () => () => undefined,
  edit: async () => ({ kind: 'missing' as const }),
}

/** As the first version drew: Ink with a stdout of endless rows. */
function drawPlainly(): void {
  const { columns, rows } = screen.size()
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    rows: Number.POSITIVE_INFINITY,
    columns,
    write: toTerminal,
  })
  const app = createElement(App, { desk, size: createCell({ columns, rows }), showing: createCell(showing) })
  render(app, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: keys.inkStdin as unknown as NodeJS.ReadStream,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 60,
  })
}

/** Times from a key to the frame that shows what it does: it opens the help, or closes it. */
function watchKeys(): number[] {
  const times: number[] = []
  let pressed: { at: number; opens: boolean } | undefined
  let isOpen = false
  process.stdin.prependListener('data', () => {
    pressed ??= { at: performance.now(), opens: !isOpen }
  })
  const { write } = screen.inkStdout
  screen.inkStdout.write = (frame, ...rest) => {
    isOpen = String(frame).includes('hold after the current step')
    if (pressed && pressed.opens === isOpen) {
      const { at } = pressed
      pressed = undefined
      screen.inkStdout.afterWrite(() => times.push(performance.now() - at))
    }
    return write(frame, ...rest)
  }
  return times
}

/** Lines that one agent has printed, and those of them in its log. */
async function talk(index: number, root: string): Promise<{ lines: number; logged: () => number }> {
  const { result, log } = await dispatchTalker(root, talker(index), { live, pane: openPane(`d${index}`) })
  const logged = () =>
    readFileSync(log, 'latin1').split(/^ {2}agent \d says in line \d+ what it does$/m).length - 1
  return { lines: result.sent ?? 0, logged }
}

/** Lines that became part of the state: it is slower than the agents, which have to wait for it. */
let handled = 0

/** The usual way that it is done first: each line is an update of a state of React, of which the end is drawn. */
function Naive() {
  const [lines, setLines] = useState<string[][]>([[], [], []])
  useEffect(() => {
    for (let index = 0; index < agents; index += 1) {
      let rest = ''
      const child = startProcess({
        argv: [process.execPath, '-e', talker(index)],
        cwd: '/',
        env: { PATH: process.env.PATH ?? '' },
        output: 'pipe',
      })
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        const parts = (rest + text).split('\n')
        rest = parts.pop() ?? ''
        handled += parts.length
        for (const part of parts)
          setLines((all) => all.map((own, at) => (at === index ? [...own, part].slice(-1000) : own)))
      })
    }
  }, [])
  return createElement(
    Box,
    { flexDirection: 'column', height: 39 },
    ...lines.map((own, index) =>
      createElement(
        Box,
        { key: index, flexDirection: 'column', height: 12, overflow: 'hidden' },
        ...own.slice(-12).map((text, row) => createElement(Text, { key: row, wrap: 'truncate' }, text)),
      ),
    ),
  )
}

/**
 * Milliseconds of processor time between two looks at the event loop: what it would lag by our own work alone. On a machine
 * on which others work too, the clock tells how long they were let in.
 */
function watchWork(): { p99(): number } {
  const stretches: number[] = []
  let last = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    stretches.push((user + system) / 1000)
    last = process.cpuUsage()
  }, lagResolution)
  return {
    p99() {
      clearInterval(timer)
      const sorted = stretches.toSorted((a, b) => a - b)
      return sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY
    },
  }
}

async function flood(): Promise<object> {
  const root = await mkdtemp(join(dirname(resultFile), 'project-'))
  const times = watchKeys()
  const lag = monitorEventLoopDelay({ resolution: lagResolution })
  lag.enable()
  const work = watchWork()
  const before = process.cpuUsage()
  const told = await Promise.all(Array.from({ length: agents }, (_, index) => talk(index, root)))
  const { user, system } = process.cpuUsage(before)
  lag.disable()
  const workP99 = work.p99()
  const sorted = times.toSorted((a, b) => a - b)
  return {
    cpu: (user + system) / 1e6,
    workP99,
    lagP99: lag.percentile(99) / 1e6 - lagResolution,
    keys: times.length,
    keyP95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.POSITIVE_INFINITY,
    lines: told.reduce((sum, { lines }) => sum + lines, 0),
    logged: told.reduce((sum, { logged }) => sum + logged(), 0),
  }
}

async function stream(perFrame: number): Promise<object> {
  const pane = openPane('1')
  for (let line = 0; line < 20; line += 1) live.writePane(pane, { kind: 'text', text: textOf(line) })
  const before = process.cpuUsage()
  for (let frame = 0; frame < seconds * 10; frame += 1) {
    for (let line = 0; line < perFrame; line += 1)
      live.writePane(pane, { kind: 'text', text: textOf(20 + frame * perFrame + line) })
    await delay(100)
  }
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1e6 }
}

const words = 'the spec says that each plant has a name a room and a day on which it was watered last'.split(
  ' ',
)
function textOf(line: number): string {
  return Array.from({ length: 6 + (line % 7) }, (_, at) => words[(line * 7 + at * 3) % words.length]).join(
    ' ',
  )
}

async function measured(): Promise<object> {
  if (name === 'naive') {
    const before = process.cpuUsage()
    render(createElement(Naive), { patchConsole: false, exitOnCtrlC: false })
    await delay(seconds * 1000)
    const { user, system } = process.cpuUsage(before)
    return { cpu: (user + system) / 1e6, lines: handled }
  }
  keys.start()
  screen.enter()
  if (renderer === 'plain') drawPlainly()
  else {
    const app = mountApp({ screen, desk })
    screen.onResize(app.resize)
    app.show(showing)
  }
  keys.open()
  if (name === 'flood') return await flood()
  // What the first frame costs is not looked at here.
  await delay(1500)
  process.stdout.write('')
  writeFileSync(`${resultFile}.begun`, '')
  return name === 'stream' ? await stream(2) : await stream(0)
}

const result = await measured()
writeFileSync(resultFile, JSON.stringify(result))
screen.leave()
process.exit(0)
