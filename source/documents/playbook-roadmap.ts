import { scanMarkdown } from './markdown-scanner.js'
import {
  dependencyIds,
  isUnreadDependency,
  type NamedDependency,
  namedDependencies,
} from './playbook-dependencies.js'
import { type Field, fieldsOf, isWave, textOf } from './playbook-fields.js'
import { comparePhaseIds, isBacklogId } from './playbook-id.js'
import { isBlankLine, type PlaybookLine, playbookLines } from './playbook-lines.js'
import { boxedPlans, criteriaOf, plansOf, requirementsOf } from './playbook-lists.js'
import { phaseCycle, phaseOrder } from './playbook-order.js'
import { mergePhases, type PhaseEntry } from './playbook-phase-entries.js'
import { foreignPhase, likelyPhase, namedPhase, splitListName } from './playbook-phase-line.js'
import { inRanges, type Scope, scopesOf, shippedRanges } from './playbook-shipped.js'
import { unclosedLines } from './unclosed.js'

/** State of the box of a phase in a list; null where no list names it. */
export type PhaseBox = 'open' | 'done' | 'partial' | null

/** One phase of a roadmap (docs/playbook.md, "Roadmap"). */
export interface PlaybookPhase {
  /** Normalised: `2.1`, `12A`. */
  id: string
  name: string
  /** Empty where the roadmap says none. */
  goal: string
  /** Lines of its section that belong to no field, else what its list line says behind its name. */
  description: string
  /** Normalised ids, ranges resolved, unknown ones included. */
  dependsOn: string[]
  requirements: string[]
  criteria: string[]
  /** Ids of its plans as listed: `02-01`. */
  plans: string[]
  /** How many plans it says that it has, where it says so. */
  planCount: number | null
  checkbox: PhaseBox
  /** Belongs to a part of the roadmap that is marked as shipped. */
  shipped: boolean
  inserted: boolean
  /** Value of its `UI hint`, empty without one. */
  uiHint: string
  mode: string
  /** Fields of other names. */
  extra: Record<string, string>
  /** 1-based line of its heading, else of its list line. */
  line: number
  warnings: string[]
}

export interface PlaybookRoadmap {
  phases: PlaybookPhase[]
  /** Ids that a run of all outstanding phases would work through, in that order; empty where there is a cycle. */
  order: string[]
  /** One cycle of dependencies, its first id again at the end; undefined without one. */
  cycle: string[] | undefined
  /** No phase has a section, and not all of them are ticked. */
  malformed: boolean
  /** First and last ids that parts of the roadmap name as shipped; they stand for phases that are no longer in it. */
  shippedRanges: [string, string][]
  /** How many lines look like phases and are not read as any; each is told in a warning. */
  unread: number
  warnings: string[]
}

export interface RoadmapContext {
  /** `milestone` of STATE.md: of two phases of one id the one in it counts. */
  milestone?: string
}

/** Reads a roadmap. Never throws; what is wrong with it is in its warnings, `cycle` and `malformed`. */
export function readPlaybookRoadmap(text: string, context: RoadmapContext = {}): PlaybookRoadmap {
  const document = scanMarkdown(text)
  const lines = playbookLines(document)
  const scopes = scopesOf(lines, document.details)
  const { sections, listed, unread } = entriesOf(lines, scopes)
  const merged = mergePhases(sections, listed, context.milestone)
  const ranges = shippedRanges(lines, scopes)
  const phases = merged.phases.map((each) => phaseOf(each.section, each.listed, each.warnings))
  resolveDependencies(phases, ranges)
  const malformed = phases.length > 0 && sections.length === 0 && phases.some((each) => !isComplete(each))
  const cycle = phaseCycle(phases.filter((each) => !isComplete(each)))
  const missed = unreadPhases(unread, phases)
  return {
    phases: phases.map(({ dependencies: _, ...phase }) => phase),
    order: cycle === undefined ? phaseOrder(phases.filter(isOutstanding)) : [],
    cycle,
    malformed,
    shippedRanges: ranges,
    unread: missed.length,
    warnings: [
      ...unclosedLines(document, ['fence', 'comment', 'details', 'front matter']),
      ...(phases.length === 0 ? ['No phases were found ("### Phase 1: Name").'] : []),
      ...(malformed
        ? ['malformed_roadmap: phases stand only in a list; none has a section of its own.']
        : []),
      ...(cycle === undefined ? [] : [`Phases wait for each other: ${cycle.join(' -> ')}.`]),
      ...missed,
      ...phases.flatMap((phase) => phase.warnings.map((warning) => `Phase ${phase.id}: ${warning}`)),
    ],
  }
}

/** Done as far as the roadmap says. */
export function isComplete(phase: Pick<PlaybookPhase, 'checkbox' | 'shipped'>): boolean {
  return phase.shipped || phase.checkbox === 'done'
}

function isOutstanding(phase: PlaybookPhase): boolean {
  return !isComplete(phase) && !isBacklogId(phase.id)
}

