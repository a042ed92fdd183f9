import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Fact } from '../../view/facts.js'
import type { Span, Theme, Tone } from '../theme.js'

const tones: Record<Fact['tone'], Tone | undefined> = {
  plain: undefined,
  good: 'good',
  warn: 'warn',
  bad: 'bad',
  quiet: 'quiet',
}

/** The text of a fact; its arrows are those of the terminal. */
export function factText(fact: Fact, theme: Theme): string {
  return sanitizeLine(fact.text).replaceAll(' -> ', ` ${theme.arrow} `)
}

export function factSpan(fact: Fact, theme: Theme): Span {
  return { text: factText(fact, theme), tone: tones[fact.tone] }
}

export function factTone(tone: Fact['tone']): Tone | undefined {
  return tones[tone]
}
