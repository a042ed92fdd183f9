import { durationText } from '../../durations.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { isWorking } from '../../view/panes.js'
import type { ListEditor, Question } from '../../view/question.js'
import type { RunSnapshot } from '../../view/view.js'
import type { ShownText } from '../hooks/text-search.js'
import {
  type Action,
  type ActionHint,
  fieldHints,
  type Hint,
  hintOf,
  hintsOf,
  interludeHelp,
  keyOf,
} from '../keymap.js'
import type { Line, Theme } from '../theme.js'
import { fitLine } from './line.js'

/**
 * What the panel of a question shows: its options, with something to read lit beside them (`evidence`), a text for one
 * of them, a note, its list, or a name in that list.
 */
export type PanelMode = 'menu' | 'evidence' | 'text' | 'note' | 'list' | 'naming'

const menuHints: Hint[] = [
  { key: 'Up/Down', word: 'move' },
  { key: 'Enter', word: 'choose' },
]

/** Keys of a list; what its rows have one of is called as the list calls it. */
function listHints(list: ListEditor | undefined): Hint[] {
  const choice = list?.choice
  return hintsOf(list?.kind ?? 'reading').flatMap((hint) => {
    if (hint.action !== 'choose') return [hint]
    return choice ? [{ ...hint, word: sanitizeLine(choice.label) }] : []
  })
}

function hasEvidence({ evidence = [] }: Question): boolean {
  return evidence.length > 0
}

/** What Tab does at the options: it goes to what there is to read before it goes to the panes, where it goes on. */
function tabHints(question: Question, readsPanes: boolean): Hint[] {
  if (readsPanes)
    return [
      { key: 'Tab', word: 'next pane' },
      { key: 'Shift+Tab', word: 'options' },
    ]
  return hasEvidence(question) ? [{ key: 'Tab', word: 'read first' }] : []
}

/** The hint of the panes, where one of the question says what Tab does. */
function isEvidenceKey(question: Question, hint: Hint, readsPanes = false): boolean {
  return (readsPanes || hasEvidence(question)) && hint.action === 'next-pane'
}

/**
 * Keys of a question; `others` are the keys of the screen around it, `readsPanes` says that Tab went on to the panes, and
 * `takesNote` that there is a run to keep one.
 */
export function panelHints(
  question: Question,
  mode: PanelMode,
  others: readonly Hint[],
  { readsPanes = false, takesNote = true } = {},
): Hint[] {
  switch (mode) {
    case 'menu':
      return [
        ...menuHints,
        ...tabHints(question, readsPanes),
        ...(takesNote ? [{ key: 'm', word: 'note' }] : []),
        ...others.filter((hint) => !isEvidenceKey(question, hint, readsPanes)),
      ]
    case 'evidence':
      return [
        { key: 'Enter', word: 'open what is lit' },
        { key: 'Tab', word: 'next' },
        { key: 'Up/Down', word: 'back to the options' },
        ...others.filter((hint) => !isEvidenceKey(question, hint)),
      ]
    case 'text':
    case 'note':
      return [
        // A note is sent with the answer, which needs a key of its own.
        ...fieldHints(mode === 'note' ? 'keep it' : 'send', true),
        ...(question.body.length > 0 ? [{ key: 'PgUp', word: 'read the question' }] : []),
      ]
    case 'list':
      return listHints(question.list)
    case 'naming':
      return fieldHints('keep it', false)
  }
}

/** What of a scrolled text is hidden. */
export interface Hidden {
  above: boolean
  below: boolean
}

/** Keys that show the rest of a scrolled text, if there is more of it. */
export function scrollHints({ above, below }: Hidden): Hint[] {
  return [
    ...(below ? [{ key: keyOf('page-down'), word: 'more' }] : []),
    ...(above ? [{ key: keyOf('page-up'), word: 'earlier' }] : []),
  ]
}

/** Keys while evidence has the screen. */
export function evidenceViewHints(): Hint[] {
  const hints: ActionHint[] = [
    { actions: ['back'], word: 'back to the question' },
    { actions: ['page-up', 'page-down'], word: 'scroll' },
  ]
  return hints.map(hintOf)
}

/** Keys of what a question names, beside those of every text. */
export const readingHints: readonly ActionHint[] = [{ actions: ['next-part'], word: 'next part' }]

