import { fenced } from './quote.js'

/** For an agent whose own conversation is resumed after it was broken off. */
export function resumePrompt(note?: string): string {
  const goOn = `Your work was broken off from outside; nothing you did was judged. Check with \`git status\` and \`git log\` what of it has reached the disk, then go on from there to the end. The task, the rules and the shape of the result are the same as before.`
  if (note === undefined || note.trim() === '') return goOn
  return `${goOn}

The person in charge tells you this; it takes precedence over the plan where the two differ:

${fenced(note.trim(), 'text')}`
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
