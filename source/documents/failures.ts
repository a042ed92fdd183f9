import { appendBlock } from './edit.js'

/** One dead end in the failures file of a project (docs/harness.md, "Learnings and failures"). */
export interface Failure {
  /** YYYY-MM-DD */
  date: string
  skill: string
  type: 'dead-end' | 'blocked'
  /** What failed, such as `Task 2`. */
  task: string
  attempts: readonly string[]
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The one line that a failure is; attempts are joined by ` | `. */
export function failureLine(failure: Failure): string {
  const attempts = failure.attempts.map(oneLine).join(' | ')
  return `- **${failure.date} [skill:${failure.skill}] [type:${failure.type}]:** ${oneLine(failure.task)}: ${attempts}`
}

/** Appends a failure after a blank line; a new file gets its title. What is there stays byte for byte. */
export function appendFailure(text: string | undefined, failure: Failure): string {
  const start = text === undefined || text.trim() === '' ? '# Failures\n' : text
  return appendBlock(start, failureLine(failure))
}
