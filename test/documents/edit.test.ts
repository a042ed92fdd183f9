import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendBlock, endingOf, insertAfter, rawLines, replaceLine } from '../../source/documents/edit.js'

const anyText = fc
  .array(fc.oneof(fc.string(), fc.constantFrom('\n', '\r\n', '\r', '\uFEFF', 'a')))
  .map((parts) => parts.join(''))

describe('edits in place', () => {
  it('splits without losing a byte', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(
          rawLines(text)
            .map((line) => line.text + line.ending)
            .join(''),
        ).toBe(text)
      }),
    )
  })

  it('replaces one line and nothing else', () => {
    fc.assert(
      fc.property(anyText, fc.nat(12), (text, seed) => {
        const before = rawLines(text)
        const number = (seed % Math.max(1, before.length)) + 1
        const after = rawLines(replaceLine(text, number, 'new'))
        expect(after.length).toBe(before.length)
        before.forEach((line, index) => {
          if (index + 1 !== number) expect(after[index]).toEqual(line)
          else
            expect(after[index]).toEqual({
              text: `${line.text.startsWith('\uFEFF') && index === 0 ? '\uFEFF' : ''}new`,
              ending: line.ending,
            })
        })
      }),
    )
  })

  it('leaves a text alone when the line is not there', () => {
    expect(replaceLine('a\nb', 3, 'x')).toBe('a\nb')
    expect(insertAfter('a\nb', 3, 'x')).toBe('a\nb')
  })

  it('inserts in the line ending of the text, also behind a last line without one', () => {
    expect(insertAfter('a\r\nb\r\n', 1, 'x')).toBe('a\r\nx\r\nb\r\n')
    expect(insertAfter('a\r\nb', 2, 'x')).toBe('a\r\nb\r\nx')
  })

  it('appends after one blank line and keeps what is there as a prefix', () => {
    expect(appendBlock('', 'x')).toBe('x\n')
    expect(appendBlock('a', 'x\ny')).toBe('a\n\nx\ny\n')
    expect(appendBlock('a\r\n', 'x\ny')).toBe('a\r\n\r\nx\r\ny\r\n')
    expect(appendBlock('a\n\n', 'x')).toBe('a\n\nx\n')
    fc.assert(
      fc.property(anyText, (text) => {
        const after = appendBlock(text, 'x')
        expect(after.startsWith(text)).toBe(true)
        expect(after.endsWith(`x${endingOf(text)}`)).toBe(true)
      }),
    )
  })
})
