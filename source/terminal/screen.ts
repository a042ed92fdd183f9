import { type ScreenSize, sizeOf } from './capabilities.js'
import { createInkOutput, type InkOutput } from './ink-output.js'

const enterSequence = '\u001b[?1049h\u001b[?7l\u001b[?25l\u001b[?2004h\u001b[2J\u001b[H'
const leaveSequence = '\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l'
/** Mends what a killed predecessor left. Not the alternate screen: leaving it would move the cursor. */
const mendSequence = '\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h'
const clearSequence = '\u001b[2J\u001b[H'

/** Milliseconds after which we are asleep, or there is no job control and nobody would ever wake us. */
const sleepCheck = 300

type StreamName = 'stdout' | 'stderr'

/** The part of a terminal stream that the owner uses. */
export interface TerminalStream {
  write: NodeJS.WriteStream['write']
  columns?: number
  rows?: number
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** The part of `process` that the owner uses. */
export interface TerminalProcess {
  stdout: TerminalStream
  stderr: Pick<TerminalStream, 'write'>
  platform: NodeJS.Platform
  pid: number
  on(event: 'exit' | 'SIGTSTP' | 'SIGCONT', listener: () => void): unknown
  off(event: 'exit' | 'SIGTSTP' | 'SIGCONT', listener: () => void): unknown
  kill(pid: number, signal: string): unknown
}

export interface ScreenOptions {
  /** What others write while the screen is open. */
  onStray?: ((stream: StreamName, text: string) => void) | undefined
  /** Before the program sleeps, and after it woke up: raw mode belongs to the key pump. */
  onSuspend?: () => void
  onResume?: () => void
  process?: TerminalProcess
}

/** The one owner of the alternate screen: docs/terminal.md "Screen". Every call is synchronous and may be repeated. */
export interface Screen {
  readonly inkStdout: InkOutput
  size(): ScreenSize
  enter(): void
  leave(): void
  /** Clears and lets Ink draw everything again. */
  repaint(): void
  /** Sleeps as Ctrl+Z in a shell does; not on Windows. */
  suspend(): void
  /** After a change of size; the listener sees the new size, the repaint follows. */
  onResize(listener: () => void): () => void
  /** After leaving: writes to the normal buffer. */
  print(text: string): void
}

/** While it is on, what others write goes to `onStray` instead of the terminal. */
function createCapture({ stdout, stderr }: TerminalProcess, onStray: ScreenOptions['onStray']) {
  const own = { stdout: stdout.write, stderr: stderr.write }

  function stray(name: StreamName): TerminalStream['write'] {
    return ((data: string | Uint8Array, ...rest: unknown[]) => {
      onStray?.(name, typeof data === 'string' ? data : Buffer.from(data).toString('utf8'))
      const callback = rest.at(-1)
      if (typeof callback === 'function') queueMicrotask(() => callback())
      return true
    }) as TerminalStream['write']
  }

  return {
    /** Writes to the terminal, captured or not. */
    write: (data: string | Uint8Array): boolean => own.stdout.call(stdout, data),
    turn(on: boolean): void {
      stdout.write = on ? stray('stdout') : own.stdout
      stderr.write = on ? stray('stderr') : own.stderr
    },
  }
}

/** Lets Ink draw its frame again, also an unchanged one: it does so only after it saw the width shrink. */
function drawAgain(inkStdout: InkOutput, columns: number): void {
  inkStdout.columns = Math.min(inkStdout.columns, columns) - 1
  inkStdout.emit('resize')
  inkStdout.columns = columns
  inkStdout.emit('resize')
}

export function createScreen(options: ScreenOptions = {}): Screen {
  const host = options.process ?? process
  const { stdout } = host
  const { write, turn: capture } = createCapture(host, options.onStray)
  const resizeListeners = new Set<() => void>()
  const inkStdout = createInkOutput(sizeOf(stdout).columns, (data) => (state === 'open' ? write(data) : true))
  let state: 'closed' | 'open' | 'asleep' = 'closed'
  let registered = false

  function show(): void {
    state = 'open'
    write(enterSequence)
    capture(true)
  }

  function hide(next: 'closed' | 'asleep'): void {
    state = next
    capture(false)
    write(leaveSequence)
  }

  function enter(): void {
    if (state !== 'closed') return
    if (!registered) {
      registered = true
      host.on('exit', leave)
      write(mendSequence)
    }
    show()
    stdout.on('resize', resized)
    host.on('SIGTSTP', suspend)
    host.on('SIGCONT', continued)
  }

  function leave(): void {
    if (state === 'closed') return
    const shown = state === 'open'
    stdout.off('resize', resized)
    host.off('SIGTSTP', suspend)
    host.off('SIGCONT', continued)
    state = 'closed'
    if (!shown) return
    try {
      hide('closed')
    } catch {
      // The terminal is gone; there is nothing left to restore.
    }
  }

  function repaint(): void {
    if (state !== 'open') return
    write(clearSequence)
    drawAgain(inkStdout, sizeOf(stdout).columns)
  }

  function resized(): void {
    for (const listener of resizeListeners) listener()
    // The tree takes the new size first, so that the repaint draws it once.
    setImmediate(repaint)
  }

  function suspend(): void {
    if (state !== 'open' || host.platform === 'win32') return
    options.onSuspend?.()
    hide('asleep')
    host.off('SIGTSTP', suspend)
    // The whole group, or a wrapper such as npx would keep the terminal.
    host.kill(0, 'SIGTSTP')
    setTimeout(() => {
      if (state === 'asleep') continued()
    }, sleepCheck)
  }

  function continued(): void {
    if (state === 'closed') return
    if (state === 'asleep') host.on('SIGTSTP', suspend)
    show()
    options.onResume?.()
    // The size may have changed while another program had the terminal.
    if (host.platform !== 'win32') host.kill(host.pid, 'SIGWINCH')
    resized()
  }

  return {
    inkStdout,
    size: () => sizeOf(stdout),
    enter,
    leave,
    repaint,
    suspend,
    onResize(listener) {
      resizeListeners.add(listener)
      return () => resizeListeners.delete(listener)
    },
    print: write,
  }
}
