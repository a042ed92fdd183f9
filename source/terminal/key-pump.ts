import { StringDecoder } from 'node:string_decoder'
import { createInkKeyboard, type InkKeyboard } from './ink-keyboard.js'
import { keyName } from './key-names.js'
import { createTokenizer, type Token } from './key-tokens.js'

/** One press of a key. */
export interface Key {
  sequence: string
  /** Such as `enter`, `up`, `ctrl+j` or the typed character: key-names.ts. */
  name: string
  /** Time of its read, in milliseconds of the pump's clock. */
  at: number
  /** It was the only key in that read. Several keys in one read are type-ahead or pasted text, and decide nothing. */
  alone: boolean
}

/** The part of `process.stdin` that the pump uses. */
export interface Keyboard {
  isTTY?: boolean
  setRawMode?(on: boolean): unknown
  on(event: 'data', listener: (chunk: Buffer | string) => void): unknown
  off(event: 'data', listener: (chunk: Buffer | string) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** Keys that act at once, past the queue: Ctrl+C, Ctrl+Z and Ctrl+L. */
export type UrgentKey = 'interrupt' | 'suspend' | 'repaint'

/** What the last child of the screen reads and acknowledges, so that the next key meets the effects of this one. */
export interface Pace {
  subscribe(listener: () => void): () => void
  current(): number
  acknowledge(count: number): void
}

/** Stands between stdin and the screen: docs/terminal.md "Keys". */
export interface KeyPump {
  /** What Ink gets as stdin. It carries only keys that no listener took. */
  readonly inkStdin: InkKeyboard
  readonly pace: Pace
  now(): number
  /** Raw mode on. Keys are read and thrown away until `open`. */
  start(): void
  /** The first frame is on the screen: from now on keys count. */
  open(): void
  /** Forgets keys that were read and not delivered yet; says how many. */
  drop(): number
  /** The highest rank is asked first; a listener that returns true keeps the key from all others and from Ink. */
  onKey(listener: (key: Key) => boolean, rank?: number): () => void
  /** The newest listener gets the paste. */
  onPaste(listener: (text: string) => void): () => void
  onUrgent(listener: (key: UrgentKey) => void): () => void
  /** A reply of the terminal or a paste has begun and did not end in time: what comes next may be the rest of it. */
  onCut(listener: () => void): () => void
  /** Raw mode off and on again, around a suspended program. */
  suspend(): void
  resume(): void
  /** Swallows late replies of the terminal, then raw mode off. */
  stop(): Promise<void>
}

const escapeWait = 50
const pasteWait = 2000
const acknowledgeWait = 100
const drainWait = 50
const queueLimit = 256

const urgentKeys: Record<string, UrgentKey> = {
  '\u0003': 'interrupt',
  '\u001a': 'suspend',
  '\u000c': 'repaint',
}

function createPace(): Pace & { next(): number; acknowledged(count: number): Promise<void> } {
  const listeners = new Set<() => void>()
  let count = 0
  let done = 0
  let settle: (() => void) | undefined
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    current: () => count,
    acknowledge(acknowledged) {
      done = Math.max(done, acknowledged)
      if (done >= count) settle?.()
    },
    next() {
      count += 1
      for (const listener of listeners) listener()
      return count
    },
    acknowledged(wanted) {
      if (done >= wanted || listeners.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(finish, acknowledgeWait)
        function finish(): void {
          clearTimeout(timer)
          settle = undefined
          resolve()
        }
        settle = finish
      })
    },
  }
}

/** Arrows of one read that are not typed: a wheel sends them where a terminal was not told to keep them. */
const wheelArrows = 3

/** The name of a turn of the wheel, where all of a read are that. */
function wheelOf(tokens: readonly Token[]): string | undefined {
  if (tokens.length < wheelArrows) return undefined
  const names = new Set(tokens.map((token) => (token.kind === 'key' ? keyName(token.sequence) : '')))
  const [name] = names
  return names.size === 1 && (name === 'up' || name === 'down') ? `wheel-${name}` : undefined
}

function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Keys that were read and not delivered yet. One is delivered, then its effects happen, then the next. */
function createKeyQueue(pace: ReturnType<typeof createPace>, deliver: (key: Key) => void) {
  let queue: Key[] = []
  let delivering = false

  async function deliverAll(): Promise<void> {
    if (delivering) return
    delivering = true
    try {
      for (let key = queue.shift(); key; key = queue.shift()) {
        deliver(key)
        // Ink holds a lone ESC back for one turn.
        if (key.sequence === '\u001b') await immediate()
        await pace.acknowledged(pace.next())
        // Chained effects of this key run here.
        await immediate()
      }
    } finally {
      delivering = false
    }
  }

  return {
    add(key: Key) {
      if (queue.length < queueLimit) queue.push(key)
    },
    drop() {
      const count = queue.length
      queue = []
      return count
    },
    deliverAll,
  }
}

