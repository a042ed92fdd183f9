import { hasUnicode, type PlainInput } from '../../terminal/capabilities.js'
import { createKeyPump, type KeyPump } from '../../terminal/key-pump.js'
import { createLineReader } from '../../terminal/line-reader.js'
import { armAfter } from '../arming.js'
import type { Ui } from '../contract.js'
import { createQuit } from '../quit.js'
import { createLines, type PlainTerminal, plainTerminal } from './lines.js'
import { askByLines } from './question-dialog.js'
import { chooseByLines } from './start-dialog.js'
import { watchByLines } from './watch.js'

const pasteOn = '\u001b[?2004h'
const pasteOff = '\u001b[?2004l'

type Quit = ReturnType<typeof createQuit>

/** Keys in raw mode, with what Ctrl+C and Ctrl+Z mean; the returned function gives the terminal back. */
function openKeys(
  keys: KeyPump,
  terminal: PlainTerminal,
  marksPaste: boolean,
  quit: Quit,
): () => Promise<void> {
  const turn = (on: boolean) => {
    if (marksPaste) terminal.write(on ? pasteOn : pasteOff)
  }

  function sleep(): void {
    if (process.platform === 'win32') return
    turn(false)
    keys.suspend()
    process.kill(0, 'SIGTSTP')
  }

  function wake(): void {
    keys.suspend()
    keys.resume()
    turn(true)
  }

  const restore = () => turn(false)
  keys.onUrgent((key) => {
    if (key === 'interrupt') quit.interrupt()
    else if (key === 'suspend') sleep()
  })
  process.on('exit', restore)
  process.on('SIGCONT', wake)
  process.stdin.on('error', quit.gone)
  process.stdin.on('end', quit.gone)
  keys.start()
  keys.open()
  turn(true)
  return async () => {
    process.off('SIGCONT', wake)
    process.off('exit', restore)
    process.stdin.off('error', quit.gone)
    process.stdin.off('end', quit.gone)
    await keys.stop()
    restore()
    terminal.close()
  }
}

/** The same program in lines: docs/terminal.md "Plain mode". With `none` for input every question stops it. */
export function openPlainUi(input: PlainInput): Ui {
  const quit = createQuit()
  const terminal = input === 'none' ? undefined : plainTerminal()
  const keys = createKeyPump(process.stdin)
  const wholeLines = input === 'dumb'
  const lines = createLines({
    out: (text) => void process.stdout.write(text),
    terminal,
    reader: terminal && createLineReader({ keys, write: terminal.write, armAfter, wholeLines }),
    wantsWords: wholeLines,
    unicode: hasUnicode(process.env),
  })
  const closeKeys = terminal && openKeys(keys, terminal, !wholeLines, quit)
  let endWatch: () => readonly string[] = () => []
  let shown: readonly string[] = []
  let finished: Promise<void> | undefined

  async function dismissable<Value>(ask: () => Promise<Value>): Promise<Value> {
    endWatch()
    const settled = quit.dismissing(lines.cancel)
    try {
      return await ask()
    } finally {
      settled()
    }
  }

  function nobody(what: string): void {
    if (!lines.read) lines.show([`${what} There is no terminal to answer it in; start it in a terminal.`])
  }

  async function close(summary: string[]): Promise<void> {
    endWatch()
    lines.tell(summary.filter((line) => line !== '' && !shown.includes(line)))
    await closeKeys?.()
  }

  return {
    choose: (data) =>
      dismissable(() => {
        nobody('What shall be worked on was not said.')
        return chooseByLines(data, lines)
      }),
    ask: (question, header) =>
      dismissable(async () => {
        lines.show([header])
        const answer = await askByLines(question, lines)
        nobody('A question waits.')
        return answer ?? 'quit'
      }),
    watch(store, controls) {
      endWatch()
      endWatch = watchByLines({ store, controls, lines, onStop: quit.stop })
    },
    alert(text, quiet = false) {
      // The line itself says what it is about.
      if (text !== undefined && !quiet && !wholeLines) terminal?.write('\u0007')
    },
    busy(text) {
      endWatch()
      lines.tell([text])
    },
    async done(title, told) {
      const report = endWatch()
      shown = told
      // The page begins with the report that was told as the last thing of the run.
      const isTold = report.length > 0 && report.every((text, index) => told[index] === text)
      lines.tell(['', title, ...(isTold ? told.slice(report.length) : told)])
    },
    onQuit: quit.listen,
    interrupt: quit.interrupt,
    finish(summary) {
      finished ??= close(summary)
      return finished
    },
  }
}
