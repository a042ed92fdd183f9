import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMarkup } from '../../source/documents/markdown-lines.js'
import { scanMarkdown } from '../../source/documents/markdown-scanner.js'
import { readSpec } from '../../source/documents/spec.js'

function open(text: string): string[] {
  return scanMarkdown(text)
    .lines.filter(isMarkup)
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

  it('takes a fence that never closes for text and says where it opened', () => {
    const scanned = scanMarkdown('a\n```\nx\n~~~\n# b\n')
    expect(scanned.lines.every(isMarkup)).toBe(true)
    expect(scanned.unclosed).toEqual([
      { kind: 'fence', line: 2 },
      { kind: 'fence', line: 4 },
    ])
    expect(scanned.blocks.some((block) => block.kind === 'heading')).toBe(true)
    expect(scanMarkdown('```\nx\n```\n').unclosed).toEqual([])
  })

  it('is not ended by the list item in which it stands', () => {
    expect(open('- ```js\nx\n  ```\nb')).toEqual(['b'])
  })

  it('names a line inside that opens another one', () => {
    const [fence] = scanMarkdown('```js\nx\n```sh\ny\n```\n').blocks
    expect(fence).toMatchObject({ kind: 'fence', line: 1, endLine: 5, opensInside: 3 })
  })

  it('reads a heading of any length', () => {
    const long = `### Phase 1: ${'x'.repeat(20_000)}`
    const reading = readSpec(`## Implementation Order\n${long}\n### Phase 2: B\n`)
    expect(reading.phases.map((phase) => [phase.line, phase.name.length])).toEqual([
      [2, 20_000],
      [3, 1],
    ])
  })

  it('numbers lines as an editor does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[^\r\n\uFEFF]*$/)),
        fc.constantFrom('\n', '\r\n'),
        (texts, ending) => {
          const { lines } = scanMarkdown(texts.map((text) => text + ending).join(''))
          expect(lines.map((line) => line.text)).toEqual(texts)
          expect(lines.map((line) => line.number)).toEqual(texts.map((_, index) => index + 1))
        },
      ),
    )
  })
})
