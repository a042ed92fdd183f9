import { Box } from 'ink'
import { useState } from 'react'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Answer, Evidence, Question } from '../../view/question.js'
import { EvidenceText } from '../components/evidence-text.js'
import { Hints } from '../components/hints.js'
import { QuestionPanel } from '../components/question-panel.js'
import { Rows } from '../components/rows.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { unknownBeforeRun } from '../hooks/key-words.js'
import { rank, useKeys } from '../hooks/keys.js'
import { useNotice } from '../hooks/notice.js'
import { usePlace } from '../hooks/scroll.js'
import { actionOf, counts, type Hint } from '../keymap.js'
import { fitLine, line } from '../layout/line.js'
import { evidenceViewHints, type PanelMode, panelHints } from '../layout/run-hints.js'
import { isTooSmall } from '../layout/run-plan.js'
import { TooSmall } from './too-small.js'

const quit: Hint = { key: 'q', word: 'quit', action: 'stop' }

export interface AskScreenProps {
  question: Question
  header: string
  onAnswer(answer: Answer | 'quit'): void
}

/** A question before a run exists: it has the whole screen, and takes no note, as there is no run to keep one. */
export function AskScreen({ question, header, onAnswer }: AskScreenProps) {
  const size = useSize()
  const theme = useTheme()
  const [mode, setMode] = useState<PanelMode>('menu')
  const [evidence, read] = useState<Evidence | undefined>(undefined)
  const [notice, tell] = useNotice()
  const place = usePlace()
  const width = size.columns - 1
  const rows = size.rows - 1

  useKeys((key) => {
    const action = actionOf('run', key.name)
    if (action === 'back' && evidence) {
      read(undefined)
      return true
    }
    if (action !== 'stop') {
      tell(unknownBeforeRun(key))
      return false
    }
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
        {evidence ? (
          <EvidenceText evidence={evidence} height={rows - 2} />
        ) : (
          <QuestionPanel
            question={question}
            mode={mode}
            width={width}
            height={rows - 2}
            focused
            place={place}
            now={Date.now()}
            onMode={setMode}
            onAnswer={onAnswer}
            onOpen={read}
          />
        )}
      </Box>
      {notice === '' ? (
        <Hints
          hints={evidence ? evidenceViewHints() : panelHints(question, mode, [quit], { takesNote: false })}
        />
      ) : (
        <Rows lines={[fitLine(line(notice, 'info'), width, theme)]} height={1} />
      )}
    </Box>
  )
}
