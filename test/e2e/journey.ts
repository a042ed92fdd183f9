import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestTerminal } from '../support/terminal.js'
import { countOf, openOf } from './on-record.js'

// A person at the terminal: reads the open question from the screen and presses the key of an option. That an answer has
// counted is read from the journal of its session, since a screen on a busy machine shows a gate for longer than it is open.

/** What a person needs of a terminal: to look at it, and to press keys; and where the session lies, if there is one. */
export type Seat = Pick<TestTerminal, 'waitFor' | 'press'> & Partial<Pick<TestTerminal, 'cwd'>>

/** The question as the screen shows it. */
export interface SeenGate {
  gate: string
  title: string
  /** Labels in their order; the first has number 1. */
  options: string[]
  /** False as long as the screen says that keys do not count yet. */
  armed: boolean
}

export interface Choice {
  /** Label of the option, or the beginning of it. */
  choose: string
  /** Typed into the text field that the option opens. */
  text?: string
}

/** What a person decides: by gate, or by gate and what is on the screen. */
export type Policy = Record<string, Choice | ((gate: SeenGate, screen: string) => Choice)>

const titleLine = /^── (.+?) ─+ (Q-[A-Z-]+|human-verify|human-action|decision|permission) ──$/
/** Where the title leaves no room for the name of the gate. */
const longTitles: [RegExp, string][] = [
  [/^── (.+ needs a plan made with you) ─+$/, 'Q-INTERACTIVE'],
  [/^── (Phase \d+ complete\. Next: .+) ─+$/, 'Q-NEXT'],
]
/** It stands in the last row of the question then, where that has room for it. */
const longTitle = /^── (.+) ─+$/
const gateBelow = /\s{2}(Q-[A-Z]+)(?: \S waits .+)?$/
const optionLine = /^[❯> ] (\d) .\s{2,}(.+?)(?:\s{2,}.*)?$/
const fieldArmsMs = 700
/** So much of a text is looked for on the screen: it may be cut anywhere into rows. */
const endOfText = 12
const lookAgainMs = 25
const armingCue = /keys count in a moment|did nothing; wait a moment/

export function seenGate(screen: string): SeenGate | undefined {
  const lines = screen.split('\n').map((line) => line.trimEnd())
  const below = lines.findLastIndex((line) => gateBelow.test(line) && !titleLine.test(line))
  const above = lines.slice(0, Math.max(0, below)).findLastIndex((line) => longTitle.test(line))
  for (const [at, line] of lines.entries()) {
    const named = titleLine.exec(line)
    const long = longTitles.find(([pattern]) => pattern.test(line))
    const told = at === above ? gateBelow.exec(lines[below] ?? '')?.[1] : undefined
    const gate = named?.[2] ?? long?.[1] ?? told
    const title = named?.[1] ?? (long?.[0] ?? longTitle).exec(line)?.[1]
    if (gate === undefined || title === undefined) continue
    const options = lines.slice(at + 1).flatMap((one) => optionLine.exec(one)?.[2] ?? [])
    return { gate, title, options, armed: !armingCue.test(screen) }
  }
  return undefined
}

/** The question that was answered last at a terminal, for as long as its screen may show it still. */
const answered = new WeakMap<Seat, SeenGate>()

const isSame = (one: SeenGate, other: SeenGate | undefined) =>
  one.gate === other?.gate && one.title === other.title

interface OpenGate {
  seen: SeenGate
  screen: string
  /** Its id in the journal; undefined for a question that stands beside it, such as whether to trust. */
  id: string | undefined
}

/** Waits for a gate that takes keys and is open on record; undefined once `until` is on the screen. */
async function openGate(
  terminal: Seat,
  wanted: (seen: SeenGate) => boolean,
  { timeoutMs, until = () => false }: { timeoutMs: number; until?: (screen: string) => boolean },
): Promise<OpenGate | undefined> {
  const isReady = (now: string) => {
    const seen = seenGate(now)
    return seen?.armed === true && seen.options.length > 0 && wanted(seen)
  }
  const deadline = performance.now() + timeoutMs
  let before = ''
  for (;;) {
    const left = Math.max(1, deadline - performance.now())
    const screen = await terminal.waitFor((now) => until(now) || isReady(now), { timeoutMs: left })
    if (until(screen)) return undefined
    const seen = seenGate(screen) as SeenGate
    // One look may fall into the middle of a frame, where options are missing.
    const options = seen.options.join()
    if (options !== before) {
      before = options
      await delay(lookAgainMs)
      continue
    }
    const id = await openOf(terminal.cwd, seen.gate)
    if (id !== undefined || !isSame(seen, answered.get(terminal))) return { seen, screen, id }
    // It was answered, and the screen has not followed yet.
    await delay(lookAgainMs)
  }
}

