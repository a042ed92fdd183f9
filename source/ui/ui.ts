import { decideTerminal, prepareEnvironment } from '../terminal/capabilities.js'
import { type EditorEnd, editorOf, runEditor } from '../terminal/editor.js'
import { createKeyPump } from '../terminal/key-pump.js'
import { plainSigns } from '../terminal/plain-signs.js'
import { createScreen } from '../terminal/screen.js'
import type { Answer } from '../view/question.js'
import { afterFrame } from './after-frame.js'
import { armAfter } from './arming.js'
import type { StartChoice, Ui } from './contract.js'
import { createQuit } from './quit.js'

export type { QuitKind, StartCandidate, StartChoice, StartData, StartSession, Ui } from './contract.js'

export interface UiOptions {
  /** Output of others while the screen is open, which must not reach the terminal. */
  onStray?: (stream: 'stdout' | 'stderr', text: string) => void
}

/** Listeners that are told when what a person saw may have changed. */
function createUnsettled() {
  const listeners = new Set<() => void>()
  return {
    listen(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell() {
      for (const listener of listeners) listener()
    },
  }
}

/** Keys and terminal of the one screen, and what is told when either changes. */
function openTerminal(options: UiOptions, quit: ReturnType<typeof createQuit>) {
  const keys = createKeyPump(process.stdin)
  const unsettled = createUnsettled()

  function settleAgain(): void {
    keys.drop()
    unsettled.tell()
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
  keys.onUrgent((key) => {
    if (key === 'interrupt') quit.interrupt()
    else if (key === 'suspend') screen.suspend()
    else screen.repaint()
  })
  keys.start()
  screen.enter()
  process.stdin.on('error', quit.gone)
  process.stdin.on('end', quit.gone)

  /** Gives the terminal back once the last frame is drawn. */
  async function close(unmount: () => Promise<void>): Promise<void> {
    process.stdin.off('error', quit.gone)
    process.stdin.off('end', quit.gone)
    await unmount()
    await keys.stop()
    screen.leave()
  }

  /** A file in the editor of the person; keys and screen are the editor's meanwhile. */
  async function edit(path: string): Promise<EditorEnd> {
    if (editorOf(process.env) === undefined) return { kind: 'missing' }
    keys.suspend()
    const takeBack = screen.lend()
    try {
      return await runEditor(path)
    } finally {
      takeBack()
      keys.resume()
      settleAgain()
    }
  }

  return { keys, screen, unsettled, settleAgain, edit, close }
}

/** Ink's layout asks `fetch` for a part of itself that it has, which loads all of Node's client for HTTP (56 ms, measured). */
async function withoutFetch<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
  Reflect.deleteProperty(globalThis, 'fetch')
  try {
    return await load()
  } finally {
    if (own) Object.defineProperty(globalThis, 'fetch', own)
  }
}

/**
 * Opens the screen. The caller has checked that there is one (terminal/capabilities.ts) and keeps a copy of the
 * environment for children, since Ink needs some variables changed.
 */
export async function openUi(options: UiOptions = {}): Promise<Ui> {
  const mode = decideTerminal(process.env, process.stdin, process.stdout)
  const unicode = mode.kind === 'screen' && mode.unicode
  prepareEnvironment()
  const [{ mountApp }, { createTheme }, { createFrameStore }] = await withoutFetch(() =>
    Promise.all([import('./mount.js'), import('./theme.js'), import('./frame-store.js')]),
  )
  const quit = createQuit()
  const terminal = openTerminal(options, quit)
  const { keys, screen, unsettled } = terminal
  const app = mountApp({
    screen,
    desk: {
      keys,
      theme: createTheme(unicode),
      armAfter,
      afterFrame: (listener) => afterFrame(screen.inkStdout.afterWrite, listener),
      onUnsettled: unsettled.listen,
      edit: terminal.edit,
    },
  })
  screen.onResize(() => {
    app.resize()
    terminal.settleAgain()
  })
  screen.inkStdout.afterWrite(() => keys.open())
  let finished: Promise<void> | undefined

  function wait<Value>(show: (settle: (value: Value) => void) => void, dismissed: Value): Promise<Value> {
    return new Promise((resolve) => {
      const settle = (value: Value) => {
        settled()
        app.show({ kind: 'busy', text: 'One moment' })
        resolve(value)
      }
      const settled = quit.dismissing(() => settle(dismissed))
      show(settle)
    })
  }

  async function close(summary: string[]): Promise<void> {
    await terminal.close(() => app.unmount())
    const lines = summary.flatMap((text) => text.split('\n'))
    screen.print(unicode ? lines : lines.map(plainSigns))
  }

  return {
    choose: (data) =>
      wait<StartChoice>((onChoose) => app.show({ kind: 'choose', data, onChoose }), { kind: 'quit' }),
    ask: (question, header) =>
      wait<Answer | 'quit'>((onAnswer) => app.show({ kind: 'ask', question, header, onAnswer }), 'quit'),
    watch: (store, controls) =>
      app.show({ kind: 'run', frames: createFrameStore(store), controls, onStop: quit.stop }),
    alert: screen.call,
    busy: (text) => app.show({ kind: 'busy', text }),
    done: (title, lines) =>
      wait<void>((onClose) => app.show({ kind: 'done', title, lines, onClose }), undefined),
    onQuit: quit.listen,
    interrupt: quit.interrupt,
    finish(summary) {
      finished ??= close(summary)
      return finished
    },
  }
}
