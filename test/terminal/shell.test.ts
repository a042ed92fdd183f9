import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellWord } from '../../source/project/shell-word.js'
import { goOnWith, printedRows } from '../../source/terminal/width.js'

it('breaks lines between words, but no command that is to be copied', () => {
  const words = 'one word and another '.repeat(6).trim()
  const rows = printedRows(`  ${words}`, 40)
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(40)
  expect(rows.every((row) => row.startsWith('  one') || row.startsWith('  '))).toBe(true)
  expect(printedRows(`${goOnWith}autopilot '${words}'`, 40)).toEqual([`${goOnWith}autopilot '${words}'`])
})

it('quotes what a shell would not read as the one word that it is', () => {
  const paths = ['docs/a.md', 'docs/größer 日本.md', "it's.md", 'a b.md', '$HOME/x', 'a;b', '*.md', '~/x', '']
  const read = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${paths.map(shellWord).join(' ')}`], {
    env: { HOME: '/elsewhere' },
  })
  expect(read.toString('utf8')).toBe(`${paths.join('\n')}\n`)
  expect(shellWord('docs/größer.md')).toBe('docs/größer.md')
})

it('a command between backquotes stays in one row where one row has room for it', () => {
  const text =
    'Change into the project, or run `git init` and make a first commit. `autopilot demo` shows a run.'
  for (let columns = 20; columns < 110; columns += 1) {
    const rows = printedRows(text, columns)
    expect(rows.join(' ')).toBe(text)
    for (const row of rows) {
      expect(row.length).toBeLessThan(columns)
      expect(row.split('`').length % 2).toBe(1)
    }
  }
  // One that is longer than a row is broken between its words.
  expect(printedRows('`a command that is long`', 12)).toEqual(['`a command', 'that is', 'long`'])
})
