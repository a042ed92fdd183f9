import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { sanitizeLine } from '../../source/terminal/sanitize.js'
import { cutText, padText, takeCells, textWidth, wrapText } from '../../source/terminal/width.js'

const anyLine = fc.string({ unit: 'grapheme', maxLength: 60 }).map(sanitizeLine)
const anyWidth = fc.integer({ min: 1, max: 40 })

describe('text in cells', () => {
  it('breaks a long text as it would a short one, in whatever script', () => {
    const letters = fc.constantFrom('a', ' ', 'é', '漢', 'カ', 'ｱ', '한', '！', '👩‍🚀', 'e\u0301', '1')
    const long = fc
      .array(letters, { minLength: 400, maxLength: 700 })
      .map((all) => sanitizeLine(all.join('')))
    fc.assert(
      fc.property(long, anyWidth, (line, width) => {
        const rows = wrapText(line, width)
        for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(width)
        // What is taken of a long text is what is taken of its beginning alone, and no cell more had room.
        const taken = takeCells(line, width)
        expect(taken).toBe(takeCells(line.slice(0, 60 + 8 * width), width))
        const next = [...new Intl.Segmenter().segment(line.slice(taken.length, taken.length + 40))][0]
        expect(stringWidth(taken + (next?.segment ?? ''))).toBeGreaterThan(width)
      }),
      { numRuns: 60 },
    )
  })

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
