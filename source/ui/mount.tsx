import { render } from 'ink'
import type { Screen } from '../terminal/screen.js'
import { App, createCell, type Showing } from './app.js'
import type { Desk } from './hooks/desk.js'

export interface MountedApp {
  show(showing: Showing): void
  /** Takes the new size of the terminal. */
  resize(): void
  unmount(): Promise<void>
}

/** Starts Ink on the screen. Everything that the screen shows later is set from outside of React. */
export function mountApp({ screen, desk }: { screen: Screen; desk: Desk }): MountedApp {
  const size = createCell(screen.size())
  const showing = createCell<Showing>({ kind: 'busy', text: 'Starting' })
  const instance = render(<App desk={desk} size={size} showing={showing} />, {
    // Ink only needs what these two stand-ins have.
    stdout: screen.inkStdout as unknown as NodeJS.WriteStream,
    stdin: desk.keys.inkStdin as unknown as NodeJS.ReadStream,
    exitOnCtrlC: false,
    patchConsole: false,
    // Each whole frame is handed over: the screen writes what changed. The data throttle is in the frame store.
    debug: true,
  })
  const exited = instance.waitUntilExit()
  return {
    show: showing.set,
    resize: () => size.set(screen.size()),
    async unmount() {
      instance.unmount()
      await exited
    },
  }
}
