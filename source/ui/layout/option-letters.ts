import type { QuestionOption } from '../../view/question.js'

// At a gate these letters belong to the options, in their order; nothing else may be bound to them.
const letters = 'abcdef'

/** The letter that a label names itself by, as in `A) Start`: a capital. */
export function ownLetter({ label }: QuestionOption): string | undefined {
  return /^([A-F])\) /.exec(label)?.[1]?.toLowerCase()
}

/**
 * The letter that chooses each option: the one its label begins with (`A) Start`), else the next of a to f that is free.
 * Further options have none; numbers go on to nine.
 */
export function optionLetters(options: readonly QuestionOption[]): (string | undefined)[] {
  const own = options.map(ownLetter)
  const free = Array.from(letters).filter((letter) => !own.includes(letter))
  return own.map((letter) => letter ?? free.shift())
}

/** The option that a key chooses by its letter; a label that names itself by a capital is chosen by that one too. */
export function optionOfLetter(options: readonly QuestionOption[], key: string): number | undefined {
  const given = optionLetters(options)
  const index = given.indexOf(key)
  if (index !== -1) return index
  const capital = options.findIndex((option) => ownLetter(option)?.toUpperCase() === key)
  return capital === -1 ? undefined : capital
}

/** Where a menu opens: on what is recommended, else what is safe, else a stop, else the last, which changes least. */
export function safeOption(options: readonly QuestionOption[]): number {
  const recommended = options.findIndex((option) => option.recommended)
  if (recommended >= 0) return recommended
  const safe = options.findIndex((option) => option.safe)
  if (safe >= 0) return safe
  const stops = options.findIndex((option) => option.stops)
  return stops >= 0 ? stops : Math.max(0, options.length - 1)
}
