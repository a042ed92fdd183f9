import { createHash } from 'node:crypto'

// Whether a round of mending came to anything.

/** Of the phase, before or after a round. */
export interface ProgressMark {
  /** Hash of what the step writes; null where it wrote nothing. */
  artifact: string | null
  head: string | null
  /** Steps of the phase that were reached in this attempt. */
  stepsReached: number
  score: number | null
}

/** A hash of an artifact in which times do not count. */
export function artifactHash(text: string): string {
  const timeless = text
    .replace(/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g, '')
    .replace(/\b\d{2}:\d{2}:\d{2}(?:\.\d+)?\b/g, '')
    .replace(/"duration_ms":\s*\d+/g, '')
  return `sha256:${createHash('sha256').update(timeless).digest('hex')}`
}

/** True where the artifact changed, a commit was made, a step was reached for the first time, or the score is better. */
export function hasProgress(before: ProgressMark, after: ProgressMark): boolean {
  if (after.artifact !== null && after.artifact !== before.artifact) return true
  if (after.head !== before.head) return true
  if (after.stepsReached > before.stepsReached) return true
  return after.score !== null && (before.score === null || after.score > before.score)
}
