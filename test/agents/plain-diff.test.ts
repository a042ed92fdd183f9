import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainDiff } from '../../source/agents/plain-diff.js'

it('shows a change with the lines around it', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n'
  const after = before.replace('five', 'FIVE')
  expect(plainDiff('a.txt', before, after)).toBe(
    '--- a.txt\n+++ a.txt\n@@ -2,7 +2,7 @@\n two\n three\n four\n-five\n+FIVE\n six\n seven\n eight\n',
  )
})

it('shows a file that comes or goes', () => {
  expect(plainDiff('a', '', 'x\n')).toBe('--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+x\n')
  expect(plainDiff('a', 'x\n', '')).toBe('--- a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n')
  expect(plainDiff('a', 'x\n', 'x\n')).toBe('')
})

const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'))

it('can be applied: old and new text follow from it', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after)
      const [, , header = '', ...body] = plainDiff('f', before, after).trimEnd().split('\n')
      const [, oldStart, oldCount, newStart, newCount] =
        /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(header) ?? []
      const side = (sign: string) =>
        body.filter((line) => [' ', sign].includes(line[0] ?? ' ')).map((line) => line.slice(1))
      const part = (whole: string, start: string | undefined, count: string | undefined) => {
        const from = Math.max(0, Number(start) - 1)
        return (whole === '' ? [] : whole.split('\n')).slice(from, from + Number(count))
      }
      const noEnd = (lines: string[]) => lines.join('\n').replace(/\n+$/, '')
      expect(noEnd(side('-'))).toBe(noEnd(part(before, oldStart, oldCount)))
      expect(noEnd(side('+'))).toBe(noEnd(part(after, newStart, newCount)))
    }),
  )
})
