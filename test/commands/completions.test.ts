import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { completions } from '../../source/commands/completions.js'
import { registry } from '../../source/workflows/registry.js'

// What a shell offers behind the words that are typed: by the bash that is here, from the script as it is printed.

function offered(...words: string[]): string[] {
  const script = completions(registry, 'bash').output
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a list of the shell
  const ask = 'shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _autopilot; printf "%s\\n" "${COMPREPLY[@]}"'
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', `${script}\n${ask}`, 'bash', '', 'autopilot', ...words],
    {
      encoding: 'utf8',
    },
  )
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

test('options of the command that is typed, and of no other', () => {
  expect(offered('doctor', '--')).toEqual(['--agent', '--json', '--help'])
  expect(offered('status', '--')).toEqual(['--json', '--help'])
  expect(offered('completions', '--')).toEqual(['--help'])
  expect(offered('demo', '--')).toEqual(expect.arrayContaining(['--workflow', '--plain', '--fast']))
  expect(offered('demo', '--')).not.toContain('--json')
  for (const words of [['--'], ['docs/spec.md', '--']]) {
    expect(offered(...words)).toEqual(expect.arrayContaining(['--agent', '--plain', '--fast']))
    expect(offered(...words)).not.toContain('--as')
  }
})

test('a value before the command is not taken for it, in the pieces in which a shell hands it over', () => {
  for (const agent of [
    ['--agent', 'claude'],
    ['--agent', '=', 'claude'],
    ['--agent', 'command', ':', 'demo'],
  ])
    expect(offered(...agent, 'inspect', '--')).toEqual(['--json', '--as', '--help'])
})

test('values of options that take one of few, shells, and nothing where nothing follows', () => {
  expect(offered('demo', '--workflow', '')).toEqual(registry.map(({ name }) => name))
  expect(offered('inspect', '--as', 'p')).toEqual(['plan'])
  expect(offered('--agent', '=', 'c')).toEqual(['claude', 'codex'])
  expect(offered('completions', '')).toEqual(['bash', 'zsh', 'fish'])
  expect(offered('status', '')).toEqual([])
  expect(offered('inspect', 'package.j')).toEqual(['package.json'])
  expect(offered('stat')).toEqual(['status'])
})
