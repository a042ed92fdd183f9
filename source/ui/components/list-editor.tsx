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

/** Cells of the column of choices: the longest value and a blank. */
function choiceWidth({ choice }: QuestionList): number {
  return choice ? Math.max(0, ...choice.values.map((value) => textWidth(sanitizeLine(value)))) + 1 : 0
}

function itemLine(list: QuestionList, index: number, chosen: boolean, theme: Theme): Line {
  const item = list.items[index]
  if (!item) return []
  const reads = list.kind === 'reading'
  const state = item.dropped ? (reads ? 'dropped' : 'skipped') : ''
  const source = item.line === undefined ? (reads ? 'typed' : '') : `line ${item.line}`
  const mark = item.dropped ? theme.skipped : theme.open
  const value = list.choice ? sanitizeLine(item.choice ?? list.choice.default) : ''
  return [
    { text: chosen ? `${theme.pointer} ` : '  ', tone: 'accent', strong: true },
    { text: `${String(index + 1).padStart(2)} ${mark} `, tone: item.dropped ? 'warn' : 'info' },
    { text: padText(state, 8), tone: 'warn' },
    { text: padText(value, choiceWidth(list)) },
    { text: padText(source, 10), tone: 'quiet' },
    { text: `${sanitizeLine(item.id)}: ${sanitizeLine(item.name)}`, strong: chosen },
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
  const shown = items
    .slice(start, start + height)
    .map((_, offset) => itemLine(list, start + offset, start + offset === index, theme))
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
