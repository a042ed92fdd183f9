import { isPhaseId, normalPhaseId, phaseIdPattern } from '../../../documents/playbook-id.js'

// Selectors as they are typed (docs/playbook.md, "Selectors"). Loaded by every command, so nothing heavy is imported.

/** What a person asks for. */
export type Selection =
  | { kind: 'none' | 'all' | 'next' | 'resume' | 'status' }
  | { kind: 'phases'; parts: SelectedPart[] }

export type SelectedPart = { id: string } | { from: string; to: string }

const named = ['all', 'next', 'resume', 'status'] as const
/** Before the others: a run that is under way is not gone on with. */
const anew = 'new'
const range = /^(\d[\w.]{0,20}?)(?:-|–|—|\.\.)(\d[\w.]{0,20})$/
const part = new RegExp(`^(?:${phaseIdPattern}|\\d[\\w.]{0,20}(?:-|–|—|\\.\\.)\\d[\\w.]{0,20})$`, 'i')

/** Whether a word can be a selector at all: `3`, `2.1`, `3-7`, `3,5,8`, `all`, `next`, `resume`, `status`, `new`. */
export function isSelectorWord(word: string): boolean {
  if (word === anew || (named as readonly string[]).includes(word)) return true
  const pieces = word.split(',').filter((piece) => piece !== '')
  return pieces.length > 0 && pieces.every((piece) => part.test(piece))
}

/** `new` before other words, or alone: the person wants another run than the one that is there. */
export function beginsAnew([first]: readonly string[]): boolean {
  return first === anew
}

/** What says which phases are meant: the words without `new`. */
export function phaseWords(words: readonly string[]): readonly string[] {
  return beginsAnew(words) ? words.slice(1) : words
}

/** Reads all words behind the input. What is no selector comes back as it was typed. */
export function readSelection(words: readonly string[]): Selection | { invalid: string } {
  const read = readWords(phaseWords(words))
  const goesOn = 'kind' in read && (read.kind === 'resume' || read.kind === 'status')
  return goesOn && beginsAnew(words) ? { invalid: anew } : read
}

function readWords(words: readonly string[]): Selection | { invalid: string } {
  const pieces = words
    .flatMap((word) => word.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const [first, ...others] = pieces
  if (first === undefined) return { kind: 'none' }
  const special = named.find((name) => name === first)
  if (special !== undefined && others.length === 0) return { kind: special }
  const parts: SelectedPart[] = []
  for (const piece of pieces) {
    const read = partOf(piece)
    if (read === undefined) return { invalid: piece }
    parts.push(read)
  }
  return { kind: 'phases', parts }
}

function partOf(piece: string): SelectedPart | undefined {
  if (isPhaseId(piece)) {
    const id = normalPhaseId(piece)
    return id === undefined ? undefined : { id }
  }
  const match = range.exec(piece)
  const [from, to] = [normalPhaseId(match?.[1] ?? ''), normalPhaseId(match?.[2] ?? '')]
  return from === undefined || to === undefined ? undefined : { from, to }
}
