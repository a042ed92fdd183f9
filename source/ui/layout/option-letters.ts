import type { QuestionOption } from '../../view/question.js'
import { reservedLetters } from '../keymap.js'

/** The letter that a label names itself by, as in `A) Start`: a capital. */
function ownLetter({ label }: QuestionOption): string | undefined {
  return /^([A-F])\) /.exec(label)?.[1]
}

/**
 * The letter that chooses each option: the one its label begins with (`A) Start`), else the first letter of its label
 * that is free. Options that stop the run choose first, so that the same letter stops at every gate. An option may stay
 * without a letter; numbers always work.
 */
export function optionLetters(options: readonly QuestionOption[]): (string | undefined)[] {
  const letters: (string | undefined)[] = options.map(ownLetter)
  const taken = new Set(reservedLetters)
  for (const letter of letters) if (letter !== undefined) taken.add(letter.toLowerCase())
  const order = [...options.keys()].sort((one, other) => rank(options[one]) - rank(options[other]))
  for (const index of order) {
    if (letters[index] !== undefined) continue
    const label = options[index]?.label.toLowerCase() ?? ''
    const letter = Array.from(label).find((character) => /^[a-z]$/.test(character) && !taken.has(character))
    if (letter === undefined) continue
    taken.add(letter)
    letters[index] = letter
  }
  return letters
}

/**
 * The option that a key chooses by its letter. A capital is chosen by the small letter too, unless that does something
 * else on the screen.
 */
export function optionOfLetter(letters: readonly (string | undefined)[], key: string): number | undefined {
  const capital = reservedLetters.has(key) ? key : key.toUpperCase()
  const index = letters.findIndex((letter) => letter === key || (letter !== undefined && letter === capital))
  return index === -1 ? undefined : index
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
