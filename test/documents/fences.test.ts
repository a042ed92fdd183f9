import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMarkup, scanLines, unclosedFence } from '../../source/documents/fences.js'
import { readSpec } from '../../source/documents/spec.js'

function open(text: string): string[] {
  return scanLines(text)
    .filter((line) => !line.fenced)
    .map((line) => line.text)
}

describe('fences', () => {
  it.each([
    ['backticks', 'a\n```\nx\n```\nb'],
    ['tildes', 'a\n~~~\nx\n~~~\nb'],
    ['an info string', 'a\n```md title="x"\nx\n```\nb'],
    ['any indent', 'a\n        ```\nx\n   ```\nb'],
    ['a longer closing fence', 'a\n```\nx\n`````\nb'],
    ['trailing blanks after the closing fence', 'a\n```\nx\n```  \t\nb'],
    ['a shorter run inside', 'a\n`````\n```\nx\n```\n`````\nb'],
    ['the other character inside', 'a\n```\n~~~\nx\n```\nb'],
    ['a run with text behind inside', 'a\n```\n``` js\nx\n```\nb'],
    ['a fence in a list item', 'a\n- ```js\n  x\n  ```\nb'],
    ['CRLF', 'a\r\n```\r\nx\r\n```\r\nb'],
    ['a BOM', '\uFEFFa\n```\nx\n```\nb'],
  ])('leaves out what stands in a fence: %s', (_, text) => {
    expect(open(text)).toEqual(['a', 'b'])
  })

  it('does not open a fence for a code span of three backticks', () => {
    expect(open('```x``` text\nb')).toEqual(['```x``` text', 'b'])
  })

  it('runs an unclosed fence to the end and says where it opened', () => {
    const lines = scanLines('a\n```\nx\n~~~\n')
    expect(lines.map((line) => line.fenced)).toEqual([false, true, true, true])
    expect(unclosedFence(lines)).toBe(2)
    expect(unclosedFence(scanLines('```\nx\n```\n'))).toBeUndefined()
  })

  it('takes a line that nobody writes by hand for text, and reads the rest', () => {
    const long = `### Phase 1: ${' '.repeat(20_000)}x`
    expect(scanLines(`${long}\n- a`).map(isMarkup)).toEqual([false, true])
    const reading = readSpec(`## Implementation Order\n### Phase 1: A\n${long}\n### Phase 2: B\n`)
    expect(reading.phases.map((phase) => phase.line)).toEqual([2, 4])
  })

  it('numbers lines as an editor does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[^\r\n\uFEFF]*$/)),
        fc.constantFrom('\n', '\r\n'),
        (texts, ending) => {
          const lines = scanLines(texts.map((text) => text + ending).join(''))
          expect(lines.map((line) => line.text)).toEqual(texts)
          expect(lines.map((line) => line.number)).toEqual(texts.map((_, index) => index + 1))
        },
      ),
    )
  })
})
