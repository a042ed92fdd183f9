import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { sanitizeLine } from '../../source/terminal/sanitize.js'
import { cutText, padText, takeCells, textWidth, wrapText } from '../../source/terminal/width.js'

const anyLine = fc.string({ unit: 'grapheme', maxLength: 60 }).map(sanitizeLine)
const anyWidth = fc.integer({ min: 1, max: 40 })

describe('text in cells', () => {
  it('never takes more than it may, at any width', () => {
    fc.assert(
      fc.property(anyLine, anyWidth, (text, width) => {
        expect(stringWidth(takeCells(text, width))).toBeLessThanOrEqual(width)
        expect(stringWidth(cutText(text, width))).toBeLessThanOrEqual(width)
        expect(textWidth(padText(text, width))).toBe(width)
        for (const row of wrapText(text, width)) expect(stringWidth(row)).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('loses only spaces when it wraps', () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 12, max: 40 }), (text, width) => {
        expect(wrapText(text, width).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }),
    )
  })

  it('wraps at spaces, keeps the indent and breaks what has none', () => {
    expect(wrapText('  one two three', 9)).toEqual(['  one two', 'three'])
    expect(wrapText('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
    expect(wrapText('', 3)).toEqual([''])
    expect(wrapText('a b c d', 1, 2)).toEqual(['a', 'b'])
    expect(wrapText('日本語', 4)).toEqual(['日本', '語'])
  })

  it('says that it has cut', () => {
    expect(cutText('abcdef', 4)).toBe('abc…')
    expect(cutText('abcdef', 4, '~')).toBe('abc~')
    expect(cutText('日本語', 4)).toBe('日…')
    expect(cutText('abc', 0)).toBe('')
  })
})
