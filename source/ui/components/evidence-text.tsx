import { useMemo } from 'react'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Evidence } from '../../view/question.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { type ReadEvidence, useEvidenceLines } from '../hooks/evidence-lines.js'
import { rank, useKeys } from '../hooks/keys.js'
import { useScroll } from '../hooks/scroll.js'
import { actionOf } from '../keymap.js'
import { evidenceRows } from '../layout/evidence-rows.js'
import { ScrolledText } from './help.js'

export interface EvidenceTextProps {
  evidence: Evidence
  height: number
  read?: ReadEvidence | undefined
}

/** One piece of evidence on the whole screen. Going back is up to the screen. */
export function EvidenceText({ evidence, height, read }: EvidenceTextProps) {
  const theme = useTheme()
  const width = useSize().columns - 1
  const lines = useEvidenceLines(evidence, read)
  const { rows } = useMemo(
    () => evidenceRows(evidence.kind, lines, width, theme),
    [evidence, lines, width, theme],
  )
  const scroll = useScroll(rows.length, height - 1)
  useKeys((key) => scroll.act(actionOf('run', key.name)), rank.gate)
  const { path } = evidence
  const place = path === undefined || path === evidence.title ? '' : `  ${sanitizeLine(path)}`
  const title = `${sanitizeLine(evidence.title)}${place}`
  return <ScrolledText title={title} lines={rows} top={scroll.top} height={height} />
}
