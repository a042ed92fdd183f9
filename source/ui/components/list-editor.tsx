import { Box } from 'ink'
import { useRef, useState } from 'react'
import { isTyped } from '../../terminal/key-names.js'
import type { Key } from '../../terminal/key-pump.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText } from '../../terminal/width.js'
import type { PhaseDraft, PhaseEditor } from '../../view/question.js'
import { useDesk } from '../hooks/desk.js'
import { rank, useKeys, usePaste } from '../hooks/keys.js'
import { type Action, actionOf } from '../keymap.js'
import { fitLine, line, rule, windowStart } from '../layout/line.js'
import * as edits from '../list-edit.js'
import type { Line, Theme } from '../theme.js'
import { Rows } from './rows.js'
import { TextField } from './text-field.js'

export interface ListEditorProps {
  editor: PhaseEditor
  width: number
  height: number
  onAccept(phases: PhaseDraft[]): void
  onBack(): void
  /** A name is being typed, or not any more. */
  onNaming(on: boolean): void
}

type Naming = { kind: 'rename' | 'add'; initial: string }

function phaseLine(
  phase: PhaseDraft,
  index: number,
  chosen: boolean,
  kind: PhaseEditor['kind'],
  theme: Theme,
): Line {
  const state = phase.dropped ? (kind === 'reading' ? 'dropped' : 'skipped') : ''
  const source = phase.line === undefined ? (kind === 'reading' ? 'typed' : '') : `line ${phase.line}`
  const mark = phase.dropped ? theme.skipped : theme.open
  return [
    { text: chosen ? `${theme.pointer} ` : '  ', tone: 'accent', strong: true },
    { text: `${String(index + 1).padStart(2)} ${mark} `, tone: phase.dropped ? 'warn' : 'info' },
    { text: padText(state, 8), tone: 'warn' },
    { text: padText(phase.complexity, 7) },
    { text: padText(source, 10), tone: 'quiet' },
    { text: `${sanitizeLine(phase.id)}: ${sanitizeLine(phase.name)}`, strong: chosen },
  ]
}

function apply(list: edits.PhaseList, action: Action): edits.PhaseList | undefined {
  switch (action) {
    case 'move-up':
      return edits.select(list, -1)
    case 'move-down':
      return edits.select(list, 1)
    case 'drop':
    case 'skip':
      return edits.toggleDropped(list)
    case 'merge':
      return edits.mergeUp(list)
    case 'complexity':
      return edits.nextComplexity(list)
    case 'earlier':
      return edits.move(list, -1)
    case 'later':
      return edits.move(list, 1)
    default:
      return undefined
  }
}

/** The list of phases: a reading that is corrected, or open phases in a new order. Enter accepts, Escape goes back. */
export function ListEditor({ editor, width, height, onAccept, onBack, onNaming }: ListEditorProps) {
  const { keys, theme, armAfter } = useDesk()
  const [list, setList] = useState<edits.PhaseList>({ phases: editor.phases, index: 0 })
  const [naming, setNaming] = useState<Naming | undefined>(undefined)
  const [message, setMessage] = useState('')
  const newest = useRef(list)
  const opened = useRef(keys.now())
  const accepted = useRef(false)

  function write(next: edits.PhaseList): void {
    newest.current = next
    setList(next)
    setMessage('')
  }

  function accept(key: Key): void {
    if (!key.alone || accepted.current || key.at - opened.current < armAfter) return
    const refused = edits.refusal(newest.current, editor.kind)
    if (refused !== undefined) {
      setMessage(refused)
      return
    }
    accepted.current = true
    onAccept(newest.current.phases)
  }

  function startNaming(kind: Naming['kind'], begun = ''): void {
    const initial = kind === 'rename' ? (newest.current.phases[newest.current.index]?.name ?? '') : begun
    setNaming({ kind, initial })
    onNaming(true)
  }

  function isEmpty(): boolean {
    return editor.kind === 'reading' && newest.current.phases.length === 0
  }

  function named(name: string): void {
    const trimmed = name.trim()
    write(
      naming?.kind === 'add'
        ? edits.addBelow(newest.current, trimmed)
        : edits.rename(newest.current, trimmed),
    )
    stopNaming()
  }

  function stopNaming(): void {
    setNaming(undefined)
    onNaming(false)
  }

  useKeys((key) => {
    const action = actionOf(editor.kind, key.name)
    // An empty list has nothing that letters could act on: they begin the name of its first phase.
    const begins = isEmpty() && action !== 'add' && isTyped(key.sequence) && key.name !== 'space'
    if (begins) startNaming('add', sanitizeLine(key.sequence))
    else if (action === 'accept') accept(key)
    else if (action === 'back') onBack()
    else if (action === 'add' || (action === 'rename' && newest.current.phases.length > 0))
      startNaming(action)
    else if (action !== undefined) write(apply(newest.current, action) ?? newest.current)
    return true
  }, rank.field)
  usePaste(() => undefined)

  const room = Math.max(1, height - (naming ? 5 : 2))
  const start = windowStart(list.phases.length, room, list.index)
  const shown = list.phases
    .slice(start, start + room)
    .map((phase, index) => phaseLine(phase, start + index, start + index === list.index, editor.kind, theme))
  const title = editor.kind === 'reading' ? 'Edit the list of phases' : 'Order of the open phases'
  const place = list.phases.length > room ? `${list.index + 1} of ${list.phases.length}` : ''
  const empty = list.phases.length === 0 && !naming && editor.kind === 'reading'
  const hint = empty ? [line('  The list is empty: a adds a phase', 'info')] : []
  const lines = [rule(title, width, theme, place, true), ...hint, ...shown]
  return (
    <Box flexDirection="column" flexShrink={0} height={height} overflow="hidden">
      <Rows lines={lines.map((row) => fitLine(row, width, theme))} />
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
