import { Row } from '../components/rows.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { fitLine, line } from '../layout/line.js'

/** Shown below 60x15. Nothing can be decided here, since nothing can be read. */
export function TooSmall({ waits }: { waits: boolean }) {
  const { columns, rows } = useSize()
  const theme = useTheme()
  const text = `${waits ? 'A question waits: e' : 'E'}nlarge to 60x15, now ${columns}x${rows}`
  return <Row line={fitLine(line(text, 'warn'), columns - 1, theme)} />
}
