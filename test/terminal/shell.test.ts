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
