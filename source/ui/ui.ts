import { decideTerminal, prepareEnvironment } from '../terminal/capabilities.js'
import { createKeyPump } from '../terminal/key-pump.js'
import { createScreen } from '../terminal/screen.js'
import type { Answer } from '../view/question.js'
import { afterFrame } from './after-frame.js'
import type { QuitKind, StartChoice, Ui } from './contract.js'

export type { QuitKind, StartCandidate, StartChoice, StartData, StartSession, Ui } from './contract.js'

export interface UiOptions {
  /** Output of others while the screen is open, which must not reach the terminal. */
  onStray?: (stream: 'stdout' | 'stderr', text: string) => void
}

/** Milliseconds that a gate has to be visible before a key counts: docs/terminal.md "Gates". */
const armAfter = 500

/**
 * Opens the screen. The caller has checked that there is one (terminal/capabilities.ts) and keeps a copy of the
 * environment for children, since Ink needs some variables changed.
 */
export async function openUi(options: UiOptions = {}): Promise<Ui> {
  const mode = decideTerminal(process.env, process.stdin, process.stdout)
  prepareEnvironment()
  const [{ mountApp }, { createTheme }, { createFrameStore }] = await Promise.all([
    import('./mount.js'),
    import('./theme.js'),
    import('./frame-store.js'),
  ])
  const keys = createKeyPump(process.stdin)
  const unsettled = new Set<() => void>()
  const quitListeners = new Set<(how: QuitKind) => void>()
  /** What Ctrl+C does where the screen waits for a person; undefined where a run goes on. */
  let dismiss: (() => void) | undefined
  let stops = 0
  let finished: Promise<void> | undefined

  function settleAgain(): void {
    keys.drop()
    for (const listener of unsettled) listener()
  }

  const screen = createScreen({
    onStray: options.onStray,
    onSuspend: keys.suspend,
    onResume() {
      // Off and on, since the terminal may have lost raw mode without our knowing.
      keys.suspend()
      keys.resume()
      settleAgain()
    },
  })

  function quit(how: QuitKind): void {
    for (const listener of quitListeners) listener(how)
  }

  function interrupt(): void {
    if (dismiss) {
      dismiss()
    } else {
      stops += 1
      quit(stops === 1 ? 'stop' : 'kill')
    }
  }

  keys.onUrgent((key) => {
    if (key === 'interrupt') interrupt()
    else if (key === 'suspend') screen.suspend()
    else screen.repaint()
  })
  keys.start()
  screen.enter()
  const app = mountApp({
    screen,
    desk: {
      keys,
      theme: createTheme(mode.kind === 'screen' && mode.unicode),
      armAfter,
      afterFrame: (listener) => afterFrame(screen.inkStdout.afterWrite, listener),
      onUnsettled(listener) {
        unsettled.add(listener)
        return () => unsettled.delete(listener)
      },
    },
  })
  screen.onResize(() => {
    app.resize()
    settleAgain()
  })
  screen.inkStdout.afterWrite(() => keys.open())
  const goneListener = () => quit('kill')
  process.stdin.on('error', goneListener)
  process.stdin.on('end', goneListener)

  function wait<Value>(show: (settle: (value: Value) => void) => void, dismissed: Value): Promise<Value> {
    return new Promise((resolve) => {
      const settle = (value: Value) => {
        if (dismiss === leave) dismiss = undefined
        app.show({ kind: 'busy', text: 'One moment' })
        resolve(value)
      }
      const leave = () => settle(dismissed)
      dismiss = leave
      show(settle)
    })
  }

  async function close(summary: string[]): Promise<void> {
    process.stdin.off('error', goneListener)
    process.stdin.off('end', goneListener)
    await app.unmount()
    await keys.stop()
    screen.leave()
    if (summary.length > 0) screen.print(`${summary.join('\n')}\n`)
  }

  return {
    choose: (data) =>
      wait<StartChoice>((onChoose) => app.show({ kind: 'choose', data, onChoose }), { kind: 'quit' }),
    ask: (question, header) =>
      wait<Answer | 'quit'>((onAnswer) => app.show({ kind: 'ask', question, header, onAnswer }), 'quit'),
    watch(store, controls) {
      const onStop = () => {
        stops = Math.max(stops, 1)
        quit('stop')
      }
      app.show({ kind: 'run', frames: createFrameStore(store), controls, onStop })
    },
    busy(text) {
      app.show({ kind: 'busy', text })
    },
    done: (title, lines) =>
      wait<void>((onClose) => app.show({ kind: 'done', title, lines, onClose }), undefined),
    onQuit(listener) {
      quitListeners.add(listener)
      return () => quitListeners.delete(listener)
    },
    finish(summary) {
      finished ??= close(summary)
      return finished
    },
  }
}
