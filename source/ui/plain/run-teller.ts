import { counted } from '../../counted.js'
import { isWorking, type Pane, type PaneLine, unfolded } from '../../view/panes.js'
import type { Question } from '../../view/question.js'
import type { RunSnapshot, RunStatus, TimelineEntry } from '../../view/view.js'
import { formatTime } from '../format.js'
import { runLook } from '../theme.js'

/** Lines of one agent that are told at a time; a person cannot read more, and its log has them all. */
const mostLines = 12

/** Says what is new in a run, line by line. */
export interface RunTeller {
  /** What a run begins with. `canType`: somebody can type while it works. */
  opening(canType: boolean): string[]
  /** What was not told yet. Output of agents only with `agents`; it is not lost without. */
  news(next: RunSnapshot, agents: boolean): string[]
  /** An answer was given in these lines, so its entry in the timeline would say it a second time. */
  answered(): void
}

/** Of a text that is told in one line; an error can be as long as all that a test run has printed. */
const mostCharacters = 300

/** The beginning of a long text, up to a word. */
function shortened(text: string): string {
  if (text.length <= mostCharacters) return text
  const cut = text.slice(0, mostCharacters)
  const begin = cut.slice(0, Math.max(cut.lastIndexOf(' '), mostCharacters / 2)).trimEnd()
  return `${begin} ... (${counted(text.length - begin.length, 'more character')} in its log)`
}

function entryLine({ at, kind, text }: TimelineEntry): string {
  return `${formatTime(at)} ${kind === 'warning' ? 'warning: ' : ''}${shortened(text)}`
}

function statusLine(status: RunStatus): string {
  const { word } = runLook(status)
  return status === 'running' ? 'Goes on.' : `${word.charAt(0).toUpperCase()}${word.slice(1)}.`
}

/** Entries among which that of a report is looked for. */
const lookBack = 5

const words = (text: string) => text.replace(/[\s;,.:|]+/g, ' ').trim()

/** A report and its entry in the timeline are one text, laid out in lines there and in one line here. */
function isSame(entry: TimelineEntry, report: readonly string[]): boolean {
  return report.length > 0 && words(entry.text) === words(report.join(' '))
}

/** A question shows a report as its own text, and is shown whole. */
function isIn(report: readonly string[], question: Question | undefined): boolean {
  return report.length > 0 && words(question?.body.join(' ') ?? '').includes(words(report.join(' ')))
}

/** Of a report that goes on what is new; any other one as it is. */
function grown(report: readonly string[], before: readonly string[]): readonly string[] {
  const goesOn = before.length > 0 && before.every((text, index) => text === report[index])
  return goesOn ? report.slice(before.length) : report
}

/** The entry of a question that is shown itself. */
function isOf({ kind, text }: TimelineEntry, question: Question | undefined): boolean {
  return kind === 'gate' && question !== undefined && text === `asked: ${question.title}`
}

/** A call whose end is among the lines behind it is told by its end, which begins with the same words. */
function withoutBegun(lines: readonly PaneLine[]): PaneLine[] {
  const ended = new Set(lines.flatMap(({ call, outcome }) => (outcome === undefined ? [] : [call])))
  return lines.filter(({ call, outcome }) => call === undefined || outcome !== undefined || !ended.has(call))
}

export function createRunTeller(first: RunSnapshot): RunTeller {
  let seen = first
  /** The question that was asked last, also when it has been answered. */
  let question: Question | undefined
  let answers = 0
  const told = new Map(first.panes.map((pane) => [pane.id, pane.lines.total]))

  function newEntries({ timeline }: RunSnapshot): readonly TimelineEntry[] {
    const last = seen.timeline.at(-1)
    return timeline.slice(last ? timeline.lastIndexOf(last) + 1 : 0)
  }

  /** What an agent said last comes before its end. */
  function beforeEnd({ kind, text }: TimelineEntry, panes: readonly Pane[]): string[] {
    if (kind !== 'agent' && kind !== 'warning') return []
    return panes
      .filter((pane) => !isWorking(pane) && text.startsWith(`${pane.title}: `))
      .flatMap((pane) => output(pane, panes.filter(isWorking).length > 0))
  }

  function output(pane: Pane, several: boolean): string[] {
    const { lines } = pane
    // Also those that the pane has forgotten before anybody looked.
    const fresh = lines.total - (told.get(pane.id) ?? 0)
    if (fresh <= 0) return []
    told.set(pane.id, lines.total)
    const shown = Math.min(fresh, mostLines, lines.length)
    const mark = several ? `  ${pane.title} | ` : '  | '
    const rows = withoutBegun(lines.slice(lines.length - shown, lines.length))
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

  /** What is new in the timeline, and the report where it is not told there: the entry of one may come before or after it. */
  function entriesAndReport(next: RunSnapshot): { told: string[]; report: readonly string[] } {
    const isNew = next.reports !== seen.reports
    const report = isNew ? next.reports : []
    const isTold = seen.timeline.slice(-lookBack).some((entry) => isSame(entry, report))
    const entries = newEntries(next).filter((entry) => !isOf(entry, question) && !isAnswer(entry))
    const inEntry = isTold ? undefined : entries.findLast((entry) => isSame(entry, report))
    const linesOf = (entry: TimelineEntry): string[] => {
      if (entry === inEntry) return [`${formatTime(entry.at)} ${report[0]}`, ...report.slice(1)]
      return !isNew && isSame(entry, seen.reports) ? [] : [entryLine(entry)]
    }
    const told = entries.flatMap((entry) => [...beforeEnd(entry, next.panes), ...linesOf(entry)])
    const isKnown = isTold || inEntry !== undefined || isIn(report, question)
    return { told, report: isKnown ? [] : grown(report, seen.reports) }
  }

  function isAnswer({ kind, text }: TimelineEntry): boolean {
    if (answers === 0 || kind !== 'gate' || !text.startsWith('answered: ')) return false
    answers -= 1
    return true
  }

  return {
    opening(canType) {
      const { view, recap, branch, agent } = first
      const about = [view.session, view.subject, branch, agent].filter((text) => text !== undefined)
      return [
        `${view.title} (${about.join(', ')})`,
        ...recap.map((text) => `  ${text}`),
        ...(canType ? ['While it works, ? and Enter lists what can be typed.'] : []),
      ]
    },
    answered() {
      answers += 1
    },
    news(next, agents) {
      question = next.question ?? question
      const { told, report } = entriesAndReport(next)
      const lines = [...told]
      if (next.status !== seen.status) lines.push(statusLine(next.status))
      if (next.banner !== undefined && next.banner !== seen.banner) lines.push(`! ${next.banner}`)
      lines.push(...report)
      const several = next.panes.filter(isWorking).length > 1
      if (agents) lines.push(...next.panes.flatMap((pane) => output(pane, several)))
      seen = next
      return lines
    },
  }
}
