import { counted } from '../../counted.js'
import { isWorking, type Pane, unfolded } from '../../view/panes.js'
import type { RunSnapshot, RunStatus, TimelineEntry } from '../../view/view.js'
import { formatTime } from '../format.js'
import { runLook } from '../theme.js'

/** Lines of one agent that are told at a time; a person cannot read more, and its log has them all. */
const mostLines = 12

/** Says what is new in a run, line by line. */
export interface RunTeller {
  /** What a run begins with. */
  opening(): string[]
  /** What was not told yet. Output of agents only with `agents`; it is not lost without. */
  news(next: RunSnapshot, agents: boolean): string[]
}

function entryLine({ at, kind, text }: TimelineEntry): string {
  return `${formatTime(at)} ${kind === 'warning' ? 'warning: ' : ''}${text}`
}

function statusLine(status: RunStatus): string {
  return status === 'running' ? 'Goes on.' : `${runLook(status).word}.`
}

export function createRunTeller(first: RunSnapshot): RunTeller {
  let seen = first
  const told = new Map(first.panes.map((pane) => [pane.id, pane.lines.total]))

  function newEntries({ timeline }: RunSnapshot): string[] {
    const last = seen.timeline.at(-1)
    const from = last ? timeline.lastIndexOf(last) + 1 : 0
    return timeline.slice(from).map(entryLine)
  }

  function output(pane: Pane, several: boolean): string[] {
    const { lines } = pane
    // Also those that the pane has forgotten before anybody looked.
    const fresh = lines.total - (told.get(pane.id) ?? 0)
    if (fresh <= 0) return []
    told.set(pane.id, lines.total)
    const shown = Math.min(fresh, mostLines, lines.length)
    const mark = several ? `  ${pane.title} | ` : '  | '
    const rows = lines
      .slice(lines.length - shown, lines.length)
      .filter(({ kind }) => kind !== 'thinking')
      // Of a call that went well its end is enough; what it printed is in the log.
      .flatMap((line) => (line.outcome === 'failed' ? unfolded(line) : [line]))
    const skipped = fresh > shown
    return [
      ...(skipped
        ? [
            `${mark}(${counted(fresh - shown, 'more line is', 'more lines are')} in ${pane.logPath ?? 'its log'})`,
          ]
        : []),
      ...rows.filter(({ text }) => text.trim() !== '').map(({ text }) => mark + text),
    ]
  }

  return {
    opening() {
      const { view, recap, branch, agent } = first
      const about = [view.session, view.subject, branch, agent].filter((text) => text !== undefined)
      return [
        `${view.title} (${about.join(', ')})`,
        ...recap.map((text) => `  ${text}`),
        'While it works, ? and Enter lists what can be typed.',
      ]
    },
    news(next, agents) {
      const lines = newEntries(next)
      if (next.status !== seen.status) lines.push(statusLine(next.status))
      if (next.banner !== undefined && next.banner !== seen.banner) lines.push(`! ${next.banner}`)
      if (next.reports !== seen.reports) lines.push(...next.reports)
      const several = next.panes.filter(isWorking).length > 1
      if (agents) lines.push(...next.panes.flatMap((pane) => output(pane, several)))
      seen = next
      return lines
    },
  }
}
