import { useMemo } from 'react'
import type { Evidence } from '../../view/question.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { type ReadEvidence, useEvidenceLines } from '../hooks/evidence-lines.js'
import { rank, useKeys } from '../hooks/keys.js'
import type { RunState } from '../hooks/run-state.js'
import { type Place, useScroll } from '../hooks/scroll.js'
import { textActionOf } from '../keymap.js'
import { evidenceRows } from '../layout/evidence-rows.js'
import { isPath } from '../layout/titles.js'
import type { Line } from '../theme.js'
import { ScrolledText, type TextTitle } from './help.js'
import { TextView } from './text-view.js'

export interface EvidenceTextProps {
  evidence: Evidence
  height: number
  read?: ReadEvidence | undefined
  /** That of the run screen, where there is one. */
  state?: RunState
}

/** One piece of evidence on the whole screen. Going back is up to the screen. */
export function EvidenceText({ evidence, height, read, state }: EvidenceTextProps) {
  const theme = useTheme()
  const width = useSize().columns - 1
  const lines = useEvidenceLines(evidence, read)
  const { rows, parts } = useMemo(
    () => evidenceRows(evidence.kind, lines, width, theme),
    [evidence, lines, width, theme],
  )
  const { title: name, path } = evidence
  // A copy that carries the name of its original lies where nobody looks for it.
  const title = { name, path: isPath(name) ? undefined : path }
  if (state)
    return (
      <TextView
        key={evidence.id}
        state={state}
        view="reading"
        title={title}
        lines={rows}
        parts={parts}
        height={height}
        place={nowhere}
      />
    )
  return <PlainText title={title} lines={rows} height={height} />
}

/** What a question names is read from its beginning. */
const nowhere: Place = { get: () => undefined, set: () => undefined }

/** A text that is scrolled, before there is a run. */
function PlainText({ title, lines, height }: { title: TextTitle; lines: readonly Line[]; height: number }) {
  const scroll = useScroll(lines.length, height - 1)
  useKeys((key) => scroll.act(textActionOf(key.name)), rank.gate)
  return <ScrolledText title={title} lines={lines} top={scroll.top} height={height} />
}
