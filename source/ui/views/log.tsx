import { useEffect, useMemo, useRef } from 'react'
import { TextView } from '../components/text-view.js'
import { rank, useKeys } from '../hooks/keys.js'
import { type ShownLog, useLogPart } from '../hooks/log-part.js'
import type { LogHit } from '../hooks/log-search.js'
import type { RunState } from '../hooks/run-state.js'
import { actionOf } from '../keymap.js'
import { logRows } from '../layout/log-rows.js'
import { focusedPane } from '../layout/pane-choices.js'
import type { View, ViewProps } from './view.js'

/** Rows above a hit, so that it is seen with what led to it. */
const leadRows = 2

/** Goes to the part of a new hit and, once that has been read, to its line. Returns a number that is new for each hit. */
function useHitPlace(
  state: RunState,
  log: ShownLog,
  { hit, starts }: { hit: LogHit | undefined; starts: number[] },
): number {
  const placed = useRef(0)
  const { go } = log
  const seq = hit?.seq
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each hit
  useEffect(() => {
    if (hit) go(hit.part)
  }, [seq])
  if (hit && placed.current !== hit.seq && log.isRead && log.part === hit.part) {
    placed.current = hit.seq
    state.places.of('log').set(Math.max(0, (starts[hit.line] ?? 0) - leadRows))
  }
  return placed.current
}

function LogView({ state, layout, controls }: ViewProps) {
  const pane = focusedPane(state.snapshot.panes, state.panes.choices)
  const { read, unread } = state.panes
  // The log that is open stays the same one, whichever agent begins meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each pane
  useEffect(() => {
    if (pane) read(pane.id)
  }, [pane?.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the view is left
  useEffect(() => unread, [])
  const log = useLogPart(pane?.logPath, controls.readLog, state.logParts)
  const { lines, part, parts } = log
  const found = state.logSearch.hit
  const hit = found?.path === pane?.logPath ? found : undefined
  const { rows, starts } = useMemo(
    () => logRows(lines, layout.width, hit?.wanted),
    [lines, layout.width, hit?.wanted],
  )
  const placed = useHitPlace(state, log, { hit, starts })

  function go(next: number | undefined): void {
    log.go(next)
    state.places.of('log').set(next === undefined ? undefined : 0)
  }

  useKeys((key) => {
    const action = actionOf('run', key.name)
    if (action === 'top' && part > 0) go(0)
    else if (action === 'bottom' && part < parts - 1) go(undefined)
    // With a search under way this key is that of its next newer hit.
    else if (action === 'next-part' && part < parts - 1 && !hit) go(part + 1)
    else if (action === 'previous-part' && part > 0) go(part - 1)
    else return false
    return true
  }, rank.field)

  const more = parts > 1 ? `part ${part + 1} of ${parts}` : ''
  const title = { name: `log of ${pane?.title ?? ''}`, path: pane?.logPath, more }
  return (
    <TextView
      // Another part, or the place of a hit, is another text: it begins where it is said to.
      key={`${pane?.id} ${part} ${placed}`}
      state={state}
      view="log"
      title={title}
      lines={rows}
      height={layout.bodyHeight}
      pages={parts}
      searchedElsewhere
      fromEnd
    />
  )
}

/** The whole log of the chosen agent as it lies on disk, part by part, for copying too. */
export const logView: View = {
  id: 'log',
  title: 'Log',
  isFilled: ({ panes }) => panes.some(({ logPath }) => logPath !== undefined),
  render: (props) => <LogView {...props} />,
  hints: [
    { actions: ['search'], word: 'search' },
    { actions: ['next-hit', 'next-part'], word: 'older, newer hit' },
    { actions: ['top'], word: 'oldest line' },
    { actions: ['next-part', 'previous-part'], word: 'next, previous part' },
    { actions: ['next-pane'], word: 'agent' },
  ],
}
