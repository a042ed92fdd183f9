import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Evidence, QuestionDraft } from '../../../source/view/question.js'
import type { TestTerminal } from '../../support/terminal.js'
import { eventually } from '../journey.js'
import type { Asked, Recorded } from './order.js'
import { specPath, words } from './project.js'

// A person who answers by keys alone: waits for a question, reads what there is to read, comes back, and answers.

/** Something to read, and what only it says. */
export interface ToRead {
  title: string
  says: string
}

const armedCues = [
  'Enter, a number or a letter decides',
  'Enter or a number decides',
  'Keys typed before did nothing',
]
const cues = [
  ...armedCues,
  'keys count in a moment',
  'Keys typed so far did nothing',
  'Keys did nothing',
  'Enter opens it',
]
const patienceMs = 60_000
/** A key that came before its time is pressed again after so long. */
const againMs = 400
/** So much of a title or text is looked for: what is longer may be cut. */
const beginning = 24

/** A screen without what rows add, since a text may be divided anywhere. */
const squashed = (text: string) => text.replaceAll(/[\s─-]/g, '')
const starts = (text: string) => squashed(text).slice(0, beginning)

function shows({ title }: QuestionDraft, screen: string): boolean {
  return squashed(screen).includes(starts(title)) && cues.some((cue) => screen.includes(cue))
}

const isArmed = (question: QuestionDraft, screen: string) =>
  shows(question, screen) && armedCues.some((cue) => screen.includes(cue))

/** What something says that a question names itself. */
function sayingOf(evidence: Evidence): string {
  // The head of a file in a diff is told by its name.
  const changed = evidence.kind === 'diff' && evidence.lines?.find((text) => /^[+-](?![+-])/.test(text))
  if (changed) return changed
  if (evidence.lines) return evidence.lines.find((text) => text.trim() !== '') ?? ''
  if (evidence.path === specPath) return words.spec
  if (evidence.kind === 'plan') return words.plan
  return evidence.kind === 'diff' ? words.diff : words.spec
}

/** What is opened at a question: everything that it names itself, and the view of the run whose turn it is. */
export function toReadAt({ draft, before }: Asked, turn: number, views: readonly ToRead[]): ToRead[] {
  const own = (draft.evidence ?? []).map((one) => ({ title: one.title, says: sayingOf(one) }))
  const view = before ? undefined : views[turn % views.length]
  const isNamed = own.some(({ title }) => title === view?.title)
  return view === undefined || isNamed ? own : [...own, view]
}

/** The records that are whole. */
export function recordedIn(path: string): Recorded[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Recorded)
}

/** Presses until `done`; a key before its time is none, and a person presses it again. */
async function pressUntil(terminal: TestTerminal, key: string, done: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    await terminal.press(key)
    const again = performance.now() + againMs
    do {
      if (await done()) return
      await delay(15)
    } while (performance.now() < again)
    if (performance.now() > deadline) throw new Error(`${key} has no effect:\n${terminal.screen()}`)
  }
}

/** What Enter would open, and what stands behind it. */
const litIn = (screen: string) => /^ {2}To read:.*❯ (.+)$/m.exec(screen)?.[1] ?? ''

/** A file is called by its name alone where its folders have no room, and a plan not even by that. */
function isLit(screen: string, title: string): boolean {
  const lit = squashed(litIn(screen))
  const names = title.includes(' ') ? [title] : [title, title.split('/').at(-1) ?? title]
  if (lit.startsWith(squashed('this plan')) && title.endsWith('.md')) return true
  return lit !== '' && names.some((name) => lit.startsWith(starts(name)))
}

/** Tab until it is lit, Enter, its text, Escape: the same question is back, and nothing was answered. */
async function read(terminal: TestTerminal, question: QuestionDraft, { title, says }: ToRead): Promise<void> {
  await terminal.waitFor((screen) => shows(question, screen), { timeoutMs: patienceMs })
  for (let tabs = 0; !isLit(terminal.screen(), title); tabs += 1) {
    if (tabs > 8) throw new Error(`Nothing is called ${title}:\n${terminal.screen()}`)
    const before = litIn(terminal.screen())
    await terminal.press('tab')
    await terminal.waitFor((screen) => litIn(screen) !== '' && litIn(screen) !== before, {
      timeoutMs: patienceMs,
    })
  }
  await terminal.press('enter')
  await terminal.waitFor(
    (screen) => squashed(screen).includes(starts(says)) && !cues.some((cue) => screen.includes(cue)),
    { timeoutMs: patienceMs },
  )
  await terminal.press('escape')
  await terminal.waitFor((screen) => shows(question, screen), { timeoutMs: patienceMs })
}

