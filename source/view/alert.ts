import type { Question } from './question.js'

/** What a person who looks away has to hear of; nothing else calls. */
export type AlertEvent = 'needs-you' | 'limit' | 'stuck' | 'done'

/** In our own words: nothing of a project or an agent is in it, since it is written outside of frames. */
export const alertWords: Record<AlertEvent, string> = {
  'needs-you': 'needs your answer',
  limit: 'waits for a usage limit',
  stuck: 'an agent has been silent for long',
  done: 'is done',
}

/** A question that answers itself waits for a limit; any other one waits for the person. */
export function alertOf({ countdown }: Question): AlertEvent {
  return countdown ? 'limit' : 'needs-you'
}
