import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineDiff, unifiedDiff } from '../../source/documents/diff.js'

describe('line diff', () => {
  it('shows what changed with two lines of context', () => {
    expect(lineDiff('1\n2\n3\n4\n5\n6\n7\n', '1\n2\n3\n4\nx\n6\n7\n')).toEqual([
      '@@',
      ' 3',
      ' 4',
      '-5',
      '+x',
      ' 6',
      ' 7',
    ])
    expect(lineDiff('1\n2\n3\n4\n', 'x\n2\n3\n4\n')).toEqual(['-1', '+x', ' 2', ' 3', '@@'])
    expect(lineDiff('a\n', 'a\n')).toEqual([])
    expect(lineDiff('', 'a\n')).toEqual(['+a'])
    expect(lineDiff('a\nb\n', 'b\n')).toEqual(['-a', ' b'])
  })

  it('does not compare line endings, nor the last one', () => {
    expect(lineDiff('a\r\nb', 'a\nb\n')).toEqual([])
  })

  it('gives both texts back when no line is left out', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = lineDiff(before, after)
        expect(diff.length === 0).toBe(before === after)
        fc.pre(!diff.includes('@@'))
        const side = (sign: string) =>
          diff
            .filter((line) => !line.startsWith(sign))
            .map((line) => `${line.slice(1)}\n`)
            .join('')
        expect(before).toContain(side('+'))
        expect(after).toContain(side('-'))
      }),
    )
  })

  const many = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${word}${index}\n`).join('')

  it('shows texts that have nothing in common as removed and added', () => {
    const diff = lineDiff(`same\n${many('a', 3000)}end\n`, `same\n${many('b', 3000)}end\n`)
    expect(diff).toHaveLength(6002)
    expect([diff[0], diff[1], diff[3001], diff[6001]]).toEqual([' same', '-a0', '+b0', ' end'])
  })

  it('gives the search up where it would cost more than lines can', () => {
    // Without a limit this is 200,000 lines against 200,000 others: hours.
    expect(lineDiff(many('a', 200_000), many('b', 200_000))).toHaveLength(400_000)
  })
})

describe('unified diff', () => {
  it('shows a change with the lines around it', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n'
    expect(unifiedDiff('a.txt', before, before.replace('five', 'FIVE'))).toBe(
      '--- a.txt\n+++ a.txt\n@@ -2,7 +2,7 @@\n two\n three\n four\n-five\n+FIVE\n six\n seven\n eight\n',
    )
  })

  it('shows a file that comes or goes', () => {
    expect(unifiedDiff('a', '', 'x\n')).toBe('--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+x\n')
    expect(unifiedDiff('a', 'x\n', '')).toBe('--- a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n')
    expect(unifiedDiff('a', 'x\n', 'x\n')).toBe('')
  })

  it('can be applied, small or cut off', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after)
        expect(applyPatch(before, unifiedDiff('f', before, after))).toBe(after)
      }),
    )
    const lines = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word}${at}\n`).join('')
    const [before, after] = [`x\n${lines('a')}y\n`, `x\n${lines('b')}y\n`]
    expect(applyPatch(before, unifiedDiff('f', before, after))).toBe(after)
  })
})
