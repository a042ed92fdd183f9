import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { keySequence } from './keys.js'

// Both packages are CommonJS with a `module` field that names no shipped file, so they are required by hand.
const require = createRequire(import.meta.url)
const { Terminal: Screen } = require('@xterm/headless') as typeof import('@xterm/headless')
const UnicodeGraphemesAddon = loadGraphemes()
const pty = require('@lydell/node-pty') as typeof import('@lydell/node-pty')

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The command that starts the built program; `npm run build` first. */
export const autopilotCommand = [process.execPath, join(root, 'bin', 'autopilot.js')]

/** Text, pattern or test of the whole screen. */
export type Sight = string | RegExp | ((screen: string) => boolean)

export interface TerminalOptions {
  /** Arguments of autopilot; ignored when `command` is given. */
  argv?: string[]
  /** Another program with its arguments. */
  command?: string[]
  cwd: string
  /** Complete environment of the child but for PATH, TERM and LANG, which are set when absent. Nothing is inherited. */
  env?: Record<string, string>
  cols?: number
  rows?: number
}

export interface TestTerminal {
  readonly pid: number
  /** Where the program was started. */
  readonly cwd: string
  /** The rows that a person sees now, without trailing blanks, joined by newlines. */
  screen(): string
  /** Every kept row of the active buffer: scrollback and screen. */
  everything(): string
  alternate(): boolean
  /** Column and row of the cursor, from 0. */
  cursor(): { x: number; y: number }
  /** Settles with the screen as soon as it shows `sight`; on timeout, or after the child ended, throws with the screen. */
  waitFor(sight: Sight, options?: { timeoutMs?: number }): Promise<string>
  waitForGone(sight: Sight, options?: { timeoutMs?: number }): Promise<string>
  /** Named keys or single characters, each in a write of its own. */
  press(...keys: string[]): Promise<void>
  /** All characters in one write, as type-ahead arrives. */
  type(text: string): void
  /** As a terminal pastes: bracketed when the program asked for it. */
  paste(text: string): void
  resize(cols: number, rows: number): void
  /** Bytes as they came, decoded; for what the parsed screen cannot tell. */
  raw(): string
  /** How often a sequence was written, e.g. `\u001b[3J`. */
  count(sequence: string): number
  readonly exit: Promise<{ code: number; signal: number }>
  kill(signal?: string): void
  /** Takes the terminal itself away, as a window that is closed: reads and writes of the program fail from then on. */
  close(): void
}

const defaultTimeoutMs = 15_000
const pollMs = 15
/** After an escape key the next byte must not look like the rest of a sequence. */
const escapeGapMs = 80

const sees = (sight: Sight, screen: string): boolean => {
  if (typeof sight === 'string') return screen.includes(sight)
  if (sight instanceof RegExp) return new RegExp(sight.source, sight.flags.replace('g', '')).test(screen)
  return sight(screen)
}

