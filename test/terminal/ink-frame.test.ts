import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { cellsOf } from '../../source/terminal/frame-cells.js'
import { InkFrame } from '../../source/terminal/ink-frame.js'
import { lookedWidth } from '../../source/terminal/looked-width.js'

// The module of Ink that ours stands for is no export of it.
const build = dirname(createRequire(import.meta.url).resolve('ink'))
const { default: InkOutput } = (await import(join(build, 'output.js'))) as {
  default: new (size: {
    width: number
    height: number
  }) => Pick<InkFrame, 'write' | 'clip' | 'unclip' | 'get'>
}

const esc = '\u001b['
const size = { width: 30, height: 6 }

/** As chalk writes them. */
const looks = ['', `${esc}1m|${esc}22m`, `${esc}36m|${esc}39m`, `${esc}1m${esc}92m|${esc}39m${esc}22m`]
const styled = fc
  .tuple(
    fc.constantFrom(...looks),
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', '│', '●'), minLength: 1, maxLength: 12 }),
  )
  .map(([look, text]) => (look === '' ? text : look.replace('|', text)))
const written = fc.record({
  x: fc.nat(29),
  y: fc.nat(6),
  lines: fc.array(styled, { minLength: 1, maxLength: 3 }),
  clip: fc.option(
    fc
      .tuple(fc.nat(20), fc.nat(4), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 4 }))
      .map(([x1, y1, width, height]) => ({ x1, x2: x1 + width, y1, y2: y1 + height })),
  ),
})

/** What can be seen: characters and their looks, without blanks at the end. */
function seen(output: string): unknown[] {
  return output.split('\n').map((row) => {
    const { characters = [], styles = [] } = cellsOf(row) ?? {}
    const cells = characters.map((character, at) => `${character} ${character === ' ' ? '' : styles[at]}`)
    while (cells.at(-1) === '  ') cells.pop()
    return cells
  })
}

describe('a frame', () => {
  it('has every text where Ink would put it', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), (texts) => {
        const [ours, theirs] = [new InkFrame(size), new InkOutput(size)]
        for (const frame of [ours, theirs]) {
          for (const { x, y, lines, clip } of texts) {
            if (clip) frame.clip(clip)
            frame.write(x, y, lines.join('\n'), { transformers: [] })
            if (clip) frame.unclip()
          }
        }
        expect(seen(ours.get().output)).toEqual(seen(theirs.get().output))
        expect(ours.get().height).toBe(theirs.get().height)
      }),
      { numRuns: 500 },
    )
  })

  it('applies what transforms a text to what can be seen of it', () => {
    const frame = new InkFrame(size)
    frame.clip({ x1: 0, x2: 4, y1: 0, y2: 6 })
    frame.write(0, 0, 'abcdef', { transformers: [(line) => line.toUpperCase(), (line) => `${line}!`] })
    expect(frame.get().output.split('\n')[0]).toBe('ABCD!')
  })

  it('is as wide as string-width says', () => {
    for (const text of [
      '',
      'plain',
      '│ ● ✓ … ❯',
      '日本語',
      'e\u0301',
      '👨‍👩‍👧',
      `${esc}1;31mred${esc}0m`,
      'ﬀ',
      '\u200b',
    ])
      expect(lookedWidth(text), JSON.stringify(text)).toBe(stringWidth(text))
    const marks = [0xb7, 0x2022, 0x2026, 0x203a, 0x2713, 0x2717, 0x276f]
    for (let code = 0x2500; code <= 0x25cf; code += 1) marks.push(code)
    for (let code = 0x2190; code <= 0x2193; code += 1) marks.push(code)
    for (let code = 0x20; code <= 0x7e; code += 1) marks.push(code)
    for (const code of marks) expect(stringWidth(String.fromCodePoint(code)), code.toString(16)).toBe(1)
  })
})
