import { Box } from 'ink'
import SelectInput from 'ink-select-input'
import { useEffect, useMemo, useState } from 'react'
import { isTyped } from '../../terminal/key-names.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { cutText } from '../../terminal/width.js'
import { Hints } from '../components/hints.js'
import { Row, Rows } from '../components/rows.js'
import { TextField } from '../components/text-field.js'
import type { StartChoice, StartData } from '../contract.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import { actionOf, counts, fieldHints, type Hint, hintsOf } from '../keymap.js'
import { fitLine, line } from '../layout/line.js'
import { isTooSmall } from '../layout/run-plan.js'
import {
  chosenOf,
  demo,
  detailLines,
  filtered,
  leave,
  startHead,
  startItems,
  startRows,
  typePath,
} from '../layout/start.js'
import type { Line, Theme } from '../theme.js'
import { TooSmall } from './too-small.js'

export interface StartScreenProps {
  data: StartData
  onChoose(choice: StartChoice): void
}

const fieldRows = 3

/** What keys do; while something is looked for, those of the screen are text. */
function startHints(typing: boolean, filter: string, rows: number): Hint[] {
  if (typing) return fieldHints('open it', false)
  const own =
    filter === '' ? [...hintsOf('start'), { key: 'a-z', word: 'filter' }] : [{ key: 'Esc', word: 'show all' }]
  // On a list that the filter has emptied they do nothing.
  const moves =
    rows > 0
      ? [
          { key: 'Up/Down', word: 'move' },
          { key: 'Enter', word: 'choose' },
        ]
      : []
  return [...moves, ...own]
}

function lookedForLine(filter: string, isEmpty: boolean, width: number, theme: Theme): Line {
  const none = isEmpty ? ' (nothing fits; Esc shows all)' : ''
  return fitLine(line(`  Looked for: ${sanitizeLine(filter)}${none}`, 'info'), width, theme)
}

function Pointer({ isSelected }: { isSelected?: boolean }) {
  const { pointer } = useTheme()
  return <Row line={[{ text: isSelected ? `${pointer} ` : '  ', tone: 'accent', strong: true }]} />
}

function Item({ isSelected, label }: { isSelected?: boolean; label: string }) {
  const theme = useTheme()
  const { columns } = useSize()
  return <Row line={[{ text: cutText(label, columns - 3, theme.ellipsis), strong: isSelected === true }]} />
}

/** What to work on: unfinished sessions, what could be begun, or a path. A choice can be undone, so a list is enough. */
export function StartScreen({ data, onChoose }: StartScreenProps) {
  const size = useSize()
  const theme = useTheme()
  const [filter, setFilter] = useState('')
  const all = useMemo(() => startItems(data, theme), [data, theme])
  const items = useMemo(() => filtered(all, filter), [all, filter])
  const [lit, setLit] = useState(items[0]?.value ?? leave)
  const [typing, setTyping] = useState(false)
  const width = size.columns - 1
  const rows = size.rows - 1
  const area = { width, rows: Math.max(1, Math.floor(rows / 3)) }
  const headRows = startHead(data, area, theme).length
  const { list, detail: detailRows } = startRows(all.length, rows - headRows - 1)
  const at = items.findIndex(({ value }) => value === lit)
  const place = items.length > list ? `row ${at + 1} of ${items.length}` : undefined
  const head = startHead(data, { ...area, place }, theme)
  const found = filter === '' ? [] : [lookedForLine(filter, items.length === 0, width, theme)]
  const about =
    items.length === 0 ? [] : detailLines(data, lit, { width, most: detailRows - found.length }, theme)
  const detail = [...found, ...about]

  // Another list begins at its first row.
  useEffect(() => setLit(items[0]?.value ?? leave), [items])

  useKeys((key) => {
    const action = actionOf('start', key.name)
    // What is typed looks for a row; once something is typed, it goes on doing so until it is taken back.
    if (key.name === 'backspace' || (action === 'stop' && filter !== '' && key.name === 'escape'))
      setFilter((now) => (key.name === 'escape' ? '' : now.slice(0, -1)))
    else if (isTyped(key.sequence) && (action === undefined || filter !== ''))
      setFilter((now) => now + key.sequence)
    else if (action === undefined) return false
    else if (action === 'type-path') setTyping(true)
    else if (counts(action, key.alone)) onChoose({ kind: 'quit' })
    return true
  }, rank.screen)

  function choose(value: string): void {
    const chosen = chosenOf(data, value)
    if (value === typePath) setTyping(true)
    else if (value === demo) onChoose({ kind: 'demo' })
    else if (!chosen) onChoose({ kind: 'quit' })
    else if ('session' in chosen) onChoose({ kind: 'session', key: chosen.session.key })
    else {
      const { subject, workflow } = chosen.candidate
      onChoose({ kind: 'subject', path: subject, workflow })
    }
  }

  if (isTooSmall(size)) return <TooSmall waits={false} />
  return (
    <Box flexDirection="column" height={rows} width={size.columns} flexShrink={0} overflow="hidden">
      <Rows lines={head} height={head.length} />
      <Box
        flexDirection="column"
        height={typing ? list + detailRows - fieldRows : list}
        flexShrink={0}
        overflow="hidden"
      >
        <SelectInput
          key={filter}
          items={items.map((item) => ({ ...item, key: item.value }))}
          limit={typing ? list + detailRows - fieldRows : list}
          // A list without rows would give undefined for the row that Enter chooses and arrows light.
          isFocused={!typing && items.length > 0}
          indicatorComponent={Pointer}
          itemComponent={Item}
          onHighlight={(item) => setLit(item.value)}
          onSelect={(item) => choose(item.value)}
        />
      </Box>
      {typing ? (
        <TextField
          label="Path, seen from the project"
          width={width}
          height={1}
          required
          multiline={false}
          guarded={false}
          onSend={(text) => onChoose({ kind: 'subject', path: text.trim() })}
          onBack={() => setTyping(false)}
        />
      ) : (
        <Rows lines={detail} height={detailRows} />
      )}
      <Hints hints={startHints(typing, filter, items.length)} />
    </Box>
  )
}
