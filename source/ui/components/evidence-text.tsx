import { useEffect, useMemo, useState } from 'react'
import { sanitizeLine, sanitizeText } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import type { Evidence } from '../../view/question.js'
import { useSize } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import { useScroll } from '../hooks/scroll.js'
import { actionOf } from '../keymap.js'
import { line } from '../layout/line.js'
import type { Line, Tone } from '../theme.js'
import { ScrolledText } from './help.js'

/** Reads the text of evidence that is not part of its question. */
export type ReadEvidence = (evidence: Evidence) => Promise<readonly string[]>

/** Added and removed lines of a diff; the marks that begin them say the same. */
function toneOf(kind: Evidence['kind'], text: string): Tone | undefined {
  if (kind !== 'diff') return undefined
  if (text.startsWith('@@')) return 'info'
  if (text.startsWith('+') && !text.startsWith('+++')) return 'good'
  return text.startsWith('-') && !text.startsWith('---') ? 'bad' : undefined
}

function rowsOf(kind: Evidence['kind'], lines: readonly string[], width: number): Line[] {
  return lines
    .flatMap((text) => sanitizeText(text).split('\n'))
    .flatMap((text) => wrapText(text, width).map((row) => line(row, toneOf(kind, text))))
}

/** The lines that are there now: those of the question, or of the file once it has been read. */
function useLines(evidence: Evidence, read: ReadEvidence | undefined): readonly string[] {
  const [found, setFound] = useState<readonly string[]>(evidence.lines ?? ['Reading'])
  useEffect(() => {
    if (evidence.lines) return
    let wanted = true
    const where = evidence.path ?? 'it'
    const text = read ? read(evidence) : Promise.resolve([`It is in ${where}.`])
    void text
      .catch((error: unknown) => [`${where} could not be read: ${String(error)}`])
      .then((lines) => {
        if (wanted) setFound(lines)
      })
    return () => {
      wanted = false
    }
  }, [evidence, read])
  return found
}

export interface EvidenceTextProps {
  evidence: Evidence
  height: number
  read?: ReadEvidence | undefined
}

/** One piece of evidence on the whole screen. Going back is up to the screen. */
export function EvidenceText({ evidence, height, read }: EvidenceTextProps) {
  const width = useSize().columns - 1
  const lines = useLines(evidence, read)
  const rows = useMemo(() => rowsOf(evidence.kind, lines, width), [evidence, lines, width])
  const scroll = useScroll(rows.length, height - 1)
  useKeys((key) => scroll.act(actionOf('run', key.name)), rank.gate)
  const place = evidence.path === undefined ? '' : `  ${sanitizeLine(evidence.path)}`
  const title = `${sanitizeLine(evidence.title)}${place}`
  return <ScrolledText title={title} lines={rows} top={scroll.top} height={height} />
}
