import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { colouredLine, lastState } from '../../source/terminal/colours.js'
import { sanitizeLine } from '../../source/terminal/sanitize.js'

const esc = '\u001b['

describe('colouredLine', () => {
  it('keeps sixteen colours of letters, bold and underlined', () => {
    expect(colouredLine(`a${esc}31mb${esc}1;4mc${esc}22;24md${esc}39me${esc}95mf${esc}mg`)).toEqual({
      text: 'abcdefg',
      colours: [
        { from: 1, to: 2, colour: 'red' },
        { from: 2, to: 3, colour: 'red', strong: true, underline: true },
        { from: 3, to: 4, colour: 'red' },
        { from: 5, to: 6, colour: 'magentaBright' },
      ],
    })
    expect(colouredLine(`${esc}38;5;9mx`).colours).toEqual([{ from: 0, to: 1, colour: 'redBright' }])
  })

  it('drops what could hide words: backgrounds, inverse, dim, concealed, other colours', () => {
    for (const code of [
      '41',
      '7',
      '2',
      '8',
      '107',
      '48;5;1',
      '48;2;1;31;4',
      '38;5;200',
      '38;2;31;1;4',
      '4:3',
      '58;5;31',
    ])
      expect(colouredLine(`${esc}${code}mhi`)).toEqual({ text: 'hi', colours: [] })
  })

  it('shows the same text as without colours, and colours only what is there', () => {
    const part = fc.oneof(
      fc.constantFrom(
        `${esc}31m`,
        `${esc}0m`,
        `${esc}1m`,
        `${esc}2J`,
        '\u001b]0;t',
        '\u0007',
        '\u001b',
        '\r',
        '\t',
        '日',
        '\u202e',
        '\u{1f600}',
      ),
      fc.string({ maxLength: 6, unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const raw = parts.join('').replaceAll('\n', '')
        const { text, colours } = colouredLine(raw)
        expect(text).toBe(sanitizeLine(raw))
        let last = 0
        for (const { from, to } of colours) {
          expect(from).toBeGreaterThanOrEqual(last)
          expect(to).toBeGreaterThan(from)
          last = to
        }
        expect(last).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

it('a line that was drawn over is what stood there last', () => {
  expect(['1 %\r2 %', '1 %\r2 %\r', '1 %\r\r\r', 'plain', '\r', ''].map(lastState)).toEqual([
    '2 %',
    '2 %',
    '1 %',
    'plain',
    '',
    '',
  ])
})
