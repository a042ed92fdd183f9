import { Row } from '../components/rows.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { fitLine, line } from '../layout/line.js'

/** Shown below 60x15. Nothing can be decided here, since nothing can be read. */
export function TooSmall({ waits }: { waits: boolean }) {
  const { columns, rows } = useSize()
  const theme = useTheme()
  const needed = '60x15 needed'
  const rest = `enlarge${waits ? ', a question waits' : ''} (now ${columns}x${rows})`
  // In a very small window the size that is needed is worth more than a word that is cut.
  const text = columns - 1 < needed.length ? '60x15' : `${needed}: ${rest}`
  return <Row line={fitLine(line(text, 'warn'), columns - 1, theme)} />
}
