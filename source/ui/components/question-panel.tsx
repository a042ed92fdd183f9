import { Box } from 'ink'
import { useMemo, useState } from 'react'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Answer, Evidence, Question, QuestionOption } from '../../view/question.js'
import { useTheme } from '../hooks/desk.js'
import { useGate } from '../hooks/gate.js'
import { rank, useKeys } from '../hooks/keys.js'
import { useScroll } from '../hooks/scroll.js'
import { actionOf } from '../keymap.js'
import { fitLine, line, rule } from '../layout/line.js'
import { optionLetters, safeOption } from '../layout/option-letters.js'
import { bodyRows, countdownText, lastBodyTop, menuLines, planMenu } from '../layout/question.js'
import type { PanelMode } from '../layout/run-hints.js'
import { ListEditor } from './list-editor.js'
import { Rows } from './rows.js'
import { TextField } from './text-field.js'

export interface QuestionPanelProps {
  question: Question
  mode: PanelMode
  width: number
  height: number
  /** PgUp and PgDn scroll the body of the question. */
  focused: boolean
  /** Epoch milliseconds. */
  now: number
  onMode(mode: PanelMode): void
  onAnswer(answer: Answer): void
  /** The person wants to read this. */
  onOpen(evidence: Evidence): void
}

/** Rows of the panel of a text without the text: its rule, the label, the message. */
const fieldRows = 3
const leastTextRows = 3

interface MenuProps extends QuestionPanelProps {
  initial: number
  onChoose(index: number): void
}

/** Which evidence is lit, if any: Tab steps from the options through the evidence, and then to the panes. */
function useEvidence(evidence: readonly Evidence[], focused: boolean) {
  const [lit, setLit] = useState<number | undefined>(undefined)
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

function Menu({ question, width, height, focused, now, initial, onChoose, onOpen }: MenuProps) {
  const theme = useTheme()
  const [bodyTop, setBodyTop] = useState(0)
  const { evidence = [] } = question
  const { lit, unlight } = useEvidence(evidence, focused)
  const opened = lit === undefined ? undefined : evidence[lit]
  const letters = useMemo(() => optionLetters(question.options), [question])
  const plan = planMenu(question, width, height)
  const last = lastBodyTop(plan)
  useKeys((key) => {
    const action = actionOf('run', key.name)
    if (!focused || last === 0 || (action !== 'page-up' && action !== 'page-down')) return false
    const step = Math.max(1, plan.bodyHeight - 2) * (action === 'page-up' ? -1 : 1)
    setBodyTop((top) => Math.max(0, Math.min(last, Math.min(top, last) + step)))
    return true
  }, rank.gate)
  const { index, armed } = useGate({
    letters,
    initial,
    onDecide: onChoose,
    onMove: unlight,
    ...(opened ? { onOpen: () => onOpen(opened) } : {}),
  })
  const state = { index, armed, bodyTop, now, ...(lit === undefined ? {} : { evidence: lit }) }
  return <Rows lines={menuLines(question, { width, height }, state, theme)} height={height} />
}

function TextStep(props: MenuProps & { option: QuestionOption }) {
  const { question, option, width, height, now, onMode, onAnswer } = props
  const theme = useTheme()
  const text = option.text ?? { label: '', required: false }
  const body = useMemo(() => bodyRows(question, width), [question, width])
  const size = Math.max(0, Math.min(body.length, height - fieldRows - leastTextRows))
  const scroll = useScroll(body.length, size, true)
  useKeys((key) => scroll.act(actionOf('field', key.name)), rank.gate)
  const place =
    size > 0 && size < body.length ? `lines ${scroll.top + 1}-${scroll.top + size} of ${body.length}` : ''
  const aside = countdownText(question, now) ?? place
  const head = [
    rule(sanitizeLine(option.label), width, theme, { aside, strong: true }),
    ...body.slice(scroll.top, scroll.top + size).map((row) => line(`  ${row}`)),
  ]
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      <Rows lines={head.map((row) => fitLine(row, width, theme))} height={size + 1} />
      <TextField
        label={`  ${sanitizeLine(text.label)}`}
        width={width}
        height={Math.max(1, height - fieldRows - size)}
        required={text.required}
        multiline
        guarded
        onSend={(value) => onAnswer({ value: option.value, ...(value.trim() === '' ? {} : { text: value }) })}
        onBack={() => onMode('menu')}
      />
    </Box>
  )
}

/** An open question: the menu, and what an option opens before it is an answer. */
export function QuestionPanel(props: QuestionPanelProps) {
  const { question, mode, width, height, onMode, onAnswer } = props
  const [chosen, setChosen] = useState(() => safeOption(question.options))
  const option = question.options[chosen]

  function choose(index: number): void {
    const next = question.options[index]
    if (!next) return
    setChosen(index)
    if (next.edits && question.list) onMode('list')
    else if (next.text) onMode('text')
    else onAnswer({ value: next.value })
  }

  const menu: MenuProps = { ...props, initial: chosen, onChoose: choose }
  if (mode === 'text' && option) return <TextStep {...menu} option={option} />
  if ((mode === 'list' || mode === 'naming') && option && question.list) {
    return (
      <ListEditor
        list={question.list}
        width={width}
        height={height}
        onAccept={(items) => onAnswer({ value: option.value, items })}
        onBack={() => onMode('menu')}
        onNaming={(on) => onMode(on ? 'naming' : 'list')}
      />
    )
  }
  return <Menu {...menu} />
}
