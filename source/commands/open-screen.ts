import { type Interruption, watchInterruption } from '../sessions/interruption.js'
import { terminalMode } from '../ui/terminal-mode.js'
import type { Ui } from '../ui/ui.js'

/** The screen of a run, or its lines, and what ends it from outside. */
export interface OpenScreen {
  ui: Ui
  interruption: Interruption
}

/** What waits for a turn of the event loop is done first: a frame is painted, a key has its effect. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The full screen where there is one and it is wanted, else lines. */
export async function openScreen(plain: boolean): Promise<OpenScreen> {
  const interruption = watchInterruption()
  const ui = await openUi(plain)
  interruption.onInterrupt(ui.interrupt)
  // Two times Ctrl+C is the end of the program, wherever it is.
  ui.onQuit((how) => how === 'kill' && interruption.end('SIGINT'))
  return { ui, interruption }
}

async function openUi(plain: boolean): Promise<Ui> {
  const mode = terminalMode(plain)
  if (mode.kind === 'screen') return (await import('../ui/ui.js')).openUi()
  return (await import('../ui/plain/plain-ui.js')).openPlainUi(mode.input)
}

/**
 * Does something with a screen whose first frame is there before anything is loaded that is needed behind it (docs/terminal.md,
 * "Start"). Where there are only lines, or `isWanted` is false, nothing is opened yet.
 */
export async function withEarlyScreen<Result>(
  { plain, isWanted }: { plain: boolean; isWanted: boolean },
  work: (screen: OpenScreen | undefined) => Promise<Result>,
): Promise<Result> {
  if (!isWanted || terminalMode(plain).kind !== 'screen') return await work(undefined)
  const screen = await openScreen(plain)
  try {
    // Frames are painted between turns; loading would hold this one up.
    await turn()
    return await work(screen)
  } finally {
    // What is told from here on belongs to the shell.
    await screen.ui.finish([])
    screen.interruption.settle()
  }
}
