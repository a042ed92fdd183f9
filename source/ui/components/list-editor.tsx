import { Box } from 'ink'
import { useRef, useState } from 'react'
import { isTyped } from '../../terminal/key-names.js'
import type { Key } from '../../terminal/key-pump.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText, textWidth } from '../../terminal/width.js'
import type { ListItem, ListEditor as QuestionList } from '../../view/question.js'
import { useDesk } from '../hooks/desk.js'
import { rank, useKeys, usePaste } from '../hooks/keys.js'
import { type Action, actionOf } from '../keymap.js'
import { fitLine, line, rule, windowStart } from '../layout/line.js'
import * as edits from '../list-edit.js'
import type { Line, Theme } from '../theme.js'
import { Rows } from './rows.js'
import { TextField } from './text-field.js'

export interface ListEditorProps {
  list: QuestionList
  width: number
  height: number
  onAccept(items: ListItem[]): void
  onBack(): void
  /** A name is being typed, or not any more. */
  onNaming(on: boolean): void
}

type Naming = { kind: 'rename' | 'add'; initial: string }

const nameOf = ({ id, name }: ListItem) => `${sanitizeLine(id)}: ${sanitizeLine(name)}`

function sourceOf({ line: at }: ListItem, { kind }: QuestionList): string {
  if (at !== undefined) return `line ${at}`
  return kind === 'reading' ? 'typed' : ''
}

const droppedWords = { reading: 'dropped', order: 'skipped' } as const

const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth))

/** Cells of the columns behind the names, of which none is wider than what stands in it. */
interface Columns {
  name: number
  value: number
  source: number
}

/** Cells before the name, and of what says that a row was left out. */
const beforeName = 7
const leftOut = 9

function columnsOf(list: QuestionList, width: number): Columns {
  const value = widest((list.choice?.values ?? []).map(sanitizeLine))
  const source = widest(list.items.map((item) => sourceOf(item, list)))
  const behind = [value, source].reduce((sum, cells) => sum + (cells > 0 ? cells + 2 : 0), leftOut)
  return {
    name: Math.max(8, Math.min(widest(list.items.map(nameOf)), width - beforeName - behind)),
    value,
    source,
  }
}

/** Which row is drawn, which one is lit, and where its columns are. */
interface RowPlace {
  row: number
  lit: number
  columns: Columns
}

function itemLine(list: QuestionList, { row: index, lit, columns: at }: RowPlace, theme: Theme): Line {
  const chosen = index === lit
  const item = list.items[index]
  if (!item) return []
  const mark = item.dropped ? theme.skipped : theme.open
  const value = list.choice ? sanitizeLine(item.choice ?? list.choice.default) : ''
  const cell = (text: string, cells: number) => (cells > 0 ? `  ${padText(text, cells, theme.ellipsis)}` : '')
  return [
    { text: chosen ? `${theme.pointer} ` : '  ', tone: 'accent', strong: true },
    { text: `${String(index + 1).padStart(2)} ${mark} `, tone: item.dropped ? 'warn' : 'info' },
    { text: padText(nameOf(item), at.name, theme.ellipsis), strong: chosen },
    { text: cell(value, at.value) },
    { text: cell(sourceOf(item, list), at.source), tone: 'quiet' },
    { text: item.dropped ? `  ${droppedWords[list.kind]}` : '', tone: 'warn' },
  ]
}

function apply(
  list: edits.EditedList,
  action: Action,
  choice: QuestionList['choice'],
): edits.EditedList | undefined {
  switch (action) {
    case 'move-up':
      return edits.select(list, -1)
    case 'move-down':
      return edits.select(list, 1)
    case 'drop':
    case 'skip':
      return edits.toggleDropped(list)
    case 'merge':
      return edits.mergeUp(list, choice)
    case 'choose':
      return choice && edits.nextChoice(list, choice)
    case 'earlier':
      return edits.move(list, -1)
    case 'later':
      return edits.move(list, 1)
    default:
      return undefined
  }
}