/** What has the screen in place of the overview. */
export interface Sight {
  snapshot: RunSnapshot
  /** Keys that only it has. */
  own: readonly ActionHint[]
  /** What kind of text it is, where it is one. */
  text: ShownText | undefined
  /** Ways of looking at it. */
  ways: number
  /** A search is under way in it. */
  searching: boolean
  /** The chosen agent is shown up to its newest line. */
  follows: boolean
}

/** Whether a key means something now, of those that do not always. */
function isMeant({ actions: [action] }: ActionHint, sight: Sight): boolean {
  const { snapshot, text, ways, searching, follows } = sight
  switch (action) {
    case 'page-up':
      return text?.scrolls ?? true
    case 'next-part':
      return text !== undefined && (text.pages > 1 || (text.parts > 1 && text.scrolls && !searching))
    case 'next-hit':
      return searching
    case 'next-way':
      return ways > 1
    case 'next-pane':
      return snapshot.panes.length > 1
    case 'bottom':
      return !follows
    case 'ask-later':
      return (snapshot.waiting ?? []).length > 0
    default:
      return true
  }
}

/** Keys of a view that has the screen, the more important ones first. */
export function viewHints(sight: Sight): Hint[] {
  const { snapshot, own, text } = sight
  const isSearched = own.some(({ actions }) => actions.includes('search'))
  const hints: ActionHint[] = [
    snapshot.question
      ? { actions: ['back'], word: 'back to the question' }
      : { actions: ['back'], word: 'back' },
    ...own,
    { actions: ['page-up', 'page-down'], word: 'scroll' },
    ...(text === undefined || isSearched
      ? []
      : [
          { actions: ['search'], word: 'search' } as const,
          { actions: ['next-part', 'next-hit'], word: 'next hit, one before', short: 'hits' } as const,
        ].slice(0, sight.searching ? 2 : 1)),
    { actions: ['previous-view', 'next-view'], word: 'other views', short: 'views' },
    { actions: ['help'], word: 'help' },
  ]
  return hints.filter((hint) => isHit(hint) || isMeant(hint, sight)).map(hintOf)
}

const isHit = ({ actions }: ActionHint) => actions[0] === 'next-part' && actions[1] === 'next-hit'

/** Keys that change how output of agents is shown. */
const ofOutput: ReadonlySet<Action | undefined> = new Set<Action>(['unfold', 'unwrap'])

/** Keys that mean nothing before there is an agent. */
const ofPanes: ReadonlySet<Action | undefined> = new Set<Action>(['next-pane', 'agents', 'page-up'])

/** Keys of the overview, the most important ones first. */
export function runHints(snapshot: RunSnapshot, mode: PanelMode, readsPanes = false): Hint[] {
  const { question, status, panes } = snapshot
  const waits = status === 'held' || status === 'holding' || status === 'suspended'
  const works = panes.some(isWorking)
  const interludes = interludeHelp(snapshot.view.interludes).map(({ key, interlude }): Hint => {
    return { key, word: sanitizeLine(interlude.hint) }
  })
  const all = hintsOf('run').map((hint) =>
    hint.action === 'hold' && waits ? { ...hint, word: 'go on' } : hint,
  )
  const run = [
    ...all.filter(({ action }) => !ofOutput.has(action) && (panes.length > 0 || !ofPanes.has(action))),
    ...interludes,
    ...all.filter(({ action }) => ofOutput.has(action) && panes.length > 0),
  ]
  if (question) return panelHints(question, mode, run, { readsPanes })
  return [...run.slice(0, 2), ...(works ? hintsOf('agent') : []), ...run.slice(2)]
}

/** In place of the hints while the run is stopping: what it waits for, how long already, and the way out. */
export function stoppingLine(snapshot: RunSnapshot, now: number, width: number, theme: Theme): Line {
  const working = snapshot.panes.filter(isWorking).length
  const works = working > 0
  const agents = working > 1 ? 'agents' : 'agent'
  const passed = now - (snapshot.stoppingSince ?? now)
  const time = passed >= 1000 ? ` ${durationText(passed)}` : ''
  return fitLine(
    [
      { text: `Stopping: ${works ? `ending the ${agents}` : 'saving'}${time}`, tone: 'warn', strong: true },
      ...(works ? [{ text: '   ' }, { text: 'Ctrl+C', tone: 'info' as const, strong: true }] : []),
      ...(works ? [{ text: working > 1 ? ' ends them at once' : ' ends it at once' }] : []),
    ],
    width,
    theme,
  )
}
