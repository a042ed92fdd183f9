import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainSigns } from '../../source/terminal/plain-signs.js'
import { textWidth } from '../../source/terminal/width.js'
import { rule } from '../../source/workflows/lifecycle/questions/ends.js'

it('gives signs their form in ASCII, cell for cell, and leaves letters alone', () => {
  const text =
    '\u2018it\u2019s\u2019 \u201cdone\u201d \u2014 1\u20132\u2026 \u2713 \u2717 \u2192 \u00fcber \u65e5\u672c'
  const plain = plainSigns(text)
  expect(plain).toBe(`'it's' "done" - 1-2~ + x > \u00fcber \u65e5\u672c`)
  expect(textWidth(plain)).toBe(textWidth(text))
})

it('knows every sign of the screen: each has its form in ASCII', () => {
  const theme = readFileSync(join(import.meta.dirname, '../../source/ui/theme.ts'), 'utf8')
  const signs = [...theme].filter((sign) => sign > '\u007f').join('')
  expect(signs.length).toBeGreaterThan(10)
  expect(plainSigns(signs)).toMatch(/^[ -~]+$/)
})

it('knows the rules and marks of a workflow, and the frames that agents draw', () => {
  const marks = '\u2713\u25b6\u00b7\u2298\u2717'
  expect(plainSigns(`${marks}${rule}`)).toMatch(/^[ -~]+=$/)
  const table = ['\u250c\u2500\u252c\u2500\u2510', '\u2502a\u2551b\u2502', '\u2570\u2550\u2567\u2550\u256f']
  expect(table.map(plainSigns)).toEqual(['+-+-+', '|a|b|', '+=+=+'])
  expect(plainSigns('\u2588\u2588\u2591 \u25b6')).toBe('### >')
})

it('is not needed for quotation marks of our own prose, which are those of ASCII everywhere', () => {
  const source = join(import.meta.dirname, '../../source')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
  // In patterns they stand for what others write.
  const curly = files.flatMap((path) =>
    readFileSync(join(source, path), 'utf8')
      .split('\n')
      .filter((text) => /\w[\u2018\u2019\u201c\u201d]\w/.test(text) && !/^\s*(?:\*|\/\/|\/\*)/.test(text))
      .map((text) => `${path}: ${text.trim()}`),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(curly).toEqual([])
})
