import type { MarkdownChange } from '../../../documents/compare-markdown.js'
import type { Difference, Trait } from '../../../project/snapshot/difference.js'
import type { Area } from '../contract.js'
import { type DispatchGround, lies } from '../ground.js'

// What is said of one difference, and what it is held against (docs/evidence.md, "What is compared").

export interface JudgeFacts extends DispatchGround {
  /** Paths that were dirty before the work began and whose changes nobody has handed over. */
  beforehand: readonly string[]
  /** By id of a difference: how the text of a spec, of a plan or of instructions in Markdown differs. */
  markdown: ReadonlyMap<string, MarkdownChange>
  /** Ids of differences of texts that have every line of before, in its order. */
  added?: ReadonlySet<string>
  /** Ids of differences of attributes files in which no filter, diff or merge attribute changes. */
  plainAttributes: ReadonlySet<string>
  /** What the agent program keeps in the project for itself. */
  backendFiles: readonly string[]
  /** By id of a difference of `.gitmodules`: submodules that come from elsewhere now, or are looked at less. */
  turned?: ReadonlyMap<string, readonly string[]>
  /** Paths in the commits that the dispatch has put on top of the branch. */
  committed: readonly string[]
  /** Ids of differences of the index: a guarded file, staged in another form than it lies in the work tree. */
  otherStaged?: readonly string[]
}

export type Verdict =
  | { kind: 'allowed' }
  /** `putAway`: it is moved out of the project, or put back where git knew it. */
  | { kind: 'noted'; why: string; putAway?: true }
  /** `agent`: surely the agent. `either`: a person may have worked beside it. */
  | { kind: 'asked'; why: string; by: 'agent' | 'either' }

export type Rule = (difference: Difference, facts: JudgeFacts) => Verdict

export const allowed: Verdict = { kind: 'allowed' }
export const noted = (why: string): Verdict => ({ kind: 'noted', why })
export const asked = (why: string, by: 'agent' | 'either' = 'agent'): Verdict => ({ kind: 'asked', why, by })

/** Areas that are files of the agent's own: whatever happens in them is its matter. */
const ownAreas: readonly Area[] = [
  'its plan',
  'handoff',
  'trace',
  'scratchpad',
  'task state',
  'session learnings',
  'its own record',
]

export function shownName({ part, name }: Difference): string {
  return part === undefined ? name : `${part}/${name}`
}

export const has = (difference: Difference, trait: Trait) => difference.traits.includes(trait)

export function isOwn(path: string, { contract, ground, backendFiles }: JudgeFacts): boolean {
  if (lies(path, backendFiles)) return true
  return ownAreas.some((area) => {
    const places = ground.places[area]
    return contract.may.includes(area) && (lies(path, places) || isDraft(path, places))
  })
}

/** Written beside a file of its own, to be renamed onto it: what an agent leaves that was ended in between. */
function isDraft(path: string, places: readonly string[] | undefined): boolean {
  return (places ?? []).some(
    (place) =>
      !place.endsWith('/') && /^\.[\w.-]{1,64}$/.test(path.slice(place.length)) && path.startsWith(place),
  )
}

/** A spec or a plan that was agreed to: only its layout may change, and boxes where they are to be ticked. */
export function frozenRule(difference: Difference, { contract, ground, markdown }: JudgeFacts): Verdict {
  const path = shownName(difference)
  const change = markdown.get(difference.id)
  if (change === 'same' || change === 'layout') return noted('laid out anew, with the same content')
  if (change === 'ticks') {
    const ticks = contract.may.includes('ticks in its plan') && lies(path, ground.places['ticks in its plan'])
    return ticks ? allowed : noted('boxes ticked, with the same content')
  }
  return asked('it was approved as it was, and work is judged by it', 'agent')
}

/** What gives orders to agents, as a formatter leaves it: the same words in another layout give the same ones. */
export function isLaidOut({ id, traits }: Difference, { markdown }: Pick<JudgeFacts, 'markdown'>): boolean {
  const change = markdown.get(id)
  return traits.includes('instructions') && (change === 'same' || change === 'layout')
}
