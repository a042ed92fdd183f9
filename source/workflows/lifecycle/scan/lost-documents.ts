import type { Finding } from './detect.js'
import { emptiedWord } from './detectors.js'

// What showed earlier steps to be done and is gone when a step ends: it would be committed as gone, and be drift at the next
// step (docs/lifecycle.md, "The worker"). Pure.

/** What showed a step to be done when another one began. */
export interface ShownBegun {
  id: string
  /** Paths, or globs of them, that were found. */
  paths: string[]
}

/** Of steps that folders show to be done. */
export function shownIn(findings: readonly Finding[]): ShownBegun[] {
  return findings
    .filter(({ state, by }) => state === 'done' && by === 'folders')
    .map(({ id, looked }) => ({ id, paths: looked.flatMap(({ path, found }) => (found ? [path] : [])) }))
}

/** What is lost of it, and what was emptied, a line each. A step that is still shown by something else has lost nothing. */
export function lostDocuments(begun: readonly ShownBegun[], now: readonly Finding[]): string[] {
  return now.flatMap(({ id, name, state, looked }) => {
    const before = state === 'done' ? undefined : begun.find((one) => one.id === id)
    return looked.flatMap(({ path, found, note }) => {
      if (note === emptiedWord) return [`${path} of ${id} ${name} was emptied.`]
      const isGone = !found && before?.paths.includes(path) === true
      return isGone ? [`${path} of ${id} ${name} is gone; it was there when the step began.`] : []
    })
  })
}
