import { useMemo } from 'react'
import type { Evidence } from '../../view/question.js'
import type { RunSnapshot } from '../../view/view.js'
import { TextView } from '../components/text-view.js'
import { useTheme } from '../hooks/desk.js'
import { useEvidenceLines } from '../hooks/evidence-lines.js'
import { keyOf } from '../keymap.js'
import { evidenceRows } from '../layout/evidence-rows.js'
import type { ViewProps } from './view.js'
import type { ViewId } from './view-id.js'

/** What a run offers to read of one kind. */
export function documentsOf({ view }: RunSnapshot, kind: Evidence['kind']): readonly Evidence[] {
  return (view.documents ?? []).filter((document) => document.kind === kind)
}

export interface DocumentProps extends ViewProps {
  id: ViewId
  kind: Evidence['kind']
}

/** The document of a kind that is looked at; it is read when it is opened. */
export function DocumentView({ id, kind, state, layout, controls }: DocumentProps) {
  const theme = useTheme()
  const documents = documentsOf(state.snapshot, kind)
  const document = documents[state.wayOf(id) % Math.max(1, documents.length)]
  const lines = useEvidenceLines(document, controls.readEvidence)
  const { rows, parts } = useMemo(
    () => evidenceRows(kind, lines, layout.width, theme),
    [kind, lines, layout.width, theme],
  )
  const more = documents.length > 1 ? `(${keyOf('next-way')}: ${documents.length - 1} more)` : ''
  const title = { name: document?.title ?? '', path: document?.path, more }
  return (
    <TextView state={state} view={id} title={title} lines={rows} parts={parts} height={layout.bodyHeight} />
  )
}
