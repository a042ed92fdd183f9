import { callSequence, giveTitleBack, keepTitle, titleSequence } from './call.js'
import { type ScreenSize, sizeOf } from './capabilities.js'
import { createFrameWriter } from './frame-writer.js'
import { createInkOutput, type InkOutput } from './ink-output.js'
import { printedRows } from './width.js'

// A wheel that sends arrows is asked not to (1007), as long as the screen is ours.
const enterSequence =
  '\u001b[?1049h\u001b[?1007s\u001b[?1007l\u001b[?7l\u001b[?25l\u001b[?2004h\u001b[2J\u001b[H'
const leaveSequence = '\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1007r\u001b[?1049l'
/** Mends what a killed predecessor left. Not the alternate screen: leaving it would move the cursor. */
const mendSequence = '\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h'

/** Milliseconds after which we are asleep, or there is no job control and nobody would ever wake us. */
const sleepCheck = 300

/** Once something was called out, the title says what goes on. */
const workingTitle = 'autopilot'

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
  /** Clears and draws everything again. */
  repaint(): void
  /** Sleeps as Ctrl+Z in a shell does; not on Windows. */
  suspend(): void
  /** Gives the terminal to another program until the returned function is called. */
  lend(): () => void
  /** After a change of size; the listener sees the new size, the repaint follows. */
  onResize(listener: () => void): () => void
  /** Calls the person, or with undefined puts the title back to what goes on. Nothing of a frame. */
  call(text: string | undefined): void
  /** After leaving: lines to the normal buffer, broken between words. */
  print(lines: readonly string[]): void
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

type ScreenState = 'closed' | 'open' | 'asleep' | 'lent'

/** What is written to the terminal, in each state of the screen. */
function createSurface(host: TerminalProcess, onStray: ScreenOptions['onStray']) {
  const { write, turn: capture } = createCapture(host, onStray)
  let state: ScreenState = 'closed'
  let titled = false
  const frames = createFrameWriter()
  const inkStdout = createInkOutput(sizeOf(host.stdout).columns, (frame) => {
    if (state !== 'open') return false
    const bytes = frames.paint(frame, sizeOf(host.stdout))
    if (bytes !== '') write(bytes)
    return true
  })
  return {
    inkStdout,
    write,
    frames,
    get state() {
      return state
    },
    show(): void {
      state = 'open'
      frames.forget()
      write(enterSequence)
      capture(true)
    },
    hide(next: Exclude<ScreenState, 'open'>): void {
      state = next
      // What others write stays away from a program that has the terminal for now.
      capture(next === 'lent')
      write(titled && next === 'closed' ? leaveSequence + giveTitleBack : leaveSequence)
    },
    /** Left while another program had the terminal: nothing is restored, as nothing is shown. */
    forget(): void {
      state = 'closed'
      capture(false)
    },
    call(text: string | undefined, quiet = false): void {
      if (state !== 'open' || (!titled && text === undefined)) return
      if (!titled) write(keepTitle)
      titled = true
      const isTitle = text === undefined || quiet
      write(isTitle ? titleSequence(text ?? workingTitle) : callSequence(text, process.env))
    },
  }
}

export function createScreen(options: ScreenOptions = {}): Screen {
  const host = options.process ?? process
  const { stdout } = host
  const surface = createSurface(host, options.onStray)
  const { inkStdout, write, show, hide } = surface
  const resizeListeners = new Set<() => void>()
  let registered = false

  function enter(): void {
    if (surface.state !== 'closed') return
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
    if (surface.state === 'closed') return
    stdout.off('resize', resized)
    host.off('SIGTSTP', suspend)
    host.off('SIGCONT', continued)
    try {
      if (surface.state === 'open') hide('closed')
      else surface.forget()
    } catch {
      // The terminal is gone; there is nothing left to restore.
    }
  }

  function repaint(): void {
    if (surface.state !== 'open') return
    surface.frames.forget()
    // Ink lays its frame out for the width that it finds, and hands it over.
    inkStdout.columns = sizeOf(stdout).columns
    inkStdout.emit('resize')
    inkStdout.paint()
  }

  function resized(): void {
    for (const listener of resizeListeners) listener()
    // The tree takes the new size first, so that the repaint draws it once.
    setImmediate(repaint)
  }

  function suspend(): void {
    if (surface.state !== 'open' || host.platform === 'win32') return
    options.onSuspend?.()
    hide('asleep')
    host.off('SIGTSTP', suspend)
    // The whole group, or a wrapper such as npx would keep the terminal.
    host.kill(0, 'SIGTSTP')
    setTimeout(() => {
      if (surface.state === 'asleep') continued()
    }, sleepCheck)
  }

  function continued(): void {
    if (surface.state === 'closed' || surface.state === 'lent') return
    if (surface.state === 'asleep') host.on('SIGTSTP', suspend)
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
    lend: () => lend(surface, resized),
    call: surface.call,
    onResize(listener) {
      resizeListeners.add(listener)
      return () => resizeListeners.delete(listener)
    },
    print(lines) {
      const rows = lines.flatMap((text) => printedRows(text, sizeOf(stdout).columns))
      if (rows.length > 0) write(`${rows.join('\n')}\n`)
    },
  }
}

function lend(surface: ReturnType<typeof createSurface>, resized: () => void): () => void {
  if (surface.state !== 'open') return () => undefined
  surface.hide('lent')
  return () => {
    if (surface.state !== 'lent') return
    surface.show()
    resized()
  }
}