/** Reads of the keyboard as tokens; what may be the start of an escape waits a little for its rest. */
function createReader(keyboard: Keyboard, accept: (tokens: Token[]) => void, cut: () => void) {
  let decoder = new StringDecoder('utf8')
  let tokenizer = createTokenizer()
  let timer: NodeJS.Timeout | undefined
  let reading = false

  function waitForRest(): void {
    clearTimeout(timer)
    timer = undefined
    const unfinished = tokenizer.unfinished()
    if (unfinished === 'nothing') return
    timer = setTimeout(giveUp, unfinished === 'paste' ? pasteWait : escapeWait)
  }

  function giveUp(): void {
    const tokens = tokenizer.expire()
    if (tokens.length === 0) cut()
    accept(tokens)
  }

  function onData(chunk: Buffer | string): void {
    accept(tokenizer.push(typeof chunk === 'string' ? chunk : decoder.write(chunk)))
    waitForRest()
  }

  return {
    get on() {
      return reading
    },
    /** Raw mode on and reading, or neither. What was half read is forgotten. */
    turn(on: boolean): void {
      if (on === reading) return
      reading = on
      clearTimeout(timer)
      decoder = new StringDecoder('utf8')
      tokenizer = createTokenizer()
      if (on) {
        keyboard.setRawMode?.(true)
        keyboard.on('data', onData)
        keyboard.resume()
      } else {
        keyboard.off('data', onData)
        keyboard.setRawMode?.(false)
        keyboard.pause()
      }
    },
  }
}

function listen<Listener>(list: Listener[], listener: Listener): () => void {
  list.push(listener)
  return () => {
    const index = list.lastIndexOf(listener)
    if (index >= 0) list.splice(index, 1)
  }
}

/** A pump for one keyboard; `now` is a clock in milliseconds that never goes back. */
export function createKeyPump(keyboard: Keyboard, now: () => number = () => performance.now()): KeyPump {
  const ink = createInkKeyboard()
  const pace = createPace()
  let keyListeners: { listener: (key: Key) => boolean; rank: number }[] = []
  const pasteListeners: ((text: string) => void)[] = []
  const urgentListeners: ((key: UrgentKey) => void)[] = []
  const cutListeners: (() => void)[] = []
  let counting = false
  const queue = createKeyQueue(pace, (key) => {
    for (const { listener } of keyListeners) if (listener(key)) return
    // Lists of Ink would move with it.
    if (key.name.startsWith('wheel-')) return
    ink.give(key.sequence)
  })

  function accept(tokens: Token[]): void {
    const at = now()
    const alone = tokens.length === 1
    const wheel = wheelOf(tokens)
    for (const token of tokens) {
      const urgent = token.kind === 'key' ? urgentKeys[token.sequence] : undefined
      if (urgent) {
        queue.drop()
        for (const listener of urgentListeners.slice()) listener(urgent)
      } else if (counting && token.kind === 'paste') {
        pasteListeners.at(-1)?.(token.text)
      } else if (counting && token.kind === 'key') {
        queue.add({ sequence: token.sequence, name: wheel ?? keyName(token.sequence), at, alone })
      }
    }
    void queue.deliverAll()
  }

  const reader = createReader(keyboard, accept, () => {
    for (const listener of cutListeners.slice()) listener()
  })
  function read(on: boolean): void {
    if (on !== reader.on) queue.drop()
    reader.turn(on)
  }

  return {
    inkStdin: ink,
    pace,
    now,
    start: () => read(true),
    open() {
      counting = true
    },
    drop: queue.drop,
    onKey(listener, rank = 0) {
      const entry = { listener, rank }
      keyListeners = [entry, ...keyListeners].sort((one, other) => other.rank - one.rank)
      return () => {
        keyListeners = keyListeners.filter((other) => other !== entry)
      }
    },
    onPaste: (listener) => listen(pasteListeners, listener),
    onUrgent: (listener) => listen(urgentListeners, listener),
    onCut: (listener) => listen(cutListeners, listener),
    suspend: () => read(false),
    resume: () => read(true),
    async stop() {
      counting = false
      queue.drop()
      if (!reader.on) return
      await new Promise((resolve) => setTimeout(resolve, drainWait))
      read(false)
    },
  }
}
