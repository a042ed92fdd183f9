import { Box, Text } from 'ink'
import Spinner from 'ink-spinner'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { cutText } from '../../terminal/width.js'
import { Row } from '../components/rows.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { line } from '../layout/line.js'

/** Something short is going on. */
export function BusyScreen({ text }: { text: string }) {
  const { columns, rows } = useSize()
  const theme = useTheme()
  return (
    <Box flexDirection="column" height={rows - 1} width={columns} flexShrink={0} overflow="hidden">
      <Row line={line('autopilot', 'accent', true)} />
      <Box>
        <Text color="cyan">
          <Spinner type={theme.unicode ? 'dots' : 'line'} />
        </Text>
        <Row line={line(` ${cutText(sanitizeLine(text), columns - 4, theme.ellipsis)}`)} />
      </Box>
    </Box>
  )
}