type PhaseWithNames = PlaybookPhase & { dependencies: NamedDependency[] | undefined }

/** A line that a person may take for a phase, and that is read as none. */
interface UnreadLine {
  line: PlaybookLine
  /** What its id seems to be. */
  id: string
  /** In another language than the grammar's. */
  foreign: boolean
}

/** A box with a sign that the grammar does not have: `[/]`, `[>]`, `[]`. */
const otherBox = /^\[[^\][]{0,3}\]\s/

/** A heading of any level, a box in a list, a line in bold, or one that stands alone at the margin. */
function unreadLine(line: PlaybookLine): UnreadLine | undefined {
  const own = likelyPhase(line.body)
  const likely = own ?? (line.level > 0 || line.box !== undefined ? foreignPhase(line.body) : undefined)
  if (likely === undefined) return undefined
  const { level, box, mark, indent, text, body } = line
  const isBoxed = box !== undefined || (mark !== undefined && otherBox.test(body))
  const opens = !likely.isInside && mark === undefined
  const isBold = opens && /^\s{0,3}(?:\*\*|__)/.test(text)
  const isAlone = opens && indent === 0 && likely.isNamed && text.length < 80
  return level > 0 || isBoxed || isBold || isAlone
    ? { line, id: likely.id, foreign: own === undefined }
    : undefined
}

const mostUnread = 20

/** Told with their lines: a phase that is not seen is never run. */
function unreadPhases(unread: readonly UnreadLine[], phases: readonly { id: string }[]): string[] {
  const known = new Set(phases.map(({ id }) => id))
  return (
    unread
      // Where phases are found, a word of another language is that of something else.
      .filter(({ id, foreign }) => !known.has(id) && !(foreign && phases.length > 0))
      .slice(0, mostUnread)
      .map(
        ({ line }) =>
          `Line ${line.number} looks like a phase and is not read as one: "${line.text.trim().slice(0, 80)}". Write it as "### Phase 1: Name".`,
      )
  )
}

/** How many folds a line opens more than it closes; a line that only speaks of the tag does neither. */
function foldsOpened(text: string): number {
  if (!/^\s*</.test(text)) return 0
  return [...text.matchAll(/<(\/?)details\b/gi)].reduce((sum, [, end]) => sum + (end === '/' ? -1 : 1), 0)
}

/** Headings and list lines that name phases, with the lines that belong to each heading. */
function entriesOf(lines: readonly PlaybookLine[], scopes: ReadonlyMap<number, Scope>) {
  const sections: PhaseEntry[] = []
  const unread: UnreadLine[] = []
  const listed: PhaseEntry[] = []
  const struck = new Set<string>()
  let open: { entry: PhaseEntry; level: number; folds: number } | undefined
  let item: PhaseEntry | undefined
  for (const line of lines) {
    const above = item
    item = undefined
    const named = line.level >= 2 && line.level <= 4 ? namedPhase(line.body) : undefined
    const scope = scopes.get(line.number) ?? { shipped: false, texts: [] }
    if (named !== undefined) {
      const entry: PhaseEntry = { phase: named, line, lines: [], scope }
      open = named.removed ? undefined : { entry, level: line.level, folds: 0 }
      if (!named.removed) sections.push(entry)
      continue
    }
    const missed = scope.shipped ? undefined : unreadLine(line)
    if (open !== undefined && line.level > 0 && line.level <= open.level) open = undefined
    if (open !== undefined && line.level === 0) {
      open.folds += foldsOpened(line.text)
      // The fold that the phase stands in ends, and the phase with it.
      if (open.folds < 0) open = undefined
    }
    const inList = line.mark === undefined ? undefined : namedPhase(line.body.replace(/^\[[ xX~]\]\s*/, ''))
    if (inList !== undefined && (line.box !== undefined || inList.removed)) {
      if (inList.removed) {
        open = open?.entry.phase.id === inList.id ? open : undefined
        if (line.box === ' ') struck.add(inList.id)
      } else {
        item = { phase: splitListName(inList), line, lines: [], scope }
        listed.push(item)
      }
    } else if (above !== undefined && isBelow(line, above.line)) {
      item = above
      item.lines.push(line)
    } else if (missed !== undefined && inList?.removed !== true && !/~~/.test(line.text)) unread.push(missed)
    open?.entry.lines.push(line)
  }
  // What is struck through in the list, and not done, is given up, whatever section is left of it.
  const isListed = (id: string) => listed.some((entry) => entry.phase.id === id)
  const isGone = ({ phase }: PhaseEntry) => struck.has(phase.id) && !isListed(phase.id)
  return { sections: sections.filter((entry) => !isGone(entry)), listed, unread }
}

/** What is indented below an item belongs to it, over blank lines, too. */
function isBelow(line: PlaybookLine, item: PlaybookLine): boolean {
  return isBlankLine(line) || (line.level === 0 && line.indent > item.indent)
}

function boxOf(entry: PhaseEntry | undefined): PhaseBox {
  const box = entry?.line.box
  if (box === undefined) return null
  if (box === ' ' || box === '-') return 'open'
  return box === '~' ? 'partial' : 'done'
}

