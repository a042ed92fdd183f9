import { sanitizeLine } from '../../terminal/sanitize.js'
import type { LogPlace, LogQuery, RunControls } from '../../view/view.js'
import { keyOf } from '../keymap.js'
import { focusedPane } from '../layout/pane-choices.js'
import { hasEarlier } from '../layout/panes.js'
import type { Found } from './log-search.js'
import type { RunState } from './run-state.js'

// What the keys of the search do where lines are in the log alone: docs/terminal.md "Panes".

/** Where a search goes, in a word. */
export const sideOf = (by: 1 | -1) => (by === 1 ? 'newer' : 'older')

/** Which keys go on from a hit. */
export const foundText = (text: string) =>
  `"${text}": ${keyOf('next-hit')} finds an older hit, ${keyOf('next-part')} a newer one`

/** The same in a text that has the screen. */
export const inTextFound = (text: string) =>
  `"${text}": ${keyOf('next-part')} finds the next hit, ${keyOf('next-hit')} the one before`

/** A search that has found nothing: in all of the text, or on from a hit. */
export function notInText(text: string, begin: boolean, by: 1 | -1): string {
  return `"${text}": nothing ${begin ? 'here' : by === 1 ? 'below' : 'above'}`
}

/** What came of a search in a log. */
function inLogText(found: Found, { wanted, by }: LogQuery, path: string): string {
  switch (found) {
    case 'gone':
      return `The log is not there any more: ${sanitizeLine(path)}`
    case 'unreadable':
      return `The log cannot be read: ${sanitizeLine(path)}`
    case 'nothing':
      return `"${wanted}": nothing ${sideOf(by)} in the log`
    default:
      return foundText(wanted)
  }
}

/** Search in the log of the focused pane, and in what of it only the log still holds. */
export function logSearching({ state, controls }: { state: RunState; controls: RunControls }) {
  const { logSearch, logParts, panes } = state
  const pane = focusedPane(state.snapshot.panes, panes.choices)

  async function find(path: string, query: LogQuery): Promise<void> {
    state.tell(`Searching the log for "${query.wanted}"`)
    const found = await logSearch.find(path, query)
    // Another search has begun, and tells what came of it.
    if (found === 'replaced') return
    if (found === 'found' && state.view !== 'log') state.show('log')
    state.tell(inLogText(found, query, path))
  }

  return {
    /** On from the last hit, or from the part that is looked at. */
    fromLog(wanted: string, by: 1 | -1): void {
      const path = pane?.logPath
      if (path === undefined || !controls.searchLog) return
      const { hit } = logSearch
      const part = logParts.get(path)
      const seen: LogPlace | undefined =
        part === undefined ? undefined : { part: by === -1 ? part + 1 : part, line: by === -1 ? 0 : -1 }
      void find(path, { wanted, by, from: hit?.path === path && hit.wanted === wanted ? hit : seen })
    },
    /** Before what the pane has kept; false where that is all there is. */
    fromPane(wanted: string): boolean {
      if (!pane?.logPath || !hasEarlier(pane) || !controls.searchLog) return false
      const at = pane.lines.oldestAt
      void find(pane.logPath, { wanted, by: -1, from: at === undefined ? undefined : { offset: at } })
      return true
    },
  }
}
