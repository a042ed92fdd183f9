import { useEffect, useState } from 'react'
import type { Evidence } from '../../view/question.js'

/** Reads the text of evidence that is not part of its question. */
export type ReadEvidence = (evidence: Evidence) => Promise<readonly string[]>

function fileOf({ path, since }: Evidence): string {
  return path ?? (since === undefined ? 'it' : `what git shows since ${since.slice(0, 8)}`)
}

/** The lines that are there now: those of the evidence itself, or what is read when it is shown. */
export function useEvidenceLines(
  evidence: Evidence | undefined,
  read: ReadEvidence | undefined,
): readonly string[] {
  const [found, setFound] = useState<{ of: string; lines: readonly string[] }>()
  const of = evidence ? JSON.stringify([evidence.id, evidence.path, evidence.since]) : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object of the same meaning is not read again
  useEffect(() => {
    if (!evidence || evidence.lines) return
    let wanted = true
    const where = fileOf(evidence)
    const text = read ? read(evidence) : Promise.resolve([`It is in ${where}.`])
    void text
      .catch((error: unknown) => [
        `${where} could not be read: ${error instanceof Error ? error.message : String(error)}`,
      ])
      .then((lines) => {
        if (wanted) setFound({ of, lines })
      })
    return () => {
      wanted = false
    }
  }, [of, evidence?.lines, read])
  if (evidence?.lines) return evidence.lines
  return found && found.of === of ? found.lines : ['Reading']
}
