import { join } from 'node:path'
import type { Difference, PutBackResult, Trait } from '../../project/snapshot/difference.js'
import { putBack } from '../../project/snapshot/put-back.js'
import type { SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import type { Run } from '../../run/run.js'
import { allFindings, type Left } from './around-dispatch.js'
import type { Finding } from './judge.js'
import {
  canPutBack,
  type Dispatched,
  findingLine,
  qRefused,
  qTouched,
  qUncompared,
} from './touched-question.js'

// What follows from what a dispatch has left: notes, one question, and what a person answers to it (docs/evidence.md, "What
// an agent has changed"). Nothing is put back unasked but what a check leaves behind by running something.

/** Where a workflow keeps what a person decided about it, as pure functions of its state. */
export interface TouchedLog<State> {
  /** The state with what was accepted on record; `at` is an ISO time. */
  withAccepted(state: State, accepted: { persona: string; title: string; names: string[] }, at: string): State
  /** True where a person said that what this persona leaves is to be put back without asking. */
  putsBackAlways(state: State, persona: string): boolean
  withPutBackAlways(state: State, persona: string, at: string): State
  /** The state with planned changes of what gives orders or is executed, by name: listed at the next gates. */
  withPlannedOrders?(state: State, planned: { title: string; names: string[] }, at: string): State
}

export interface TouchedSetting<State> {
  run: Run<State>
  log: TouchedLog<State>
  place: SnapshotPlace
  /** Absolute: what has to make way is kept below it. */
  sessionDir: string
  now(): Date
}

export interface TouchedDispatch extends Dispatched {
  /** Unique in the visit; of the question and of all that follows from it. */
  key: string
  dispatchId: string
  /** It only checks. */
  checks: boolean
  left: Left
}

type Compared = Exclude<Left, { failed: string }>

/** Settles all that a dispatch has left. A stop ends the run, and the question is asked again on resume. */
export async function settleTouched<State>(
  setting: TouchedSetting<State>,
  dispatch: TouchedDispatch,
): Promise<void> {
  const { left, key } = dispatch
  const { run } = setting
  if ('failed' in left) {
    await run.ask(key, qUncompared(dispatch, left))
    await accept(setting, dispatch, [left.failed])
    return
  }
  await settleNoted(setting, dispatch, left)
  const unasked = (await isSettledForAll(setting, dispatch, left)) ? left.asked.filter(isPlainFile) : []
  if (unasked.length > 0) {
    await putBackAndTell(setting, dispatch, { key: `${key}-unasked`, left, of: isPlainFile })
  }
  const asked = left.asked.filter((finding) => !unasked.includes(finding))
  if (asked.length > 0) await settleAsked(setting, dispatch, left, asked)
}

/** Whether a person wanted what this persona leaves put back for the rest of the run; as it was then, on a replay too. */
async function isSettledForAll<State>(
  { run, log }: TouchedSetting<State>,
  { key, persona, checks }: TouchedDispatch,
  left: Compared,
): Promise<boolean> {
  if (!checks || left.since || !left.asked.some(isPlainFile)) return false
  return await run.step(`${key}-unasked-too`, () => log.putsBackAlways(run.state, persona))
}

/** Nothing that decides or holds a history: that is asked about each time. */
function isPlainFile(finding: Finding): boolean {
  const kind = finding.difference?.kind
  return canPutBack(finding) && (kind === 'file' || kind === 'index' || kind === 'hidden')
}

/** One line of the timeline, after what is not left in the project was put away. */
async function settleNoted<State>(
  setting: TouchedSetting<State>,
  dispatch: TouchedDispatch,
  left: Compared,
): Promise<void> {
  const { noted } = left
  if (noted.length === 0) return
  const { run } = setting
  const away = left.since ? [] : noted.filter((finding) => finding.putAway && canPutBack(finding))
  if (away.length > 0) {
    const of = (finding: Finding) => finding.putAway === true && canPutBack(finding)
    const result = await putBackOnce(setting, dispatch, {
      key: `${dispatch.key}-left`,
      left,
      of,
      folder: 'left',
    })
    const names = namesOf(away)
    await run.note(`${dispatch.key}-left`, `${dispatch.title} left ${names}; moved to ${result.keep}.`)
  }
  const kept = noted.filter((finding) => !away.includes(finding))
  if (kept.length === 0) return
  const total = left.total ? left.total.noted - away.length : kept.length
  const lines = kept.slice(0, 12).map(findingLine).join('; ')
  const more = total > 12 ? `; and ${total - 12} more` : ''
  await run.note(`${dispatch.key}-noted`, `${dispatch.title}: ${lines}${more}`)
  await listOrders(setting, dispatch, kept)
}

const ofOrders: ReadonlySet<Trait> = new Set<Trait>(['instructions', 'attributes', 'command', 'trust'])

/** A plan may name what gives orders or is executed, and nobody reads a timeline: it is listed at the next gates. */
async function listOrders<State>(
  { run, log, now }: TouchedSetting<State>,
  { key, title }: TouchedDispatch,
  kept: readonly Finding[],
): Promise<void> {
  const isOrder = ({ difference }: Finding) =>
    difference?.traits.some((trait) => ofOrders.has(trait)) === true
  const names = [...new Set(kept.filter(isOrder).map(({ name }) => name))].slice(0, mostTold)
  if (names.length === 0) return
  const at = now().toISOString()
  await run.update(
    `${key}-orders`,
    (latest) => log.withPlannedOrders?.(latest, { title, names }, at) ?? latest,
  )
}

async function settleAsked<State>(
  setting: TouchedSetting<State>,
  dispatch: TouchedDispatch,
  left: Compared,
  asked: readonly Finding[],
): Promise<void> {
  const { run, log, place } = setting
  const { key, checks, persona } = dispatch
  const total = left.total ? left.total.asked - (left.asked.length - asked.length) : asked.length
  const about = { dispatched: dispatch, asked, total, since: left.since === true, checks }
  const { value } = await run.ask(key, await qTouched(place, about))
  if (value === 'mine') {
    await run.note(`${key}-mine`, `Kept as yours: ${namesOf(asked)}`, 'note')
    return
  }
  if (value === 'accept') {
    await accept(setting, dispatch, [...new Set(asked.map(findingLine))])
    return
  }
  await putBackAndTell(setting, dispatch, { key: `${key}-put-back`, left, of: canPutBack })
  if (value === 'put-back-always') {
    const at = setting.now().toISOString()
    await run.update(`${key}-always`, (latest) => log.withPutBackAlways(latest, persona, at))
  }
}

async function accept<State>(
  { run, log, now }: TouchedSetting<State>,
  { key, persona, title }: TouchedDispatch,
  names: string[],
): Promise<void> {
  const at = now().toISOString()
  await run.update(`${key}-accepted`, (latest) => log.withAccepted(latest, { persona, title, names }, at))
}

interface PutBackOrder {
  key: string
  left: Compared
  /** Which of all that is there, noted or asked. */
  of(finding: Finding): boolean
  folder?: 'left' | 'put-back'
}

async function putBackAndTell<State>(
  setting: TouchedSetting<State>,
  dispatch: TouchedDispatch,
  order: PutBackOrder,
): Promise<void> {
  const { run } = setting
  const { done, total, refused, keep } = await putBackOnce(setting, dispatch, order)
  const more = total > done.length ? ` and ${total - done.length} more` : ''
  if (total > 0) {
    await run.note(order.key, `Put back: ${done.join(', ')}${more}. What was there is in ${keep}.`, 'note')
  }
  if (refused.length === 0) return
  const { value } = await run.ask(`${order.key}-refused`, qRefused(dispatch, refused))
  if (value === 'accept') await accept(setting, { ...dispatch, key: order.key }, refused)
}

/** What was put back, by name, and what was not; the first of them where there are many. */
interface PutBackTold {
  done: string[]
  total: number
  refused: string[]
  keep: string
}

const mostTold = 40

/** Exactly once: the intent is on disk before; after a crash what is done already is found done. */
function putBackOnce<State>(
  setting: TouchedSetting<State>,
  dispatch: TouchedDispatch,
  order: PutBackOrder,
): Promise<PutBackTold> {
  const { run, place, sessionDir } = setting
  const keep = join(sessionDir, order.folder ?? 'put-back', dispatch.dispatchId)
  const carryOut = async (): Promise<PutBackTold> => {
    const before = order.left.before
    const all = await allFindings(place.store, order.left)
    const findings = (order.folder === 'left' ? all.noted : all.asked).filter((finding) => order.of(finding))
    const differences = findings.flatMap(({ difference }): Difference[] => (difference ? [difference] : []))
    if (before === undefined || differences.length === 0) return { done: [], total: 0, refused: [], keep }
    const result = await putBack({
      place,
      differences,
      before: before.snapshot,
      protectedBefore: before.protected,
      keep,
    })
    return told(result, findings, keep)
  }
  return run.effect<{ keep: string }, PutBackTold>(order.key, {
    prepare: async () => ({ keep }),
    apply: carryOut,
    recover: carryOut,
  })
}

function told(result: PutBackResult, findings: readonly Finding[], keep: string): PutBackTold {
  const names = new Set(
    findings
      .filter(({ difference }) => difference && result.done.includes(difference.id))
      .map(({ name }) => name),
  )
  const refused = result.refused.map(({ difference, reason }) => `${difference.name}: ${reason}`)
  return { done: [...names].slice(0, mostTold), total: names.size, refused: refused.slice(0, mostTold), keep }
}

function namesOf(findings: readonly Finding[]): string {
  const names = [...new Set(findings.map(({ name }) => name))]
  const shown = names.slice(0, 12).join(', ')
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown
}
