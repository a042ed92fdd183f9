import { wrapText } from '../../terminal/width.js'
import type { TimelineEntry } from '../../view/view.js'
import { line } from '../layout/line.js'
import { timelineLines } from '../layout/timeline.js'
import { linesView } from './lines-view.js'

/** What can be looked at alone; undefined stands for everything. */
const filters: readonly { name: string; kind: TimelineEntry['kind'] | undefined }[] = [
  { name: 'everything', kind: undefined },
  { name: 'questions and answers', kind: 'gate' },
  { name: 'agents', kind: 'agent' },
  { name: 'commits', kind: 'commit' },
  { name: 'warnings', kind: 'warning' },
  { name: 'states', kind: 'state' },
  { name: 'notes', kind: 'note' },
]

/** Everything that was told on this run, oldest first. */
export const timelineView = linesView({
  id: 'timeline',
  title: 'Timeline',
  ways: () => filters.map(({ name }) => name),
  fromEnd: true,
  lines(snapshot, width, theme, way) {
    const kind = filters[way]?.kind
    const shown =
      kind === undefined
        ? snapshot
        : {
            ...snapshot,
            timeline: snapshot.timeline.filter((entry) => entry.kind === kind),
            recap: [],
            reports: [],
          }
    const rows = timelineLines(shown, width, theme)
    const none = `No ${filters[way]?.name ?? 'entries'} so far.`
    return {
      rows: rows.length === 0 ? wrapText(none, width).map((row) => line(row, 'quiet')) : rows,
      parts: [],
    }
  },
  hints: [{ actions: ['next-way'], word: 'filter' }],
})
