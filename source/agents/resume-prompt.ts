import { fenced } from './quote.js'

/** Why an agent is sent once more, and what the person says to it. */
export interface SentAgain {
  /** Why the try before did not count; absent where it was broken off from outside. */
  reason?: string
  /** The end of what the agent said in place of a result, and the person's answer to it. */
  asked?: { said: string; answer: string }
  /** A word of the person for this try. */
  note?: string
}

/** For an agent whose own conversation goes on, after it was broken off or its turn did not count. */
export function resumePrompt({ reason, asked, note }: SentAgain = {}): string {
  const same = 'The task, the rules and the shape of the result are the same as before.'
  const look = (work: string) =>
    `Check with \`git status\` and \`git log\` what of ${work} has reached the disk, then go on`
  if (asked) {
    return `You ended your turn without a result, and asked. The person in charge answers:\n\n${fenced(asked.answer.trim(), 'text')}\n\n${look('your work')} with the task to its end; ask nothing more that you can decide yourself. ${same}`
  }
  const goOn =
    reason === undefined
      ? `Your work was broken off from outside; nothing you did was judged. ${look('it')} from there to the end. ${same}`
      : `Your last turn did not count:\n\n${fenced(reason.trim(), 'text')}\n\n${look('your work')} from there to the end. ${same}`
  if (note === undefined || note.trim() === '') return goOn
  return `${goOn}

The person in charge tells you this; it takes precedence over the plan where the two differ:

${fenced(note.trim(), 'text')}`
}

/** For a conversation of its own that takes the task up after a try that did not count. */
export function retryPrompt(task: string, again: SentAgain): string {
  const lines = againLines(again)
  return lines.length === 0 ? task : `${lines.join('\n\n')}\n\nThe task as it was given:\n\n${task}`
}

function againLines({ reason, asked }: SentAgain): string[] {
  return [
    ...(reason === undefined
      ? []
      : [`This task was tried before, and that did not count:\n\n${fenced(reason.trim(), 'text')}`]),
    ...(asked === undefined
      ? []
      : [
          `The one before you ended with these words:\n\n${fenced(asked.said.trim(), 'text')}\n\nThe person in charge answers:\n\n${fenced(asked.answer.trim(), 'text')}`,
        ]),
  ]
}

/** The same in one text, for agents that read the dispatch file alone. */
export function againText({ reason, asked, note }: SentAgain): string | undefined {
  const parts = [
    ...(reason === undefined ? [] : [`The try before did not count: ${reason.trim()}`]),
    ...(asked === undefined
      ? []
      : [`It ended with these words: ${asked.said.trim()}`, `The answer: ${asked.answer.trim()}`]),
    ...(note === undefined || note === '' ? [] : [note]),
  ]
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

/**
 * For a conversation that takes over from one that was full: never the same prompt once more.
 *
 * @param remaining what is done and what is left, as far as it is known
 */
export function freshPrompt(task: string, remaining?: string): string {
  const words = `An earlier conversation about this task has filled its whole context and had to be left. This one begins anew and knows nothing of it, but its work is in the project: look at \`git status\`, \`git log\` and the files before you do anything, do not repeat what is done, and go on with what is left. Read no more than you need, and in small pieces.`
  const known =
    remaining === undefined || remaining.trim() === '' ? '' : `\n\n${fenced(remaining.trim(), 'text')}`
  return `${words}${known}\n\nThe task as it was given:\n\n${task}`
}
