/** How a fact is meant. Colour only adds to it: the text says the same. */
export type FactTone = 'plain' | 'good' | 'warn' | 'bad' | 'quiet'

/**
 * Something that a workflow says of its own about a session, a phase or a task, such as how strict the run is. The
 * text is shown as it is; an arrow is written `->` and drawn with the characters of the terminal.
 */
export interface Fact {
  text: string
  tone: FactTone
}

export function plainFact(text: string): Fact {
  return { text, tone: 'plain' }
}
