import { textWidth } from '../../terminal/width.js'
import { Row } from '../components/rows.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { fitLine, line } from '../layout/line.js'

/** Shown below 60x15. Nothing can be decided here, since nothing can be read. */
export function TooSmall({ waits }: { waits: boolean }) {
  const { columns, rows } = useSize()
  const theme = useTheme()
  const now = `(now ${columns}x${rows})`
  // As much as is whole: no word is cut in a window that is too small for it.
  const texts = [
    ...(waits
      ? [`60x15 needed: enlarge, a question waits ${now}`, `60x15 needed ${now}, a question waits`]
      : []),
    ...(waits ? ['60x15 needed, a question waits'] : []),
    `60x15 needed: enlarge ${now}`,
    `60x15 needed ${now}`,
    '60x15 needed',
    '60x15',
  ]
  const text = texts.find((one) => textWidth(one) < columns) ?? '60x15'
  return <Row line={fitLine(line(text, 'warn'), columns - 1, theme)} />
}
