import { counted } from '../../counted.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { isWorking, type Pane } from '../../view/panes.js'
import type { RunSnapshot } from '../../view/view.js'
import type { Line, Theme } from '../theme.js'
import { spread } from './line.js'
import { focusedPane, type PaneChoices, targetOf, workingPanes } from './pane-choices.js'
import { type NeedOf, type PlacedGroup, placePanes } from './pane-places.js'
import type { PaneArea } from './pane-rows.js'
import { type PaneTitleLook, paneRows, paneTitle, tokensOf } from './panes.js'

/** Where agents are drawn, and when. */
export interface MainArea {
  width: number
  height: number
  /** Epoch milliseconds. */
  now: number
  theme: Theme
}

/** What of the choices of a person changes how output is drawn. */
export function outputChoices({
  wanted,
  unfolded = false,
  unwrapped = false,
}: PaneChoices): Omit<PaneArea, 'width' | 'height' | 'theme'> {
  return { wanted, unfolded, unwrapped }
}

function placeOf(pane: Pane, { tops }: PaneChoices): PaneTitleLook['place'] {
  const top = tops.get(pane.id)
  return top === undefined ? undefined : { top: top + 1, total: pane.lines.total }
}

/** How the title of a pane is drawn on the run screen and on the full one. */
export function titleLook(
  snapshot: RunSnapshot,
  pane: Pane,
  choices: PaneChoices,
): Omit<PaneTitleLook, 'open' | 'now'> {
  const { panes, status, view } = snapshot
  const target = targetOf(panes, choices)
  const focused = target.kind === 'all' ? isWorking(pane) : pane === focusedPane(panes, choices)
  const phase = view.phases.find(({ id }) => id === pane.phase)
  const several = workingPanes(panes).length > 1 && phase !== undefined
  return {
    focused,
    follow: !choices.tops.has(pane.id),
    place: placeOf(pane, choices),
    suspended: status === 'suspended',
    ...(several ? { phase: phase.label ?? phase.id } : {}),
  }
}

/** Rows that the output of a pane can fill; a long one is not drawn to be counted. */
function needIn(choices: PaneChoices, area: MainArea): NeedOf {
  return (pane, most) => {
    const top = choices.tops.get(pane.id)
    if (top === undefined && pane.lines.length >= most) return most
    const look = { ...outputChoices(choices), width: area.width, height: most, theme: area.theme }
    return paneRows(pane, top, look).length
  }
}

/** The row above the agents of a phase: what it is, how many there are, shown or not, and what they have used. */
function groupHeading({ phase: id }: PlacedGroup, snapshot: RunSnapshot, area: MainArea): Line {
  const { view, phaseUsage } = snapshot
  const phase = view.phases.find((one) => one.id === id)
  const word = view.phaseWord ?? 'Phase'
  const name = phase ? `${word} ${phase.label ?? phase.id}: ${phase.name}` : (id ?? 'Other agents')
  const panes = snapshot.panes.filter((pane) => pane.phase === id)
  const working = panes.filter(isWorking).length
  const used = id === undefined ? undefined : phaseUsage.get(id)
  const tokens = used && tokensOf({ inputTokens: used.inputTokens, outputTokens: used.outputTokens })
  const facts = [
    counted(Math.max(panes.length, snapshot.dispatched?.get(id ?? '') ?? 0), 'agent'),
    ...(working > 0 ? [`${working} at work`] : []),
    ...(tokens === undefined ? [] : [tokens]),
  ].join(` ${area.theme.dot} `)
  return spread(
    [{ text: ` ${sanitizeLine(name)}`, tone: 'info' }],
    [{ text: facts, tone: 'quiet' }],
    area.width,
    area.theme,
  )
}

/** The agents by phase: a title for each, and the output of those that are open. */
export function paneSection(snapshot: RunSnapshot, choices: PaneChoices, area: MainArea): Line[] {
  const { width, height, now, theme } = area
  const groups = placePanes(snapshot.panes, choices, height, needIn(choices, area))
  return groups.flatMap((group) => [
    ...(group.headed ? [groupHeading(group, snapshot, area)] : []),
    ...group.panes.flatMap(({ pane, open, rows }) => {
      const { phase, ...look } = titleLook(snapshot, pane, choices)
      const shownPhase = group.headed ? undefined : phase
      const title = paneTitle(pane, { ...look, phase: shownPhase, open, now }, width, theme)
      const output = { width, height: rows, theme, ...outputChoices(choices) }
      return [title, ...paneRows(pane, choices.tops.get(pane.id), output)]
    }),
  ])
}

/** Rows of the output of the focused pane, for paging, in `area` with its heading. */
export function pageOf(panes: readonly Pane[], choices: PaneChoices, area: MainArea): number {
  const focused = focusedPane(panes, choices)
  const groups = placePanes(panes, choices, area.height - 1, needIn(choices, area))
  const placed = groups.flatMap((group) => group.panes).find(({ pane }) => pane === focused)
  return Math.max(1, placed?.rows ?? 1)
}

/** Beside the heading of the agents: how many there are, and whom keys are for where that is a question. */
export function agentsAside({ panes, dispatched }: RunSnapshot, choices: PaneChoices): string {
  if (panes.length === 0) return ''
  const working = workingPanes(panes).length
  const all = [...(dispatched?.values() ?? [])].reduce((sum, count) => sum + count, 0)
  if (working < 2) return all > panes.length ? `the last ${panes.length} of ${all}` : String(panes.length)
  switch (targetOf(panes, choices).kind) {
    case 'all':
      return `${working} work, keys act on all`
    case 'one':
      return `${working} work, keys act on one`
    default:
      return `${working} work`
  }
}