function phaseOf(
  section: PhaseEntry | undefined,
  listed: PhaseEntry | undefined,
  warnings: string[],
): PhaseWithNames {
  const entry = (section ?? listed) as PhaseEntry
  const { id } = entry.phase
  const { fields, rest } = fieldsOf(section?.lines ?? [])
  const below = fieldsOf(listed?.lines ?? [])
  const all = (name: string) => ownFields(fields, below.fields, name)
  const firstText = (name: string) =>
    all(name)
      .map(textOf)
      .find((text) => text !== '') ?? ''
  const unlisted = fields.filter(({ name }) => name === undefined || name === 'uiHint')
  const own = boxedPlans([...rest, ...unlisted.flatMap(({ lines }) => lines)], id)
  // What stands below its line in the list counts where its section lists none.
  const boxed = own.length > 0 || all('plans').length > 0 ? own : boxedPlans(below.rest, id)
  const plans = plansOf(all('plans'), id, boxed)
  const depends = all('dependsOn')
  const described = rest
    .filter((line) => !boxed.includes(line) && !(boxed.length > 0 && isWave(line)))
    .map((line) => line.text.replace(/<\/?(?:details|summary)>/gi, '').trim())
    .filter((text) => text !== '')
    .join('\n')
  const goal = firstText('goal')
  const checkbox = boxOf(listed)
  const shipped = entry.scope.shipped || (listed?.scope.shipped ?? false)
  const phase: PhaseWithNames = {
    id,
    name: entry.phase.name || (listed?.phase.name ?? ''),
    goal: /^tbd\.?$|^\[?to be (?:planned|defined|determined)\]?\.?$/i.test(goal) ? '' : goal,
    description: described || (listed?.phase.text ?? '') || entry.phase.text,
    dependsOn: [],
    requirements: all('requirements').flatMap(requirementsOf),
    criteria: all('criteria').flatMap(criteriaOf),
    plans: plans.plans,
    planCount: plans.count,
    checkbox,
    shipped,
    inserted: entry.phase.inserted || (listed?.phase.inserted ?? false),
    uiHint: firstText('uiHint'),
    mode: firstText('mode'),
    extra: Object.fromEntries(
      [...below.fields, ...fields]
        .filter(({ name }) => name === undefined)
        .map((field) => [field.label, textOf(field)]),
    ),
    line: entry.line.number,
    warnings: [...warnings, ...plans.warnings],
    dependencies:
      depends.length === 0 ? undefined : depends.flatMap((field) => namedDependencies(textOf(field))),
  }
  if (shipped && checkbox === 'open')
    phase.warnings.push('It belongs to a part that is shipped, but its box is open; it counts as complete.')
  if (section?.phase.saysDone === true && !isComplete(phase))
    phase.warnings.push(
      `Its heading says that it is done, but ${checkbox === null ? 'no box in a list does' : 'its box does not'}; it counts as outstanding.`,
    )
  const unread = depends.map(textOf).filter(isUnreadDependency)
  if (unread.length > 0 && !isComplete(phase))
    phase.warnings.push(
      `What it depends on names no phase and counts for nothing: "${unread.join(' ').slice(0, 80)}". Write "Phase 1, Phase 2" or "Nothing".`,
    )
  if (phase.goal === '' && !isComplete(phase)) phase.warnings.push('It has no goal.')
  return phase
}

/**
 * The fields of a name that are the phase's own: those of its section that stand below no heading of a part, as that of a
 * plan, else those below such headings, else those that are indented below its line in the list.
 */
function ownFields(section: readonly Field[], listed: readonly Field[], name: string): Field[] {
  const named = section.filter((field) => field.name === name)
  const own = named.filter(({ inPart }) => !inPart)
  if (own.length > 0) return own
  return named.length > 0 ? named : listed.filter((field) => field.name === name)
}

/** Names become ids, once every id is known. */
function resolveDependencies(phases: PhaseWithNames[], ranges: readonly [string, string][]): void {
  const known = phases.map(({ id }) => id)
  const ids = new Set(known)
  const someSay = phases.some(({ dependencies }) => dependencies !== undefined)
  for (const phase of phases) {
    const before = () => known.filter((id) => comparePhaseIds(id, phase.id) < 0 && !isBacklogId(id))
    const named = dependencyIds(phase.dependencies ?? [], known, before)
    phase.dependsOn = named.filter((id) => id !== phase.id)
    if (named.includes(phase.id)) phase.warnings.push('It waits for itself, which is left out.')
    for (const id of phase.dependsOn.filter((one) => !ids.has(one))) {
      const what = inRanges(id, ranges)
        ? 'which is not in the roadmap any more and counts as shipped'
        : 'which is not in the roadmap'
      phase.warnings.push(`It waits for phase ${id}, ${what}.`)
    }
    if (someSay && phase.dependencies === undefined && !isComplete(phase))
      phase.warnings.push('It does not say what it depends on, as other phases do.')
  }
}
