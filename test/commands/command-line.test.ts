import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closest } from '../../source/closest.js'
import { askedAbout } from '../../source/commands/asked-about.js'
import { helpText, readCommandLine } from '../../source/commands/command-line.js'
import { commandTable, optionTable, shells } from '../../source/commands/command-table.js'
import { completions } from '../../source/commands/completions.js'
import { closestPath } from '../../source/commands/did-you-mean.js'
import { forStream } from '../../source/commands/for-stream.js'
import { Problem } from '../../source/problem.js'
import { registry } from '../../source/workflows/registry.js'

const read = (...argv: string[]) => readCommandLine(registry, argv)

function refusal(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    if (error instanceof Problem) return error
  }
  throw new Error('Nothing was refused.')
}

describe('a mistyped option', () => {
  it('is refused with the one that was probably meant', () => {
    const problem = refusal(() => read('spec.md', '--agnet', 'claude'))
    expect(problem.code).toBe('usage')
    expect(problem.todo).toContain('Did you mean --agent?')
    expect(refusal(() => read('--zzzzzzzz')).todo).toContain('--help')
  })

  it('that takes a value and has none is told, and so is what a command does not take', () => {
    for (const flag of ['--flow-file', '--workflow', '--as'])
      expect(refusal(() => read('_docs', flag)).what).toBe(`${flag} names nothing.`)
    expect(refusal(() => read('--json', 'status', 'this')).why).toContain('takes nothing behind it')
    expect(refusal(() => read('--json', 'inspect', 'one', 'two')).todo).toContain('Give one path')
  })

  it('of another command is told with whose it is, or with the one that was meant', () => {
    const fast = refusal(() => read('status', '--fast'))
    expect([fast.code, fast.what]).toEqual(['usage', '`autopilot status` takes no --fast.'])
    expect([fast.why, fast.todo]).toEqual(['It takes --json.', 'Leave it out: --fast is an option of a run.'])
    expect(refusal(() => read('completions', 'bash', '--plain')).why).toBe('It takes no options.')
    expect(refusal(() => read('docs/spec.md', '--as', 'plan')).todo).toContain('an option of inspect.')
    expect(refusal(() => read('statsu', '--json')).todo).toBe('Did you mean autopilot status --json?')
    expect(refusal(() => read('demo', '--agent', 'claude')).what).toContain('takes no --agent')
    // Every command takes its own, and what is taken back is not given.
    for (const { name, options, isRun } of commandTable)
      for (const option of [...options, ...(isRun ? ['fast'] : [])]) {
        const { type } = optionTable.find((row) => row.name === option) ?? { type: 'boolean' }
        const value = type === 'string' ? ['word'] : []
        expect(read(...(name ? [name] : []), `--${option}`, ...value).input).toEqual(name ? [name] : [])
      }
    expect(read('status', '--no-fast').flags).toEqual({})
  })

  it('is not what stands behind -- or takes a value', () => {
    expect(read('spec.md', '--agent=command:x --y').agent).toBe('command:x --y')
    expect(read('--no-json', 'status').json).toBe(false)
  })
})

describe('what was probably meant', () => {
  it('is a word with few letters wrong, or that begins so; else nothing', () => {
    const names = ['status', 'sessions', 'doctor']
    expect(closest('statsu', names)).toBe('status')
    expect(closest('Sesions', names)).toBe('sessions')
    expect(closest('doc', names)).toBe('doctor')
    expect(closest('banana', names)).toBeUndefined()
    expect(closest('', names)).toBeUndefined()
  })

  describe('as a path', () => {
    let dir = ''
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), 'meant-'))
      await mkdir(join(dir, 'docs/changes'), { recursive: true })
      await writeFile(join(dir, 'docs/changes/proposal.md'), '')
    })
    afterEach(async () => {
      await rm(dir, { recursive: true, force: true })
    })

    it('is found part by part', async () => {
      expect(await closestPath(dir, 'doc/chnages/propsal.md')).toBe('docs/changes/proposal.md')
      expect(await closestPath(dir, 'nothing/like/it.md')).toBeUndefined()
      expect(await closestPath(dir, 'docs/changes/proposal.md')).toBeUndefined()
    })
  })
})

describe('help and completions', () => {
  it('name every command and option, and break no word at any width', () => {
    const words = new Set(helpText(registry, 200).split(/\s+/))
    for (const columns of [60, 80, 100, 200]) {
      const help = helpText(registry, columns)
      expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThan(columns)
      expect(new Set(help.split(/\s+/))).toEqual(words)
    }
    for (const { usage } of registry) if (usage) expect(words).toContain(usage.argument.split(' ')[0])
    for (const { name } of optionTable) expect(words).toContain(`--${name}`)
    for (const { name } of commandTable) if (name !== '') expect(words).toContain(name)
  })

  it('help is what other programs call it, too', () => {
    const asking = [
      ['-h'],
      ['help'],
      ['demo', '-h'],
      ['--help'],
      ['status', '--help'],
      ['--version', '--help'],
    ]
    for (const argv of asking) expect(askedAbout(argv)).toBe('help')
    for (const argv of [['--version'], ['status', '--version']]) expect(askedAbout(argv)).toBe('version')
    for (const argv of [['docs/help.md'], ['help', 'me'], ['--', '--help'], []])
      expect(askedAbout(argv)).toBeUndefined()
  })

  it('exist for three shells, and no other', () => {
    for (const shell of shells) {
      const { output } = completions(registry, shell)
      expect(output).toContain('review')
      expect(output).toContain('doctor')
    }
    expect(refusal(() => completions(registry, 'fihs')).todo).toBe('Did you mean: autopilot completions fish')
    expect(refusal(() => completions(registry, undefined)).what).toBe('No shell was named.')
  })
})

it('breaks lines between words in a terminal only', () => {
  const text = `  ${'word '.repeat(30)}end`
  expect(forStream(text, {})).toBe(text)
  const rows = forStream(text, { isTTY: true, columns: 40 }).split('\n')
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(40)
  expect(rows.every((row) => row.startsWith('  '))).toBe(true)
  expect(rows.join(' ').split(/\s+/)).toEqual(text.split(/\s+/))
})
