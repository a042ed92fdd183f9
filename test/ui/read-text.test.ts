import { describe, expect, it } from 'vitest'
import { readLine } from '../../source/ui/layout/read-text.js'
import { createTheme } from '../../source/ui/theme.js'

const theme = createTheme(true)
const lines = (text: string) => readLine({ kind: 'log', text }, 20, theme).map((line) => line.text)

describe('JSON in a line of an agent', () => {
  it('is spread out where it is longer than its row', () => {
    expect(lines('{"a":1}')).toEqual(['{"a":1}'])
    expect(lines('{"status":"complete","tasks":["one"]}')).toEqual([
      '{',
      '  "status": "complete",',
      '  "tasks": [',
      '    "one"',
      '  ]',
      '}',
    ])
  })

  it.each([1_000, 2_000, 20_000])('stays as it is where it is %d lists within each other', (depth) => {
    const text = '['.repeat(depth) + ']'.repeat(depth)
    expect(lines(text)).toEqual([text])
  })
})
