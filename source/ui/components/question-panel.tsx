import { Box } from 'ink'
import { useMemo, useState } from 'react'
import type { Answer, Question, QuestionOption } from '../../run/question.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { useTheme } from '../hooks/desk.js'
import { useGate } from '../hooks/gate.js'
import { rank, useKeys } from '../hooks/keys.js'
import { actionOf } from '../keymap.js'
import { fitLine, rule } from '../layout/line.js'
import { optionLetters, safeOption } from '../layout/option-letters.js'
import { lastBodyTop, menuHeight, menuLines, planMenu } from '../layout/question.js'
import { ListEditor } from './list-editor.js'
import { Rows } from './rows.js'
import { TextField } from './text-field.js'

export type PanelMode = 'menu' | 'text' | 'list'

/** Rows that the panel would like to have in a mode. */
export function panelHeight(question: Question, mode: PanelMode, width: number): number {
  const menu = menuHeight(question, width)
  if (mode === 'text') return Math.max(8, menu)
  if (mode === 'list') return Math.max(menu, (question.editor?.phases.length ?? 0) + 6)
  return menu
}

export interface QuestionPanelProps {
  question: Question
  mode: PanelMode
  width: number
  height: number
  /** PgUp and PgDn scroll the body of the question. */
  focused: boolean
  onMode(mode: PanelMode): void
  onAnswer(answer: Answer): void
}

interface MenuProps extends QuestionPanelProps {
  initial: number
  onChoose(index: number): void
}

function Menu({ question, width, height, focused, initial, onChoose }: MenuProps) {
  const theme = useTheme()
  const [bodyTop, setBodyTop] = useState(0)
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
  const { index, armed } = useGate({ letters, initial, onDecide: onChoose })
  return <Rows lines={menuLines(question, width, height, { index, armed, bodyTop }, theme)} height={height} />
}

function TextStep(props: MenuProps & { option: QuestionOption }) {
  const { option, width, height, onMode, onAnswer } = props
  const theme = useTheme()
  const text = option.text ?? { label: '', required: false }
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      <Rows lines={[fitLine(rule(sanitizeLine(option.label), width, theme, '', true), width, theme)]} />
      <TextField
        label={`  ${sanitizeLine(text.label)}`}
        width={width}
        height={Math.max(1, height - 3)}
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
    if (next.edits && question.editor) onMode('list')
    else if (next.text) onMode('text')
    else onAnswer({ value: next.value })
  }

  const menu: MenuProps = { ...props, initial: chosen, onChoose: choose }
  if (mode === 'text' && option) return <TextStep {...menu} option={option} />
  if (mode === 'list' && option && question.editor) {
    return (
      <ListEditor
        editor={question.editor}
        width={width}
        height={height}
        onAccept={(phases) => onAnswer({ value: option.value, phases })}
        onBack={() => onMode('menu')}
      />
    )
  }
  return <Menu {...menu} />
}
