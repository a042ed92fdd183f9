import { lineDiff } from '../../../documents/diff.js'
import { sameContent } from '../../../documents/same-content.js'
import { readSpec, type SpecReading } from '../../../documents/spec.js'
import { type ComparedPhase, phaseDrift } from '../../../documents/spec-drift.js'
import { problemLines } from '../../../problem.js'
import { readText } from '../../../project/text-files.js'
import type { GateBuild } from '../../../run/run.js'
import type { QuestionDraft } from '../../../view/question.js'
import { qChangedText } from '../../evidence/questions.js'
import { freeze, frozenText, keptText, textHash } from '../artifacts/frozen.js'
import { phaseTitle } from '../phases.js'
import { qSpecUnreadable } from '../questions/session.js'
import { knownDecisions, withDecision } from '../state/decisions.js'
import { changeLines, listDiffers, type SpecChange, withSpecPhases } from '../state/spec-phases.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import type { HarnessWork } from '../work.js'

// The spec is not what the session began with: looked at before each state and when a session is taken up again
// (docs/harness.md, "Changes of the spec").

/** What lies where the spec was. `mark`: what a decision about it holds for. */
type Found = { mark: string } & (
  | { kind: 'text'; text: string }
  | { kind: 'missing' }
  | { kind: 'unreadable'; why: string[] }
)

interface Subject {
  mark: string
  /** It is the hash of a text of which a copy is kept, so that it may come to count. */
  isText?: true
  /** Where the spec was when the session last looked, if it was somewhere else. */
  from?: string
}

const shownLines = 400

/** True where a person has something to decide, or the session something to take notice of, before the next state. */
export async function isSpecDue(state: HarnessState, tools: HarnessTools): Promise<boolean> {
  if (state.currentState === 'DONE') return false
  return !isSettled(state, await find(tools), tools)
}

/**
 * Settles what has become of the spec, until the file is what was decided about. A session is taken up again in the visit in
 * which it was left: what was answered there comes back, and nothing is recorded where nothing has changed since.
 */
export async function settleSpec({ run, tools }: HarnessWork): Promise<void> {
  for (let round = 1; ; round += 1) {
    const key = `spec-${round}`
    if (!run.answered(key) && !(await isSpecDue(run.state, tools))) return
    const { answer, subject } = await run.gate<Subject>(key, () => buildGate(run.state, tools))
    const { value } = answer
    if (value === 'same' || value === 'again') continue
    const at = await run.step(`${key}-at`, () => tools.now().toISOString())
    const kept = await approvedText(run.state, tools)
    const text = subject.isText ? await keptText(tools, subject.mark, tools.specPath) : undefined
    if (text !== undefined && value !== 'keep') await run.step(`${key}-texts`, () => keepPhases(tools, text))
    await run.update(`${key}-decided`, (latest) => decided(latest, { value, subject, kept, text, at, tools }))
    const note = noteOf(value, run.state, tools)
    if (note) await run.note(`${key}-told`, note, value === 'layout' ? 'note' : 'warning')
  }
}

/** A question of `settleSpec` was answered in this visit. */
export function specAnswered({ answered }: Pick<HarnessWork['run'], 'answered'>): boolean {
  return answered('spec-1')
}

/** Copies of the lines of each phase by themselves. */
async function keepPhases(tools: HarnessTools, text: string): Promise<void> {
  for (const { description } of readSpec(text).phases) await freeze(tools, description)
}

async function find(tools: HarnessTools): Promise<Found> {
  try {
    const text = await readText(tools, tools.specPath)
    return text === undefined
      ? { kind: 'missing', mark: textHash('missing') }
      : { kind: 'text', text, mark: textHash(text) }
  } catch (error) {
    const why = problemLines(error)
    return { kind: 'unreadable', why, mark: textHash(why.join('\n')) }
  }
}

function isSettled(state: HarnessState, { mark }: Found, { specPath }: HarnessTools): boolean {
  return (mark === state.approvedSpec || mark === state.refusedSpec) && state.specPath === specPath
}

/** The text that counts so far; undefined where none was kept, or the copy is gone. */
async function approvedText(state: HarnessState, tools: HarnessTools): Promise<string | undefined> {
  return state.approvedSpec === undefined ? undefined : frozenText(tools, state.approvedSpec, tools.specPath)
}

async function buildGate(state: HarnessState, tools: HarnessTools): Promise<GateBuild<Subject>> {
  const found = await find(tools)
  const { mark } = found
  const from = state.specPath === tools.specPath ? {} : { from: state.specPath }
  if (isSettled(state, found, tools)) return { subject: { mark }, settled: 'same' }
  if (found.kind === 'missing') return { subject: { mark, ...from }, settled: 'gone' }
  if (found.kind === 'unreadable')
    return { subject: { mark, ...from }, question: qSpecUnreadable(tools.specPath, found.why) }
  const { text } = found
  const subject: Subject = { mark: await freeze(tools, text), isText: true, ...from }
  const kept = await approvedText(state, tools)
  if (kept !== undefined && sameContent(kept, text))
    return { subject, settled: kept === text ? 'moved' : 'layout' }
  const change = changeOf(state, kept, text)
  if (state.approvedSpec === undefined && !listDiffers(change)) return { subject, settled: 'adopt' }
  return { subject, question: qSpecChanged(state, tools, { change, kept, text }) }
}

