import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { patternsIn, superLinearIn } from '../support/pattern-check.js'

// No pattern may take more than linear time on a text of another hand (docs/harness.md, "Reading Markdown").

const root = new URL('../../source/', import.meta.url)

const rehearsal = 'the rehearsal reads only what it wrote itself'
const gitFile = "a line of a file of the user's own Git, which is never long"

/** Patterns that the check doubts, by file and the beginning of their text, and why they stay. */
const allowed: Record<string, string> = {
  'agents/result.ts ^\\s*(`{3,}': 'what follows the marks takes anything, so that the first try succeeds',
  'agents/result.ts  (?:in JSON )?at position': 'the words of the JSON parser, not of an agent',
  'documents/lifecycle-state.ts ^([\\p{L}\\p{N}]':
    'one line; what follows the label takes anything or fails at once',
  'project/git-config.ts ^gitdir: ': gitFile,
  'project/git-config.ts ^\\[\\s*': gitFile,
  'project/git-config.ts ^([A-Za-z]': gitFile,
  'project/git-config.ts (?:^|[^\\\\])': gitFile,
  'project/secrets.ts -----BEGIN': 'each round ends in a blank, which nothing in it takes',
  'ui/text-edit.ts \\S*\\s*$': 'a line that a person types',
  'rehearsal/harness/plan-text.ts ^-+|': rehearsal,
  'rehearsal/harness/plan-text.ts ^#{2,4}': rehearsal,
  'rehearsal/harness/plan-text.ts \\[checkpoint': rehearsal,
  'rehearsal/harness/plan-text.ts ^\\*\\*Options': rehearsal,
  'workflows/harness/inspectors.ts ^\\uFEFF?---': 'each round ends in a newline, which nothing in it takes',
  'workflows/harness/artifacts/scratchpad.ts ^[-.]+': 'a name of which runs were made one sign before',
}

describe('the check', () => {
  it.each([
    '(a+)+b',
    '^(?:\\w+\\s?)*$',
    '^(?:.*\\r?\\n)*x',
    '\\s+$',
    '\\s*\\n\\s*',
    '^a\\s*(?:b)?\\s*$',
    '^.*.*x',
    '(\\d+)/',
    '^(?:(a|b)*c*)*d',
  ])('doubts /%s/', (source) => {
    expect(superLinearIn({ source, flags: '' })).not.toEqual([])
  })

  it.each([
    '^\\d+(?:\\.\\d+)*$',
    '\\s+',
    '^\\s*#',
    '^[^:]*:\\s*',
    'a{1,9}b',
    '^(?:-{3,}|={3,})$',
    '(?<=a)b*',
    '^(?:ab)*c',
  ])('lets /%s/ pass', (source) => {
    expect(superLinearIn({ source, flags: '' })).toEqual([])
  })

  it('reads literals and fixed texts of RegExp', () => {
    const text =
      'const a = /x+y/gi; const b = new RegExp("^z", "u"); const c = new RegExp(String.raw`HOLE\\d`)'.replace(
        'HOLE',
        ['$', '{a}'].join(''),
      )
    expect(patternsIn('a.ts', text)).toEqual([
      { line: 1, source: 'x+y', flags: 'gi' },
      { line: 1, source: '^z', flags: 'u' },
      { line: 1, source: '(?:ab)\\d', flags: '' },
    ])
  })
})

it('no pattern of source/ is super-linear', { timeout: 120_000 }, () => {
  const used = new Set<string>()
  const doubted: string[] = []
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue
    for (const pattern of patternsIn(name, readFileSync(new URL(name, root), 'utf8'))) {
      const said = superLinearIn(pattern)
      if (said.length === 0) continue
      const key = Object.keys(allowed).find((each) => `${name} ${pattern.source}`.startsWith(each))
      if (key === undefined) doubted.push(`${name}:${pattern.line} ${said.join(', ')}: /${pattern.source}/`)
      else used.add(key)
    }
  }
  expect(doubted).toEqual([])
  expect(Object.keys(allowed).filter((key) => !used.has(key))).toEqual([])
})
