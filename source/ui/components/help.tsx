import { Box } from 'ink'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Interlude } from '../../view/view.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { boundRows, interludeHelp, type KeyRow, type Scope, scopeTitles, shownKey } from '../keymap.js'
import { fitLine, line, rule } from '../layout/line.js'
import type { RowSource } from '../layout/row-source.js'
import type { Line } from '../theme.js'
import { Rows } from './rows.js'

const keyWidth = 18

function helpLine(keys: string, label: string): Line {
  return [{ text: `  ${keys}`.padEnd(keyWidth), tone: 'info' }, { text: ` ${sanitizeLine(label)}` }]
}

/** The help of a row; interludes have a line each, with what the workflow says of them. */
function rowLines(row: KeyRow, interludes: readonly Interlude[]): Line[] {
  if (row.id === 'interlude')
    return interludeHelp(interludes).map(({ key, interlude }) => helpLine(key, interlude.label))
  return [helpLine(row.keys.map(shownKey).join(' '), row.label)]
}

/** The help of some scopes as lines. */
function helpLines(scopes: readonly Scope[], interludes: readonly Interlude[]): Line[] {
  return scopes.flatMap((scope) => [
    line(scopeTitles[scope], undefined, true),
    ...boundRows()
      .filter((row) => row.scope === scope)
      .flatMap((row) => rowLines(row, interludes)),
  ])
}

const everywhere: Line[] = [
  line('Everywhere', undefined, true),
  [
    { text: '  Ctrl+C'.padEnd(keyWidth), tone: 'info' },
    { text: ' stop; a second time ends the agents at once' },
  ],
  [{ text: '  Ctrl+Z'.padEnd(keyWidth), tone: 'info' }, { text: ' put autopilot to sleep; fg wakes it' }],
  line(`${' '.repeat(keyWidth)} agents go on working meanwhile;`),
  line(`${' '.repeat(keyWidth)} P before it suspends them`),
  [{ text: '  Ctrl+L'.padEnd(keyWidth), tone: 'info' }, { text: ' draw the screen again' }],
]

/** The help of the run screen, with what the workflow offers between two states. */
export function runHelp(interludes: readonly Interlude[]): Line[] {
  return [...helpLines(['run', 'agent', 'gate', 'field', 'reading', 'order'], interludes), ...everywhere]
}

/** Lines under a heading that can be scrolled: help, timeline, results. */
export function ScrolledText(props: { title: string; lines: RowSource; top: number; height: number }) {
  const { title, lines, top, height } = props
  const theme = useTheme()
  const width = useSize().columns - 1
  const size = height - 1
  const end = Math.min(lines.length, top + size)
  const place = lines.length > size ? `${top + 1}-${end} of ${lines.length}` : ''
  const shown = lines.slice(top, end).map((row) => fitLine(row, width, theme))
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      <Rows lines={[rule(title, width, theme, { aside: place }), ...shown]} height={height} />
    </Box>
  )
}
