import { constants } from 'node:os'
import { isReaderGone } from '../problem.js'

/** How a run is ended from outside, in the words of the journal; SIGINT also stands for two times Ctrl+C. */
export type EndingSignal = (typeof ending)[number] | 'SIGINT'

/**
 * Signals that end the program at once; SIGINT is asked about with the keys first. Unheard, SIGUSR1 would open Node to debuggers
 * and the others would leave the terminal as it is.
 */
const ending = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGXCPU'] as const

/** A file that may not become larger is a write that failed, told where it happens; unheard, the signal ends Node at once. */
const refused = () => undefined

/** Watches for the signals that end the program (docs/durability.md, "Processes"). */
export interface Interruption {
  /** Aborts with the first signal; its name is the reason. */
  readonly signal: AbortSignal
  /** Rejects with an `Interrupted` at the first signal: for waits that nothing else would end. */
  readonly cut: Promise<never>
  /** Which one came, if any. */
  received(): EndingSignal | undefined
  /** What stdout or stderr failed with, where somebody reads them still: a full disk below a file is no hangup. */
  unwritable(): Error | undefined
  /** SIGINT from outside is one Ctrl+C from now on; before that it ends the program. */
  onInterrupt(listener: () => void): void
  /** Ends the program as this signal does. */
  end(signal: EndingSignal): void
  /** Ends the watch. After a hangup the signal is raised again, since exiting by hand aborts when the terminal is gone. */
  settle(): void
}

/** Thrown through what waited for a person when the program was told to end. */
export class Interrupted extends Error {
  constructor(readonly by: EndingSignal) {
    super(`ended by ${by}`)
    this.name = 'Interrupted'
  }
}

/** Exit code of a program that a signal ended: 128 + its number. */
export function exitCodeOfSignal(signal: EndingSignal): number {
  return 128 + constants.signals[signal]
}

export function watchInterruption(host: Pick<NodeJS.Process, 'on' | 'off'> = process): Interruption {
  const controller = new AbortController()
  const { signal } = controller
  let first: EndingSignal | undefined
  let interrupt: (() => void) | undefined
  let isOver = false
  const cut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => first && reject(new Interrupted(first)), { once: true })
  })
  cut.catch(() => undefined)
  const take = (name: EndingSignal) => {
    first ??= name
    controller.abort(first)
  }
  const onInt = () => (interrupt ? interrupt() : take('SIGINT'))
  let failed: Error | undefined
  // A terminal that is gone fails every write; what is left to do is done without it.
  const onGone = (error: Error) => {
    if (first === undefined && !isReaderGone(error)) failed = error
    take('SIGHUP')
  }
  const listeners = ending.map((name) => [name, () => take(name)] as const)
  for (const [name, listener] of listeners) host.on(name, listener)
  host.on('SIGINT', onInt)
  host.on('SIGXFSZ', refused)
  process.stdout.on('error', onGone)
  process.stderr.on('error', onGone)
  return {
    signal,
    cut,
    received: () => first,
    unwritable: () => failed,
    onInterrupt(listener) {
      interrupt = listener
    },
    end: take,
    settle() {
      if (isOver) return
      isOver = true
      for (const [name, listener] of listeners) host.off(name, listener)
      host.off('SIGINT', onInt)
      host.off('SIGXFSZ', refused)
      process.stdout.off('error', onGone)
      process.stderr.off('error', onGone)
      if (first === 'SIGHUP' && failed === undefined) process.kill(process.pid, 'SIGHUP')
    },
  }
}