/** Opens a real pseudo-terminal whose output is parsed by a headless xterm. Ends with the test that opened it. */
export function openTerminal(options: TerminalOptions): TestTerminal {
  const { cols = 80, rows = 24 } = options
  const [file, ...args] = options.command ?? [...autopilotCommand, ...(options.argv ?? [])]
  if (file === undefined) throw new Error('A command needs at least a program.')
  const display = new Screen({ cols, rows, allowProposedApi: true, scrollback: 2000 })
  display.loadAddon(new UnicodeGraphemesAddon())
  const child = pty.spawn(file, args, {
    // The library puts this into TERM, whatever the environment says.
    name: options.env?.TERM ?? 'xterm-256color',
    cols,
    rows,
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env },
  })

  const giveUp = patient(child)
  let bytes = ''
  let ended: { code: number; signal: number } | undefined
  child.onData((data) => {
    bytes += data
    display.write(data)
  })
  // Answers of the terminal to queries of the program, as a real one gives them.
  display.onData((reply) => {
    if (!ended) child.write(reply)
  })
  const exit = new Promise<{ code: number; signal: number }>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      const end = { code: exitCode, signal: signal ?? 0 }
      ended = end
      // What it wrote last is on the screen by then.
      display.write('', () => resolve(end))
    })
  })

  const rowsOf = (from: number, to: number) => {
    const lines: string[] = []
    for (let row = from; row < to; row += 1) {
      lines.push(display.buffer.active.getLine(row)?.translateToString(true) ?? '')
    }
    return lines.join('\n').trimEnd()
  }
  const screen = () => {
    const top = display.buffer.active.baseY
    return rowsOf(top, top + display.rows)
  }
  const parsed = () => new Promise<void>((resolve) => display.write('', resolve))

  const waitUntil = async (wanted: (screen: string) => boolean, what: string, timeoutMs: number) => {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const over = ended !== undefined
      await parsed()
      const now = screen()
      if (wanted(now)) return now
      const late = performance.now() > deadline
      if (late || over) {
        // The last bytes of a child may arrive after its exit is reported.
        if (over && !late) await delay(200)
        await parsed()
        const last = screen()
        if (wanted(last)) return last
        const reason = over ? `the program ended (${JSON.stringify(ended)})` : `${timeoutMs} ms passed`
        throw new Error(`Waited for ${what}, but ${reason}. The screen is:\n${frame(last, display.cols)}`)
      }
      await delay(pollMs)
    }
  }

  const kill = (signal = 'SIGKILL') => {
    if (!ended) child.kill(signal)
  }
  endWithTest(kill)

  return {
    pid: child.pid,
    cwd: options.cwd,
    screen,
    everything: () => rowsOf(0, display.buffer.active.length),
    alternate: () => display.buffer.active.type === 'alternate',
    cursor: () => ({ x: display.buffer.active.cursorX, y: display.buffer.active.cursorY }),
    waitFor: (sight, { timeoutMs = defaultTimeoutMs } = {}) =>
      waitUntil((now) => sees(sight, now), String(sight), timeoutMs),
    waitForGone: (sight, { timeoutMs = defaultTimeoutMs } = {}) =>
      waitUntil((now) => !sees(sight, now), `${String(sight)} to go`, timeoutMs),
    async press(...keys) {
      for (const key of keys) {
        child.write(keySequence(key))
        await delay(key === 'escape' ? escapeGapMs : 1)
      }
    },
    type: (text) => child.write(text),
    paste(text) {
      child.write(display.modes.bracketedPasteMode ? `\u001b[200~${text}\u001b[201~` : text)
    },
    resize(nextCols, nextRows) {
      display.resize(nextCols, nextRows)
      child.resize(nextCols, nextRows)
    },
    raw: () => bytes,
    count: (sequence) => bytes.split(sequence).length - 1,
    exit,
    kill,
    close() {
      giveUp()
      ;(child as typeof child & { destroy(): void }).destroy()
    },
  }
}

/**
 * The library takes the terminal of a program away 200 ms after its end, read or not: on a busy machine what it wrote last would
 * be lost. Here it is read first. What it returns ends that.
 */
function patient(child: ReturnType<typeof pty.spawn>): () => void {
  const { _socket: socket } = child as typeof child & { _socket: Socket }
  const destroy = socket.destroy.bind(socket)
  let waits = true
  socket.destroy = (error) => {
    if (!waits) return destroy(error)
    setTimeout(() => destroy(error), 300)
    return socket
  }
  return () => {
    waits = false
  }
}

/** The addon reads its table from the start of a Buffer's memory, which is wrong when the Buffer comes from the pool. */
function loadGraphemes() {
  const { poolSize } = Buffer
  Buffer.poolSize = 0
  try {
    const addon = require('@xterm/addon-unicode-graphemes') as typeof import('@xterm/addon-unicode-graphemes')
    return addon.UnicodeGraphemesAddon
  } finally {
    Buffer.poolSize = poolSize
  }
}

function frame(screen: string, cols: number): string {
  const edge = `+${'-'.repeat(cols)}+`
  return [edge, ...screen.split('\n').map((line) => `|${line}`), edge].join('\n')
}

function endWithTest(kill: () => void) {
  process.once('exit', kill)
  onTestFinished(() => {
    kill()
    process.off('exit', kill)
  })
}
