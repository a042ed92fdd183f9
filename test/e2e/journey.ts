import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestTerminal } from '../support/terminal.js'

/** What a person needs of a terminal: to look at it, and to press keys. */
export type Seat = Pick<TestTerminal, 'waitFor' | 'press'>

// A person at the terminal: reads the open question from the screen and presses the key of an option.

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
const optionLine = /^[❯> ] (\d) .\s{2,}(.+?)(?:\s{2,}.*)?$/
const fieldArmsMs = 700
const armingCue = 'keys count in a moment'

export function seenGate(screen: string): SeenGate | undefined {
  const lines = screen.split('\n').map((line) => line.trimEnd())
  for (const [at, line] of lines.entries()) {
    const named = titleLine.exec(line)
    const long = longTitles.find(([pattern]) => pattern.test(line))
    const gate = named?.[2] ?? long?.[1]
    const title = named?.[1] ?? long?.[0].exec(line)?.[1]
    if (gate === undefined || title === undefined) continue
    const options = lines.slice(at + 1).flatMap((below) => optionLine.exec(below)?.[2] ?? [])
    return { gate, title, options, armed: !screen.includes(armingCue) }
  }
  return undefined
}

/** Waits until this gate can be answered. */
export async function waitForGate(terminal: Seat, gate: string, timeoutMs = 60_000): Promise<SeenGate> {
  const screen = await terminal.waitFor(
    (now) => {
      const seen = seenGate(now)
      return seen?.gate === gate && seen.armed && seen.options.length > 0
    },
    { timeoutMs },
  )
  return seenGate(screen) as SeenGate
}

/** Answers the open gate by its number key, and the text field after it. */
export async function answer(terminal: Seat, choice: Choice): Promise<void> {
  const numberOf = (seen: SeenGate | undefined) =>
    (seen?.options ?? []).findIndex((label) => label.startsWith(choice.choose)) + 1
  // A frame arrives in parts, and a gate takes no key before it says so.
  const ready = (now: string) => numberOf(seenGate(now)) > 0 && seenGate(now)?.armed === true
  const screen = await terminal.waitFor(ready, { timeoutMs: 10_000 })
  const seen = seenGate(screen) as SeenGate
  const number = numberOf(seen)
  await terminal.press(String(number))
  if (choice.text !== undefined) {
    await terminal.waitFor('Enter send')
    for (const character of choice.text) await terminal.press(character)
    // A field that has just opened takes no Enter yet, like a gate.
    await delay(fieldArmsMs)
    await terminal.press('enter')
  }
  const isGone = (now: string) => {
    const next = seenGate(now)
    return next === undefined || next.gate !== seen.gate || next.title !== seen.title
  }
  const after = await terminal.waitFor((now) => isGone(now) || seenGate(now)?.armed === false)
  // It stays, without taking keys, until its answer is on disk; or the same is asked anew, which lasts longer.
  if (!isGone(after)) await terminal.waitFor(isGone, { timeoutMs: 15_000 }).catch(() => undefined)
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
    const screen = await terminal.waitFor(
      (now) => until(now) || (seenGate(now)?.armed === true && (seenGate(now)?.options.length ?? 0) > 0),
      { timeoutMs },
    )
    if (until(screen)) return asked
    const seen = seenGate(screen) as SeenGate
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
