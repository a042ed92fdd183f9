import { fenced } from './quote.js'

/** For an agent whose own conversation is resumed after it was broken off. */
export function resumePrompt(note?: string): string {
  const goOn = `Your work was broken off from outside; nothing you did was judged. Check with \`git status\` and \`git log\` what of it has reached the disk, then go on from there to the end. The task, the rules and the shape of the result are the same as before.`
  if (note === undefined || note.trim() === '') return goOn
  return `${goOn}

The person in charge tells you this; it takes precedence over the plan where the two differ:

${fenced(note.trim(), 'text')}`
}
