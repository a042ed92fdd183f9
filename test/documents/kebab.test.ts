import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kebab, planNameMatches } from '../../source/documents/kebab.js'

describe('kebab', () => {
  it.each([
    ['Rule parser', 'rule-parser'],
    ['UI & `cli` (first part) — draft', 'ui-cli-first-part-draft'],
    ['  Über/Größe: 2.0 ', 'uber-große-2-0'],
    ['日本', '日本'],
    ['—', 'phase'],
    ['', 'phase'],
  ])('%s', (name, expected) => {
    expect(kebab(name)).toBe(expected)
  })

  it('is always a safe part of a file name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(kebab(name)).toMatch(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u)
        expect([...kebab(name)].length).toBeLessThanOrEqual(80)
        expect(kebab(kebab(name))).toBe(kebab(name))
      }),
    )
  })
})

describe('names of plan files', () => {
  it.each([
    ['2030-04-02-rule-parser-plan.md', true],
    ['docs/plans/Rule_Parser.md', true],
    ['2030-04-02-phase-1-plan.md', true],
    ['phase1.md', true],
    ['Phase_01.md', true],
    ['rule-parsers.md', false],
    ['phase-10.md', false],
    ['phase-1.5.md', false],
    ['phase-1b.md', false],
    ['phase-2-plan.md', false],
    ['metaphase-1.md', false],
    ['plan.md', false],
  ])('%s: %s', (file, matches) => {
    expect(planNameMatches(file, 'Rule parser', 1)).toBe(matches)
  })
})
