import { counted } from '../../counted.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { TaskView } from '../../view/view.js'
import { type Line, type Span, type Theme, taskLook } from '../theme.js'
import { factSpan } from './facts.js'
import { fitLine, line, lineWidth, spread, windowStart } from './line.js'

function finished(tasks: readonly TaskView[]): number {
  return tasks.filter((task) => task.status === 'complete').length
}

/** The task that a window of tasks has to show. */
function focusOf(tasks: readonly TaskView[]): number {
  const active = tasks.findIndex((task) => task.status === 'in_progress' || task.status === 'failed')
  if (active >= 0) return active
  const pending = tasks.findIndex((task) => task.status === 'pending')
  return pending >= 0 ? pending : tasks.length - 1
}

/** Nothing where a task has no other name than its id. */
const idBefore = ({ id, title }: TaskView) => (id === title ? '' : `${sanitizeLine(id)} `)

/** Cells that mark and name of a task keep. */
const leastTitle = 12

function taskLine(task: TaskView, width: number, theme: Theme): Line {
  const look = taskLook(task.status, theme)
  const extras: Span[] = []
  if (task.retries > 0) extras.push({ text: ` [${counted(task.retries, 'retry', 'retries')}]`, tone: 'warn' })
  for (const fact of task.facts) {
    const span = factSpan(fact, theme)
    extras.push({ text: ` [${span.text}]`, tone: span.tone ?? 'accent' })
  }
  const status: Span = { text: ` ${look.word}`, tone: look.tone }
  // What is known last says most: where not all of it has room beside the name, the first goes, never how the task stands.
  while (extras.length > 0 && lineWidth([...extras, status]) + 1 + leastTitle > width) extras.shift()
  const right: Span[] = [...extras, status]
  const left: Span[] = [
    { text: `${look.mark} `, tone: look.tone },
    { text: idBefore(task), strong: task.status === 'in_progress' },
    { text: sanitizeLine(task.title) },
  ]
  const room = width - lineWidth(right) - 1
  return fitLine(spread(fitLine(left, Math.max(leastTitle, room), theme), right, width, theme), width, theme)
}

/** The tasks of the phase, at most `rows` lines, around the one that is worked on. */
export function taskLines(tasks: readonly TaskView[], width: number, rows: number, theme: Theme): Line[] {
  if (rows <= 0) return []
  if (tasks.length === 0) return [line('no tasks yet', 'quiet')]
  const start = windowStart(tasks.length, rows, focusOf(tasks))
  return tasks.slice(start, start + rows).map((task) => taskLine(task, width, theme))
}

/** `2 of 5 done`. */
export function taskCount(tasks: readonly TaskView[]): string {
  return tasks.length === 0 ? '' : `${finished(tasks)} of ${tasks.length} done`
}

/** The tasks on one line, for when there is no room for more. */
export function taskSummary(tasks: readonly TaskView[], width: number, theme: Theme): Line {
  if (tasks.length === 0) return line('No tasks yet', 'quiet')
  const focus = tasks[focusOf(tasks)]
  const done = `${finished(tasks)} of ${counted(tasks.length, 'task')} done`
  if (!focus || focus.status === 'complete') return fitLine(line(done), width, theme)
  const look = taskLook(focus.status, theme)
  return fitLine(
    [
      { text: `${done}, ` },
      { text: `${look.word}: `, tone: look.tone },
      { text: `${idBefore(focus)}${sanitizeLine(focus.title)}` },
    ],
    width,
    theme,
  )
}
