/** How a run is ended from outside, in the words of the journal. */
export type EndingSignal = 'SIGTERM' | 'SIGHUP'

/** Watches for the signals that end the program (docs/durability.md, "Processes"). */
export interface Interruption {
  /** Aborts with the first signal; its name is the reason. */
  readonly signal: AbortSignal
  /** Rejects with an `Interrupted` at the first signal: for waits that nothing else would end. */
  readonly cut: Promise<never>
  /** Which one came, if any. */
  received(): EndingSignal | undefined
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
export function exitCodeOfSignal(signal: EndingSignal): 143 | 129 {
  return signal === 'SIGTERM' ? 143 : 129
}

export function watchInterruption(): Interruption {
  const controller = new AbortController()
  const { signal } = controller
  let first: EndingSignal | undefined
  const cut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => first && reject(new Interrupted(first)), { once: true })
  })
  cut.catch(() => undefined)
  const take = (name: EndingSignal) => {
    first ??= name
    controller.abort(first)
  }
  const onTerm = () => take('SIGTERM')
  const onHangup = () => take('SIGHUP')
  // A terminal that is gone fails every write; what is left to do is done without it.
  const onGone = () => take('SIGHUP')
  process.on('SIGTERM', onTerm)
  process.on('SIGHUP', onHangup)
  process.stdout.on('error', onGone)
  process.stderr.on('error', onGone)
  return {
    signal,
    cut,
    received: () => first,
    settle() {
      process.off('SIGTERM', onTerm)
      process.off('SIGHUP', onHangup)
      if (first === 'SIGHUP') process.kill(process.pid, 'SIGHUP')
    },
  }
}