/** The rule, and the rows of the list around the chosen one; `height` is that of the rows. */
function listLines(
  list: QuestionList,
  index: number,
  { width, height }: { width: number; height: number },
  theme: Theme,
): Line[] {
  const { kind, items } = list
  const start = windowStart(items.length, height, index)
  const columns = columnsOf(list, width)
  const shown = items
    .slice(start, start + height)
    .map((_, offset) => itemLine(list, { row: start + offset, lit: index, columns }, theme))
  const title = kind === 'reading' ? 'Edit the list of phases' : 'Order of the open phases'
  const aside = items.length > height ? `${index + 1} of ${items.length}` : ''
  const empty = items.length === 0 && kind === 'reading'
  return [
    rule(title, width, theme, { aside, strong: true }),
    ...(empty ? [line('  The list is empty: a adds a phase', 'info')] : []),
    ...shown,
  ].map((row) => fitLine(row, width, theme))
}

/** A list: a reading that is corrected, or what is open in a new order. Enter accepts, Escape goes back. */
export function ListEditor({ list: given, width, height, onAccept, onBack, onNaming }: ListEditorProps) {
  const { keys, theme, armAfter } = useDesk()
  const [list, setList] = useState<edits.EditedList>({ items: given.items, index: 0 })
  const [naming, setNaming] = useState<Naming | undefined>(undefined)
  const [message, setMessage] = useState('')
  const newest = useRef(list)
  const opened = useRef(keys.now())
  const accepted = useRef(false)

  function write(next: edits.EditedList): void {
    newest.current = next
    setList(next)
    setMessage('')
  }

  function accept(key: Key): void {
    if (!key.alone || accepted.current || key.at - opened.current < armAfter) return
    const refused = edits.refusal(newest.current, given.kind)
    if (refused !== undefined) {
      setMessage(refused)
      return
    }
    accepted.current = true
    onAccept(newest.current.items)
  }

  function startNaming(kind: Naming['kind'], begun = ''): void {
    const initial = kind === 'rename' ? (newest.current.items[newest.current.index]?.name ?? '') : begun
    setNaming({ kind, initial })
    onNaming(true)
  }

  function isEmpty(): boolean {
    return given.kind === 'reading' && newest.current.items.length === 0
  }

  function named(name: string): void {
    const trimmed = name.trim()
    write(
      naming?.kind === 'add'
        ? edits.addBelow(newest.current, trimmed, given.choice)
        : edits.rename(newest.current, trimmed),
    )
    stopNaming()
  }

  function stopNaming(): void {
    setNaming(undefined)
    onNaming(false)
  }

  useKeys((key) => {
    const action = actionOf(given.kind, key.name)
    // An empty list has nothing that letters could act on: they begin the name of its first phase.
    const begins = isEmpty() && action !== 'add' && isTyped(key.sequence) && key.name !== 'space'
    if (begins) startNaming('add', sanitizeLine(key.sequence))
    else if (action === 'accept') accept(key)
    else if (action === 'back') onBack()
    else if (action === 'add' || (action === 'rename' && newest.current.items.length > 0)) startNaming(action)
    else if (action !== undefined) write(apply(newest.current, action, given.choice) ?? newest.current)
    return true
  }, rank.field)
  usePaste(() => undefined)

  const rows = { width, height: Math.max(1, height - (naming ? 5 : 2)) }
  const lines = listLines({ ...given, items: list.items }, list.index, rows, theme)
  return (
    <Box flexDirection="column" flexShrink={0} height={height} overflow="hidden">
      <Rows lines={naming && list.items.length === 0 ? lines.slice(0, 1) : lines} />
      {naming ? (
        <TextField
          label={naming.kind === 'add' ? 'Name of the new phase' : 'Name of the phase'}
          width={width}
          height={1}
          initial={naming.initial}
          required
          multiline={false}
          guarded={false}
          onSend={named}
          onBack={stopNaming}
        />
      ) : (
        <Rows lines={[fitLine(line(message, 'warn'), width, theme)]} />
      )}
    </Box>
  )
}
