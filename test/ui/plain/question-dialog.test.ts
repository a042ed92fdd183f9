import { expect, it } from 'vitest'
import type { Lines } from '../../../source/ui/plain/lines.js'
import { askByLines } from '../../../source/ui/plain/question-dialog.js'
import type { Question } from '../../../source/view/question.js'

const asking = (label: string): Question => ({
  id: 'visit-1/verdict',
  gate: 'Q-VERDICT',
  title: 'Phase 1 waits for your verdict',
  body: [],
  options: [
    { value: 'pass', label: 'pass', consequence: 'it is completed' },
    { value: 'issues', label: 'issues', consequence: 'it is mended', text: { label, required: true } },
  ],
  askedAt: '2030-04-03T09:12:00.000Z',
})

it.each([
  ['What is wrong? One line each.', 'What is wrong? One line each. Ctrl+J begins another line.'],
  ['What is wrong?', 'What is wrong? Ctrl+J begins another line.'],
  ['Reason', 'Reason. Ctrl+J begins another line.'],
])('a text is asked for in whole sentences, with how more lines are typed: %s', async (label, told) => {
  const shown: string[] = []
  const typed = ['2', 'wet\nloud']
  const lines: Lines = {
    tell: () => undefined,
    show: (texts) => void shown.push(...texts),
    read: async () => typed.shift(),
    cancel: () => undefined,
    wantsWords: false,
  }
  expect(await askByLines(asking(label), lines)).toEqual({ value: 'issues', text: 'wet\nloud' })
  expect(shown).toContain(`${told} A line with only < goes back.`)
})
