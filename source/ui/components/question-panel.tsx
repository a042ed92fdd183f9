import { Box } from 'ink'
import { useEffect, useMemo, useState } from 'react'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Answer, Evidence } from '../../view/question.js'
import { useTheme } from '../hooks/desk.js'
import { useGate } from '../hooks/gate.js'
import { rank, useKeys } from '../hooks/keys.js'
import { type Place, useScroll } from '../hooks/scroll.js'
import { actionOf } from '../keymap.js'
import { fitLine, line, rule } from '../layout/line.js'
import { safeOption } from '../layout/option-letters.js'
import {
  countdownText,
  fieldRows,
  lastBodyTop,
  leastTextRows,
  menuLines,
  type NotedQuestion,
  planMenu,
  readRows,
  shownRows,
} from '../layout/question.js'
import type { PanelMode } from '../layout/run-hints.js'
import { ListEditor } from './list-editor.js'
import { Rows } from './rows.js'
import { TextField } from './text-field.js'

export interface QuestionPanelProps {
  question: NotedQuestion
  mode: PanelMode
  width: number
  height: number
  /** PgUp and PgDn scroll the body of the question. */
  focused: boolean
  /** Where the body was left, while something else was read. */
  place?: Place
  /** Epoch milliseconds. */
  now: number
  onMode(mode: PanelMode): void
  onAnswer(answer: Answer): void
  /** The note that goes with the answer; undefined for none. Absent where nothing would keep one. */
  onNote?(note: string | undefined): void
  /** The person wants to read this. */
  onOpen(evidence: Evidence): void
}

interface MenuProps extends QuestionPanelProps {
  initial: number
  onChoose(index: number): void
}

/** Which evidence is lit, if any: Tab steps from the options through the evidence, and then to the panes. */
function useEvidence(evidence: readonly Evidence[], focused: boolean, onMode: MenuProps['onMode']) {
  const [lit, setLit] = useState<number | undefined>(undefined)
  const isLit = focused && lit !== undefined

  // Beside the panes Enter decides again, and the hints say so. A menu that opens anew has an option lit, whatever was
  // lit in the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it changes
  useEffect(() => onMode(isLit ? 'evidence' : 'menu'), [isLit])

  useKeys((key) => {
    const action = actionOf('gate', key.name)
    if (!focused || evidence.length === 0) return false
    if (action === 'next-evidence' && lit !== evidence.length - 1) setLit((lit ?? -1) + 1)
    else if (action === 'previous-evidence' && lit !== undefined) setLit(lit === 0 ? undefined : lit - 1)
    else return false
    return true
  }, rank.gate)
  return { lit: focused ? lit : undefined, unlight: () => setLit(undefined) }
}

function Menu(props: MenuProps) {
  const { question, width, height, focused, place, now, initial, onChoose, onOpen, onMode, onNote } = props
  const theme = useTheme()
  const [bodyTop, setBodyTop] = useState(place?.get() ?? 0)
  const { evidence = [] } = question
  const { lit, unlight } = useEvidence(evidence, focused, onMode)
  const opened = lit === undefined ? undefined : evidence[lit]
  const plan = planMenu(question, width, height)
  const last = lastBodyTop(plan)

  function scroll(by: number): void {
    const top = Math.max(0, Math.min(last, Math.min(bodyTop, last) + by))
    setBodyTop(top)
    place?.set(top)
  }

  useKeys((key) => {
    const action = actionOf('run', key.name)
    if (onNote && actionOf('gate', key.name) === 'note') {
      if (key.alone) onMode('note')
      return true
    }
    // The wheel reads the question; it never moves the option.
    if (key.name.startsWith('wheel-')) {
      scroll(key.name === 'wheel-up' ? -1 : 1)
      return true
    }
    if (!focused || last === 0 || (action !== 'page-up' && action !== 'page-down')) return false
    scroll(Math.max(1, shownRows(plan) - 1) * (action === 'page-up' ? -1 : 1))
    return true
  }, rank.gate)
  const { index, armed, dropped } = useGate({
    options: question.options,
    initial,
    onDecide: onChoose,
    onMove: unlight,
    ...(opened ? { onOpen: () => onOpen(opened) } : {}),
  })
  const state = { index, armed, dropped, bodyTop, now, ...(lit === undefined ? {} : { evidence: lit }) }
  return <Rows lines={menuLines(question, { width, height, theme }, state)} height={height} />
}

/** A text under the question that it belongs to. */
interface TextStepProps extends MenuProps {
  title: string
  label: string
  required: boolean
  initialText: string
  onSend(text: string): void
}

function TextStep(props: TextStepProps) {
  const { question, width, height, now, onMode } = props
  const theme = useTheme()
  const body = useMemo(() => readRows(question, width), [question, width])
  const size = Math.max(0, Math.min(body.length, height - fieldRows - leastTextRows))
  const scroll = useScroll(body.length, size, true)
  useKeys((key) => scroll.act(actionOf('field', key.name)), rank.gate)
  const place =
    size > 0 && size < body.length ? `lines ${scroll.top + 1}-${scroll.top + size} of ${body.length}` : ''
  const aside = countdownText(question, now) ?? place
  const head = [
    rule(sanitizeLine(props.title), width, theme, { aside, strong: true }),
    ...body.slice(scroll.top, scroll.top + size).map((row) => line(`  ${row}`)),
  ]
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      <Rows lines={head.map((row) => fitLine(row, width, theme))} height={size + 1} />
      <TextField
        label={`  ${sanitizeLine(props.label)}`}
        width={width}
        height={Math.max(1, height - fieldRows - size)}
        initial={props.initialText}
        required={props.required}
        multiline
        guarded
        onSend={props.onSend}
        onBack={() => onMode('menu')}
      />
    </Box>
  )
}

function withText(value: string, text: string | undefined): Answer {
  return text === undefined || text.trim() === '' ? { value } : { value, text }
}

/** An open question: the menu, and what an option opens before it is an answer. */
export function QuestionPanel(props: QuestionPanelProps) {
  const { question, mode, width, height, onMode, onAnswer, onNote } = props
  const { note } = question
  const [chosen, setChosen] = useState(() => safeOption(question.options))
  const option = question.options[chosen]

  function choose(index: number): void {
    const next = question.options[index]
    if (!next) return
    setChosen(index)
    if (next.edits && question.list) onMode('list')
    // Who wrote a note has said what an optional text would ask for.
    else if (next.text && (next.text.required || note === undefined)) onMode('text')
    else onAnswer(withText(next.value, note))
  }

  function setNote(text: string): void {
    onNote?.(text.trim() === '' ? undefined : text)
    onMode('menu')
  }

  const menu: MenuProps = { ...props, initial: chosen, onChoose: choose }
  const text = { ...menu, initialText: note ?? '' }
  if (mode === 'note')
    return (
      <TextStep {...text} title="A note" label="It goes with your answer" required={false} onSend={setNote} />
    )
  if (mode === 'text' && option) {
    const { label, required } = option.text ?? { label: '', required: false }
    const send = (written: string) => onAnswer(withText(option.value, written))
    return <TextStep {...text} title={option.label} label={label} required={required} onSend={send} />
  }
  if ((mode === 'list' || mode === 'naming') && option && question.list) {
    return (
      <ListEditor
        list={question.list}
        width={width}
        height={height}
        onAccept={(items) => onAnswer({ ...withText(option.value, note), items })}
        onBack={() => onMode('menu')}
        onNaming={(on) => onMode(on ? 'naming' : 'list')}
      />
    )
  }
  return <Menu {...menu} />
}