/** The option whose turn it is. A list without rows is not edited: there is nothing in it to send. */
function optionOf({ options, list }: QuestionDraft, turn: number): number {
  const index = turn % options.length
  return options[index]?.edits && list?.items.length === 0 ? (index + 1) % options.length : index
}

/** Number and letter of an option, as its row shows them; the letter may be the beginning of its label. */
function keysOf(screen: string, label: string): { number: string; letter: string } | undefined {
  for (const row of screen.split('\n')) {
    const [, number = '', letter = '', rest] = /^[❯ ] (\d) (.) {2}(.+)$/.exec(row) ?? []
    if (rest !== undefined && squashed(rest).startsWith(starts(label)))
      return { number, letter: letter.trim() || label.slice(0, 1).toLowerCase() }
  }
  return undefined
}

const litOption = (screen: string) => /^❯ (\d) /m.exec(screen)?.[1]

/** Chooses an option in one of three ways: its number, its letter, arrows and Enter. */
async function choose(terminal: TestTerminal, question: QuestionDraft, turn: number): Promise<number> {
  const index = optionOf(question, turn)
  const label = question.options[index]?.label ?? ''
  const screen = await terminal.waitFor((now) => isArmed(question, now), { timeoutMs: patienceMs })
  const keys = keysOf(screen, label)
  if (!keys) throw new Error(`No option is called ${label}:\n${screen}`)
  if (turn % 3 === 0) await terminal.press(keys.number)
  else if (turn % 3 === 1) await terminal.press(keys.letter)
  else {
    for (let lit = litOption(screen); lit !== keys.number; lit = litOption(terminal.screen())) {
      const before = lit
      await terminal.press('down')
      await terminal.waitFor((now) => litOption(now) !== before, { timeoutMs: patienceMs })
    }
    await terminal.press('enter')
  }
  return index
}

/** Answers the question that is on the screen, and gives what was meant by that. */
async function answer(
  terminal: TestTerminal,
  question: QuestionDraft,
  turn: number,
  isRecorded: () => Promise<boolean>,
): Promise<Answer> {
  const index = await choose(terminal, question, turn)
  const option = question.options[index]
  if (!option) throw new Error(`${question.gate} has no option ${index + 1}.`)
  const { value, text, edits } = option
  if (text) {
    const written = `words ${turn}`
    const isOpen = (screen: string) =>
      squashed(screen).includes(starts(text.label)) && !cues.some((cue) => screen.includes(cue))
    await terminal.waitFor(isOpen, { timeoutMs: patienceMs })
    for (const character of written) await terminal.press(character)
    await terminal.waitFor(written, { timeoutMs: patienceMs })
    await pressUntil(terminal, 'enter', isRecorded)
    return { value, text: written }
  }
  if (!edits) return { value }
  await terminal.waitFor('Enter accept', { timeoutMs: patienceMs })
  await pressUntil(terminal, 'enter', isRecorded)
  return { value, ...(question.list ? { items: question.list.items } : {}) }
}

/** Answers one question after the other, each with what there is to read first. Gives what was meant. */
export async function answerAll(
  terminal: TestTerminal,
  { asked, record, views }: { asked: readonly Asked[]; record: string; views: readonly ToRead[] },
): Promise<Recorded[]> {
  const meant: Recorded[] = []
  for (const [turn, one] of asked.entries()) {
    const { draft } = one
    for (const each of toReadAt(one, turn, views)) await read(terminal, draft, each)
    // Reading has answered nothing.
    if (recordedIn(record).length !== turn) throw new Error(`${draft.gate} was answered by reading.`)
    const isRecorded = async () => recordedIn(record).length > turn
    meant.push({ gate: draft.gate, answer: await answer(terminal, draft, turn, isRecorded) })
    await eventually(async () => ((await isRecorded()) ? true : undefined), `an answer to ${draft.gate}`)
  }
  return meant
}