/** Waits until this gate can be answered. */
export async function waitForGate(terminal: Seat, gate: string, timeoutMs = 60_000): Promise<SeenGate> {
  const open = await openGate(terminal, (seen) => seen.gate === gate, { timeoutMs })
  return (open as OpenGate).seen
}

/**
 * Presses until `done`: a key that comes before the program has seen its new size or its waking is none, and a person
 * presses it again. A gate decides once, whatever is pressed after that.
 */
async function pressUntil(
  terminal: Seat,
  key: string,
  done: (timeoutMs: number) => Promise<unknown>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await terminal.press(key)
    try {
      await done(5_000)
      return
    } catch (error) {
      if (tries === 12) throw error
    }
  }
}

/** Types into the field that is open. */
async function write(terminal: Seat, text: string): Promise<void> {
  for (const character of text) await terminal.press(character)
  // Enter has to come alone, so what was typed has been read before it.
  const end = text.replaceAll(/\s/g, '').slice(-endOfText)
  await terminal.waitFor((now) => now.replaceAll(/\s/g, '').includes(end), { timeoutMs: 60_000 })
  // A field that has just opened takes no Enter yet, like a gate.
  await delay(fieldArmsMs)
}

/** Answers the open gate by its number key, and the text field after it. Settles when the answer counts. */
export async function answer(terminal: Seat, choice: Choice): Promise<void> {
  const numberOf = (seen: SeenGate) => seen.options.findIndex((label) => label.startsWith(choice.choose)) + 1
  // A frame arrives in parts, and a gate takes no key before it says so.
  const open = await openGate(terminal, (seen) => numberOf(seen) > 0, { timeoutMs: 60_000 })
  const { seen, id } = open as OpenGate
  const before = id === undefined ? 0 : await countOf(terminal.cwd, id)
  const isOver = (now: string) => !isSame(seen, seenGate(now)) || seenGate(now)?.armed === false
  const isOnDisk = async () => ((await countOf(terminal.cwd, id ?? '')) > before ? true : undefined)
  const counts = (timeoutMs: number) =>
    id === undefined
      ? terminal.waitFor(isOver, { timeoutMs })
      : eventually(isOnDisk, `the answer to ${seen.gate} to be on disk`, timeoutMs)
  answered.set(terminal, seen)
  const number = String(numberOf(seen))
  if (choice.text === undefined) return await pressUntil(terminal, number, counts)
  await pressUntil(terminal, number, (timeoutMs) => terminal.waitFor('Enter send', { timeoutMs }))
  await write(terminal, choice.text)
  await pressUntil(terminal, 'enter', counts)
}

/**
 * Answers every question by the policy until `until` is on the screen or the program has ended. Returns the gates in
 * the order in which they were asked.
 */
export async function play(
  terminal: TestTerminal,
  policy: Policy,
  until: (screen: string) => boolean,
  timeoutMs = 120_000,
): Promise<string[]> {
  const asked: string[] = []
  for (;;) {
    const open = await openGate(terminal, () => true, { timeoutMs, until })
    if (open === undefined) return asked
    const { seen, screen } = open
    const chosen = policy[seen.gate]
    if (!chosen) throw new Error(`Nobody knows an answer to ${seen.gate}:\n${screen}`)
    asked.push(seen.gate)
    await answer(terminal, typeof chosen === 'function' ? chosen(seen, screen) : chosen)
  }
}

export interface JournalLine {
  type: string
  key?: string
  visit?: number
  [field: string]: unknown
}

/** Complete lines of a session's journal. */
export async function journalOf(path: string): Promise<JournalLine[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalLine)
}

/** Polls until `ready` gives a value; throws after the time. */
export async function eventually<Value>(
  ready: () => Promise<Value | undefined>,
  what: string,
  timeoutMs = 20_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await ready()
    if (value !== undefined) return value
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${what}.`)
    await delay(50)
  }
}
