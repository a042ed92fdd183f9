import { Box } from 'ink'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { cutText, textWidth, wrapText } from '../../terminal/width.js'
import type { Interlude } from '../../view/view.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { boundRows, interludeHelp, type KeyRow, type Scope, scopeTitles, shownKey } from '../keymap.js'
import { fitLine, line, rule } from '../layout/line.js'
import type { RowSource } from '../layout/row-source.js'
import { headline, shortPath } from '../layout/titles.js'
import type { Line, Theme } from '../theme.js'
import { Rows } from './rows.js'

const keyWidth = 18

/** A key and what it does, below each other where one row is too short. */
function helpRows(keys: string, label: string, width: number): Line[] {
  const rows = wrapText(sanitizeLine(label), Math.max(16, width - keyWidth - 1))
  return rows.map((text, index) => [
    { text: (index === 0 ? `  ${keys}` : '').padEnd(keyWidth), tone: 'info' },
    { text: ` ${text}` },
  ])
}

/** The help of a row; interludes have a line each, with what the workflow says of them. */
function rowLines(row: KeyRow, interludes: readonly Interlude[], width: number): Line[] {
  if (row.id === 'interlude')
    return interludeHelp(interludes).flatMap(({ key, interlude }) => helpRows(key, interlude.label, width))
  return helpRows(row.keys.map(shownKey).join(' '), row.label, width)
}

/** The help of some scopes as lines. */
function helpLines(scopes: readonly Scope[], interludes: readonly Interlude[], width: number): Line[] {
  return scopes.flatMap((scope) => [
    line(scopeTitles[scope], undefined, true),
    ...boundRows()
      .filter((row) => row.scope === scope)
      .flatMap((row) => rowLines(row, interludes, width)),
  ])
}

const everywhere: readonly [keys: string, label: string][] = [
  ['Ctrl+C', 'stop; a second time ends the agents at once'],
  [
    'Ctrl+Z',
    'put autopilot to sleep; fg wakes it. Agents go on working meanwhile; P before it suspends them',
  ],
  ['Ctrl+L', 'draw the screen again'],
]

/** The help of the run screen, with what the workflow offers between two states. */
export function runHelp(interludes: readonly Interlude[], width: number): Line[] {
  return [
    ...helpLines(['run', 'agent', 'gate', 'field', 'reading', 'order'], interludes, width),
    line('Everywhere', undefined, true),
    ...everywhere.flatMap(([keys, label]) => helpRows(keys, label, width)),
  ]
}

/** What stands above a text: its name, the file that it comes from, and what else there is. */
export interface TextTitle {
  name: string
  path?: string | undefined
  more?: string | undefined
}

/** The title in so many cells; a path gives way first, from its beginning, then the end of the name: a key that is cut is none. */
export function titleText({ name, path, more = '' }: TextTitle, width: number, theme: Theme): string {
  const head = headline(sanitizeLine(name))
  const tail = more === '' ? '' : `  ${more}`
  const bare = `${cutText(head, Math.max(1, width - textWidth(tail)), theme.ellipsis)}${tail}`
  if (path === undefined || path === name) return bare
  const room = width - textWidth(head) - textWidth(tail) - 2
  const short = shortPath(sanitizeLine(path), room, theme.ellipsis)
  return short === '' ? bare : `${head}  ${short}${tail}`
}

/** Cells of a rule around its title and what stands beside it. */
const ruleCells = 5
const asideCells = 5

/** Lines under a heading that can be scrolled: help, timeline, results. */
export function ScrolledText(props: {
  title: TextTitle | string
  lines: RowSource
  top: number
  height: number
}) {
  const { title, lines, top, height } = props
  const theme = useTheme()
  const width = useSize().columns - 1
  const size = height - 1
  const end = Math.min(lines.length, top + size)
  const place = lines.length > size ? `${top + 1}-${end} of ${lines.length}` : ''
  const shown = lines.slice(top, end).map((row) => fitLine(row, width, theme))
  const room = width - ruleCells - (place === '' ? 0 : textWidth(place) + asideCells)
  const text = typeof title === 'string' ? headline(title) : titleText(title, room, theme)
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      <Rows lines={[rule(text, width, theme, { aside: place, keep: true }), ...shown]} height={height} />
    </Box>
  )
}
