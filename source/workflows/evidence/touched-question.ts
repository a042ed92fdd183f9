import { differenceText } from '../../project/snapshot/difference-text.js'
import type { SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import type { QuestionDraft, QuestionOption } from '../../view/question.js'
import { stop } from '../options.js'
import type { Left } from './around-dispatch.js'
import type { Finding } from './judge.js'

// Q-TOUCHED: one question for all that a dispatch left (docs/evidence.md, "What an agent has changed").

export interface Dispatched {
  persona: string
  /** As its pane says it. */
  title: string
  /** Others that worked in the same tree at the same time. */
  beside?: readonly string[]
}

const mostNamed = 24
const mostLines = 400

const words: Record<Finding['change'], string> = {
  added: 'new',
  changed: 'changed',
  removed: 'gone',
  forward: 'moved forward',
  committed: 'committed',
}

/** A finding in one line. */
export function findingLine({ name, change, why }: Finding): string {
  return `${name} (${words[change]}): ${why}`
}

/** True where its state of before is kept. */
export function canPutBack({ difference }: Finding): boolean {
  return difference !== undefined && difference.kind !== 'ignored' && !difference.traits.includes('unstored')
}

export interface TouchedQuestion {
  dispatched: Dispatched
  asked: readonly Finding[]
  /** How many there are in all. */
  total: number
  since: boolean
  /** It only checks: what it left can be put back unasked from now on. */
  checks: boolean
}

/** The question, with the differences themselves one key away. */
export async function qTouched(place: SnapshotPlace, about: TouchedQuestion): Promise<QuestionDraft> {
  const { asked, total, since, dispatched } = about
  const back = asked.filter(canPutBack)
  // A path can differ as a file and as one that decides: it is told once.
  const all = [...new Set(asked.map(findingLine))]
  const lines = all.slice(0, mostNamed)
  const more = total - asked.length + all.length - lines.length
  return {
    gate: 'Q-TOUCHED',
    title: since
      ? `Something was changed since ${dispatched.title} was broken off`
      : `${dispatched.persona} changed what it was not to change`,
    body: [
      during(about),
      ...whose(about),
      '',
      ...lines,
      ...(more > 0 ? [`(${more} more)`] : []),
      ...notOffered(asked),
    ],
    evidence: [{ id: 'diff', kind: 'diff', title: 'what was changed', lines: await diffLines(place, asked) }],
    options: optionsFor(about, back),
  }
}

function during({ dispatched, since }: TouchedQuestion): string {
  const { title, persona, beside } = dispatched
  const others = beside && beside.length > 0 ? `, beside ${beside.join(', ')}` : ''
  return `${since ? 'Since' : 'During'}: ${title} (${persona})${others}.`
}

function whose({ asked, since }: TouchedQuestion): string[] {
  if (since) return ['The program ended before anybody could look, so it was the agent or you.']
  if (asked.some(({ by }) => by === 'either')) return ['It was the agent or you, if you worked beside it.']
  return []
}

const isCommit = ({ change }: Finding) => change === 'committed'

/** The branch goes back, and what was committed on it goes with it. */
const undoesCommits = (asked: readonly Finding[]) =>
  asked.some((finding) => finding.difference?.kind === 'ref' && canPutBack(finding))

function notOffered(asked: readonly Finding[]): string[] {
  const not = asked.filter((finding) => !canPutBack(finding) && !(isCommit(finding) && undoesCommits(asked)))
  if (not.length === 0) return []
  const isOfRemote = ({ difference }: Finding) => difference?.traits.includes('remote') === true
  const why = not.every(isCommit)
    ? 'to take it out of the commits, stop here and change them yourself'
    : not.every(isOfRemote)
      ? 'autopilot pushes nothing to put a remote back'
      : 'what was there before is not kept'
  return [
    '',
    `Not put back: ${not
      .map(({ name }) => name)
      .slice(0, 8)
      .join(', ')}; ${why}.`,
  ]
}

function optionsFor({ asked, since, checks }: TouchedQuestion, back: readonly Finding[]): QuestionOption[] {
  const surely = !since && back.length > 0 && asked.every(({ by }) => by === 'agent')
  const kept = 'exactly these, as they were before; what is there now is kept aside'
  const options: QuestionOption[] = []
  if (back.length > 0) {
    options.push({
      value: 'put-back',
      label: 'put back',
      consequence: kept,
      ...(surely ? { recommended: true } : {}),
    })
  }
  if (back.length > 0 && checks && !since) {
    const label = 'put back, and the same for the rest of this run'
    options.push({
      value: 'put-back-always',
      label,
      consequence: 'what such an agent leaves is put back unasked from now on',
    })
  }
  return [
    ...options,
    {
      value: 'mine',
      label: 'mine, keep',
      consequence: 'it stays; nothing is held against the agent',
    },
    {
      value: 'accept',
      label: 'accept',
      consequence: 'it stays; that you let it pass is recorded with the list',
    },
    // Only by hand, and before more is built on it.
    asked.some(isCommit) && back.length === 0 ? { ...stop, safe: true } : stop,
  ]
}

async function diffLines(place: SnapshotPlace, asked: readonly Finding[]): Promise<string[]> {
  const lines: string[] = []
  const told = new Set<string>()
  for (const { name, difference } of asked) {
    if (difference === undefined) continue
    const text = await differenceText(place, difference).catch(() => 'what it was is not kept any more')
    if (told.has(`${name}\n${text}`)) continue
    told.add(`${name}\n${text}`)
    lines.push(
      text.startsWith('--- ') ? `diff --git a/${name} b/${name}` : name,
      ...text.trimEnd().split('\n'),
      '',
    )
    if (lines.length > mostLines) return [...lines.slice(0, mostLines), '(more is not shown)']
  }
  return lines.length === 0 ? ['Nothing of it is kept as a text.'] : lines
}

/** What could not be put back, with the reasons. */
export function qRefused(dispatched: Dispatched, reasons: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-TOUCHED',
    title: 'Not everything could be put back',
    body: [`During: ${dispatched.title} (${dispatched.persona}).`, '', ...reasons],
    options: [
      {
        value: 'mine',
        label: 'mine, keep',
        consequence: 'go on with it as it is',
      },
      {
        value: 'accept',
        label: 'accept',
        consequence: 'go on; that you let it pass is recorded with the list',
      },
      { ...stop, safe: true },
    ],
  }
}

/** Nobody can tell what a dispatch has left. */
export function qUncompared(dispatched: Dispatched, left: Extract<Left, { failed: string }>): QuestionDraft {
  return {
    gate: 'Q-TOUCHED',
    title: `What ${dispatched.persona} has changed cannot be told`,
    body: [`During: ${dispatched.title} (${dispatched.persona}).`, left.failed],
    options: [
      { value: 'accept', label: 'go on', consequence: 'with the project as it is; the decision is recorded' },
      { ...stop, safe: true },
    ],
  }
}
