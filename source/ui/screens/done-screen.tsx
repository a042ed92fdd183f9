import { Box } from 'ink'
import { sanitizeText } from '../../terminal/sanitize.js'
import { indentedRows } from '../../terminal/width.js'
import { ScrolledText } from '../components/help.js'
import { Hints } from '../components/hints.js'
import { useSize } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import { useScroll } from '../hooks/scroll.js'
import { actionOf, hintsOf } from '../keymap.js'
import { line } from '../layout/line.js'
import { scrollHints } from '../layout/run-hints.js'
import { isTooSmall } from '../layout/run-plan.js'
import { TooSmall } from './too-small.js'

export interface DoneScreenProps {
  title: string
  lines: readonly string[]
  onClose(): void
}

/** Headings of the page end with a colon at the left edge. */
const isHeading = (text: string) => /^\S.*:$/.test(text)

/** What a run came to: totals, findings, where to look. */
export function DoneScreen({ title, lines, onClose }: DoneScreenProps) {
  const size = useSize()
  const rows = lines
    .flatMap((text) => sanitizeText(text).split('\n'))
    .flatMap((text) => indentedRows(text, size.columns))
    .map((text) => line(text, undefined, isHeading(text)))
  const scroll = useScroll(rows.length, size.rows - 3)

  useKeys((key) => {
    const action = actionOf('done', key.name)
    if (action === 'back' && key.alone) onClose()
    return scroll.act(action) || action !== undefined
  }, rank.screen)

  if (isTooSmall(size)) return <TooSmall waits={false} />
  return (
    <Box flexDirection="column" height={size.rows - 1} width={size.columns} flexShrink={0} overflow="hidden">
      <ScrolledText title={title} lines={rows} top={scroll.top} height={size.rows - 2} />
      <Hints hints={[...hintsOf('done'), ...scrollHints(scroll)]} />
    </Box>
  )
}