/** Without a kept text the list of the session is compared, where it is as it was read. */
function changeOf(state: HarnessState, kept: string | undefined, text: string): SpecChange {
  const after = comparedOf(readSpec(text))
  const before = kept === undefined ? ownList(state, after) : comparedOf(readSpec(kept))
  return { before, after, drift: phaseDrift(before, after) }
}

function comparedOf({ phases }: SpecReading): ComparedPhase[] {
  return phases.filter(({ on }) => on)
}

function ownList(state: HarnessState, after: readonly ComparedPhase[]): readonly ComparedPhase[] {
  const confirmed = knownDecisions(state).some(({ decision }) =>
    ['phases_confirmed', 'phases_reordered'].includes(decision),
  )
  if (confirmed || after.length === 0) return after
  return state.phases.map(({ name, complexity }, index) => {
    const same = after.find((phase) => phase.name === name)
    return same ?? { name, complexity, label: String(index + 1), description: '' }
  })
}

interface TextChange {
  change: SpecChange
  kept: string | undefined
  text: string
}

function qSpecChanged(
  state: HarnessState,
  { specPath }: HarnessTools,
  { change, kept, text }: TextChange,
): QuestionDraft {
  const diff = kept === undefined ? ['The text from before is not known.'] : lineDiff(kept, text)
  const title = `${specPath} is not what this session goes by`
  return qChangedText({ gate: 'Q-SPEC-CHANGED', title, path: specPath }, diff.slice(0, shownLines), [
    ...(listDiffers(change) ? listLines(state, change) : []),
    ...textLines(state, change),
  ])
}

/** Both lists, and what taking the new one over would come to. */
function listLines(state: HarnessState, change: SpecChange): string[] {
  const { after } = change
  return [
    'The phases of this session:',
    ...state.phases.map((phase, index) => `  ${phaseTitle(phase, index)} (${phase.status})`),
    after.length === 0
      ? 'No phases can be read from the spec as it is now.'
      : 'The phases of the spec as it is now:',
    ...after.map(({ label, name, complexity }) => `  Phase ${label}: ${name} (complexity: ${complexity})`),
    '',
    ...(after.length === 0
      ? ['Taking it over leaves the list of this session as it is.']
      : ['Taking it over:', ...changeLines(state, change).map((line) => `  ${line}`)]),
    '',
  ]
}

/** Whose text is another one. */
function textLines(state: HarnessState, { before, after, drift }: SpecChange): string[] {
  const other = drift.pairs.filter(
    (pair) => !sameContent(before[pair.before]?.description ?? '', after[pair.after]?.description ?? ''),
  )
  if (other.length === 0) return []
  const names = other.map((pair) => after[pair.after]?.name ?? '')
  const done = names.filter((name) =>
    state.phases.some((phase) => phase.name === name && phase.status === 'complete'),
  )
  return [
    `Another text: ${names.join('; ')}`,
    ...(done.length > 0 ? [`Complete already, and not worked on again: ${done.join('; ')}`] : []),
  ]
}

interface Decided {
  value: string
  subject: Subject
  kept: string | undefined
  text: string | undefined
  at: string
  tools: HarnessTools
}

function decided(state: HarnessState, { value, subject, kept, text, at, tools }: Decided): HarnessState {
  const { specPath } = tools
  const { mark, from } = subject
  const moved = from === undefined ? state : movedTo(state, specPath, at)
  if (value === 'keep' || value === 'gone') {
    const refused = { ...moved, refusedSpec: mark }
    return value === 'gone'
      ? refused
      : withDecision(refused, { ...entry(state, at, specPath), decision: 'spec_change_refused' })
  }
  if (text === undefined) return moved
  const { refusedSpec: _refused, ...rest } = moved
  const taken = { ...rest, approvedSpec: mark } as HarnessState
  if (value !== 'take') return taken
  const change = changeOf(state, kept, text)
  const readable = change.after.length > 0
  const differs = listDiffers(change) && readable
  return withDecision(readable ? withSpecPhases(taken, change, at) : taken, {
    ...entry(state, at, specPath),
    decision: 'spec_changed',
    ...(differs ? { rationale: changeLines(state, change).join('. ') } : {}),
  })
}

function entry(state: HarnessState, timestamp: string, choice: string) {
  return { phase: state.currentPhase, timestamp, choice }
}

function movedTo(state: HarnessState, specPath: string, at: string): HarnessState {
  return withDecision({ ...state, specPath }, { ...entry(state, at, specPath), decision: 'spec_moved' })
}

function noteOf(
  value: string,
  { approvedSpec }: HarnessState,
  { specPath }: HarnessTools,
): string | undefined {
  switch (value) {
    case 'layout':
      return `${specPath} is laid out otherwise; it says the same.`
    case 'gone':
      return approvedSpec === undefined
        ? `${specPath} is not there, and nothing was kept of its text.`
        : `${specPath} is not there; the session goes on with the text it has kept.`
    default:
      return undefined
  }
}
