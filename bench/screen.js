// What the run screen costs (docs/terminal.md, "Speed"): bytes to the terminal while nothing happens and while an agent talks,
// against the renderer of Ink; and three agents that print 100,000 lines a second together for 30 seconds, against a
// state of React for each line. node bench/screen.js [seconds of the flood]
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bundle, idleLoop, onTerminal, say } from './kit.mjs'

const floodSeconds = Number(process.argv[2] ?? 30)
const dir = mkdtempSync(join(tmpdir(), 'autopilot-bench-'))
const driver = join(dir, 'driver.mjs')
/** The same with Ink as it comes. */
const plainDriver = join(dir, 'plain-driver.mjs')

/** Runs one case; the bytes are those after its first frames. */
async function drive(name, seconds, renderer = '', whileIt = async () => undefined) {
  const result = join(dir, `${name}${renderer}.json`)
  const program = renderer === 'plain' ? plainDriver : driver
  const terminal = onTerminal([program, result, name, String(seconds), renderer], { cwd: dir })
  let isOver = false
  void terminal.ended.then(() => {
    isOver = true
  })
  while (!existsSync(`${result}.begun`) && !isOver && name !== 'flood' && name !== 'naive') await delay(20)
  const before = terminal.bytes()
  await whileIt(terminal, () => isOver)
  const code = await terminal.ended
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${terminal.text().slice(-2000)}`)
  return { ...JSON.parse(readFileSync(result, 'utf8')), bytes: terminal.bytes() - before }
}

try {
  await bundle('./screen-driver.ts', driver)
  await bundle('./screen-driver.ts', plainDriver, [])
  const idle = await drive('idle', 10)
  say('idle screen with clock', idle.bytes / 10, 400, 'bytes/s')
  const ours = await drive('stream', 10)
  const plain = await drive('stream', 10, 'plain')
  say(
    'a pane that streams at 10 frames/s, bytes',
    ours.bytes / plain.bytes,
    0.4,
    'x plain Ink',
    `${Math.round(ours.bytes / 10)} of ${Math.round(plain.bytes / 10)} bytes/s;`,
  )
  say(
    'the same, processor',
    ours.cpu / plain.cpu,
    1,
    'x plain Ink',
    `${((ours.cpu / 10) * 100).toFixed(0)} % of a core;`,
  )
  const beside = idleLoop()
  const flood = await drive('flood', floodSeconds, '', async (terminal, isOver) => {
    await delay(2000)
    while (!isOver()) {
      terminal.press('?')
      await delay(331)
    }
  })
  const idleLag = await beside.end()
  const naive = await drive('naive', floodSeconds, 'plain')
  say('three agents, 100,000 lines/s: lines lost', flood.lines - flood.logged, 0, `of ${flood.lines}`)
  say('  processor time between two looks, p99', flood.workP99, 50, 'ms')
  // Where others work on this machine too, everybody waits: what counts is what comes on top of that.
  const beyond = (name, ours, idle, most, more = '') =>
    say(
      name,
      Math.max(0, ours - idle),
      most,
      'ms',
      `${ours.toFixed(0)}, an idle loop beside it ${idle.toFixed(0)}; ${more}`,
    )
  beyond('  event loop lag p99', flood.lagP99, idleLag.p99, 50)
  beyond('  key to frame p95', flood.keyP95, idleLag.p95, 100, `${flood.keys} keys;`)
  const perLine = ({ cpu, lines }) => (cpu / lines) * 1e6
  say(
    '  processor for a line',
    perLine(flood) / perLine(naive),
    0.5,
    'x a state for each line',
    `${perLine(flood).toFixed(1)} of ${perLine(naive).toFixed(1)} us, which came to ${naive.lines} lines;`,
  )
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}
