import { Box } from 'ink'
import { useState } from 'react'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Answer, Question } from '../../view/question.js'
import { Hints } from '../components/hints.js'
import { QuestionPanel } from '../components/question-panel.js'
import { Rows } from '../components/rows.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import { actionOf, counts } from '../keymap.js'
import { fitLine } from '../layout/line.js'
import { type PanelMode, panelHints } from '../layout/run-hints.js'
import { isTooSmall } from '../layout/run-plan.js'
import { TooSmall } from './too-small.js'

export interface AskScreenProps {
  question: Question
  header: string
  onAnswer(answer: Answer | 'quit'): void
}

/** A question before a run exists: it has the whole screen. */
export function AskScreen({ question, header, onAnswer }: AskScreenProps) {
  const size = useSize()
  const theme = useTheme()
  const [mode, setMode] = useState<PanelMode>('menu')
  const width = size.columns - 1
  const rows = size.rows - 1

  useKeys((key) => {
    if (actionOf('run', key.name) !== 'stop') return false
    if (counts('stop', key.alone)) onAnswer('quit')
    return true
  }, rank.screen)

  if (isTooSmall(size)) return <TooSmall waits />
  const head = fitLine(
    [{ text: 'autopilot', strong: true, tone: 'accent' }, { text: `  ${sanitizeLine(header)}` }],
    width,
    theme,
  )
  return (
    <Box flexDirection="column" height={rows} width={size.columns} flexShrink={0} overflow="hidden">
      <Rows lines={[head]} height={1} />
      <Box flexDirection="column" height={rows - 2} flexShrink={0} overflow="hidden">
        <QuestionPanel
          question={question}
          mode={mode}
          width={width}
          height={rows - 2}
          focused
          now={Date.now()}
          onMode={setMode}
          onAnswer={onAnswer}
        />
      </Box>
      <Hints hints={panelHints(question, mode, [{ key: 'q', word: 'quit' }])} />
    </Box>
  )
}
