import type { QuestionOption } from '../../view/question.js'
import { reservedLetters } from '../keymap.js'

/**
 * The letter that chooses each option: the first letter of its label that is free. Options that stop the run choose
 * first, so that the same letter stops at every gate. An option may stay without a letter; numbers always work.
 */
export function optionLetters(options: readonly QuestionOption[]): (string | undefined)[] {
  const letters: (string | undefined)[] = options.map(() => undefined)
  const taken = new Set(reservedLetters)
  const order = [...options.keys()].sort((one, other) => rank(options[one]) - rank(options[other]))
  for (const index of order) {
    const label = options[index]?.label.toLowerCase() ?? ''
    const letter = Array.from(label).find((character) => /^[a-z]$/.test(character) && !taken.has(character))
    if (letter === undefined) continue
    taken.add(letter)
    letters[index] = letter
  }
  return letters
}

function rank(option: QuestionOption | undefined): number {
  return option?.stops ? 0 : 1
}

/** Where a menu opens: on the recommended option, else where the run stops, else on the last, which changes least. */
export function safeOption(options: readonly QuestionOption[]): number {
  const recommended = options.findIndex((option) => option.recommended)
  if (recommended >= 0) return recommended
  const stops = options.findIndex((option) => option.stops)
  return stops >= 0 ? stops : Math.max(0, options.length - 1)
}
