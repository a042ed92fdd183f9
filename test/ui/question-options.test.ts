import { expect, test } from 'vitest'
import { optionLines, optionRows, optionShape } from '../../source/ui/layout/question-options.js'
import { createTheme } from '../../source/ui/theme.js'
import { questionOf } from './fixtures.js'

// Options of a gate as rows, whatever stands in them.

const path = 'docs/plans/2026-11-30-watering-week-plan.md'
const options = [
  { value: 'yes', label: 'yes', consequence: 'execute this plan' },
  { value: 'edit', label: 'revise', consequence: `edit ${path} yourself, then this gate opens again` },
  { value: 'skip', label: 'skip phase', consequence: 'the phase is marked skipped' },
  { value: 'first', label: 'a label that leaves little room', consequence: `${path} is thrown away` },
]

test('no word is torn apart while a row has room for it', () => {
  for (const width of [54, 59, 66, 71, 79, 99, 119]) {
    const question = { ...questionOf('Q-APPROVE'), options }
    const shape = optionShape(question, width)
    const rows = options.flatMap((option) => optionRows(option, shape, width))
    const words = rows.flatMap((row) => row.join(' ').split(/\s+/)).filter((word) => word !== '')
    const whole = options.flatMap(({ label, consequence }) => `${label} ${consequence}`.split(' '))
    expect([...words].sort()).toEqual([...whole].sort())
  }
})

test('a file is named without its folders before what an option does is cut to one word', () => {
  const place = { index: 1, letter: 'b', shape: { kind: 'columns', labels: 12 }, width: 63, rows: 1 } as const
  const question = { ...questionOf('Q-APPROVE'), options }
  const [row = []] = optionLines(question, place, { index: 0, armed: true }, createTheme(true))
  expect(row.map(({ text }) => text).join('')).toMatch(/edit 2026-11-30-watering-week-plan\.md…$/)
})
