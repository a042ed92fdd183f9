import { isTyped } from './key-names.js'
import type { Key, KeyPump } from './key-pump.js'
import { sanitizeText } from './sanitize.js'
import { graphemes, textWidth } from './width.js'

// Lines instead of a screen: docs/terminal.md "Plain mode". Keys come through the pump, so its rules hold here too.

/** How a line is read. */
export interface ReadOptions {
  /** It may decide something: only what was typed after a silence counts, and pasted text never does. */
  guarded?: boolean
  /** It is a text: pasted text becomes part of it, and Ctrl+J begins a line in it. */
  text?: boolean
}

export interface LineReader {
  /** The next line that a person types. Undefined when it was given up, by `cancel` or by another read. */
  read(prompt: string, options?: ReadOptions): Promise<string | undefined>
  /** Gives up the open read. */
  cancel(): void
  /** Writes lines; while a line is being typed they wait for its end. */
  print(lines: readonly string[]): void
}

export interface LineReaderParts {
  keys: Pick<KeyPump, 'now' | 'drop' | 'onKey' | 'onPaste'>
  write(text: string): void
  /** Milliseconds of silence before a guarded line takes keys. */
  armAfter: number
  /** The terminal sends whole lines, so that a line end need not come alone. */
  wholeLines: boolean
}

interface OpenRead {
  prompt: string
  options: ReadOptions
  settle(line: string | undefined): void
}

/** Lines that wait while something is being typed; of more, the oldest go. */
const mostWaiting = 500

const tooEarly = '(Not counted: it was typed before this was on the screen. Type it again.)'
const atOnce = '(Not counted: several keys came at once, as pasted text does. Type it again.)'

/** A text without its last characters, and how many cells these took. */
function without(text: string, count: number): { rest: string; cells: number } {
  const characters = graphemes(text)
  const kept = Math.max(0, characters.length - count)
  const gone = characters.slice(kept)
  return {
    rest: characters.slice(0, kept).join(''),
    cells: gone.reduce((sum, one) => sum + textWidth(one), 0),
  }
}

/** Reads lines from the pump with an echo of its own, since raw mode has none. */
export function createLineReader({ keys, write, armAfter, wholeLines }: LineReaderParts): LineReader {
  let open: OpenRead | undefined
  let draft = ''
  let waiting: string[] = []
  let quietSince = 0
  let pastedAt = Number.NEGATIVE_INFINITY
  let warned = false

  function writeLines(lines: readonly string[]): void {
    if (lines.length === 0) return
    const prompt = open?.prompt ?? ''
    write(`${prompt === '' ? '' : '\n'}${lines.join('\n')}\n${prompt}`)
  }

  function end(line: string | undefined): void {
    const ended = open
    open = undefined
    if (ended && (line !== undefined || draft !== '' || ended.prompt !== '')) write('\n')
    draft = ''
    const late = waiting
    waiting = []
    writeLines(late)
    ended?.settle(line)
  }

  /** Keys that cannot have been meant for this line are told once, and what they typed is forgotten. */
  function refuse(why: string): void {
    draft = ''
    if (warned) return
    warned = true
    writeLines([why])
  }

  function insert(text: string): void {
    draft += text
    write(text)
  }

  function erase(count: number): void {
    const { rest, cells } = without(draft, count)
    draft = rest
    write('\b \b'.repeat(cells))
  }

  function enter(key: Key, { text }: ReadOptions): void {
    if (wholeLines) end(draft)
    else if (!key.alone) {
      if (text) insert('\n')
      else refuse(atOnce)
    } else if (!text || key.at - Math.max(quietSince, pastedAt) >= armAfter) end(draft)
  }

  keys.onKey((key) => {
    if (!open) return true
    const { options } = open
    if (options.guarded && key.at - quietSince < armAfter) {
      quietSince = key.at
      refuse(tooEarly)
      return true
    }
    // The silence is asked for once: what follows it is one line.
    if (options.guarded) quietSince = Number.NEGATIVE_INFINITY
    const lineEnd = key.name === 'enter' || (wholeLines && key.name === 'ctrl+j')
    if (lineEnd) enter(key, options)
    else if (key.name === 'ctrl+j' && options.text) insert('\n')
    else if (key.name === 'backspace') erase(1)
    else if (key.name === 'ctrl+u') erase(draft.length)
    else if (isTyped(key.sequence)) insert(sanitizeText(key.sequence))
    return true
  })
  keys.onPaste((text) => {
    if (!open) return
    if (!open.options.text) return refuse(atOnce)
    pastedAt = keys.now()
    insert(sanitizeText(text.replace(/\r\n?/g, '\n')))
  })

  return {
    read(prompt, options = {}) {
      end(undefined)
      keys.drop()
      quietSince = keys.now()
      warned = false
      return new Promise((settle) => {
        open = { prompt, options, settle }
        write(prompt)
      })
    },
    cancel: () => end(undefined),
    print(lines) {
      if (open && draft !== '') waiting = [...waiting, ...lines].slice(-mostWaiting)
      else writeLines(lines)
    },
  }
}
