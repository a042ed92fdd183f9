import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Finding, readReview, severityOf, writeReview } from '../../source/documents/review.js'

function read(value: unknown): Finding[] {
  const reading = readReview(JSON.stringify(value))
  if ('unreadable' in reading) throw new Error(reading.unreadable)
  return reading.findings
}

describe('severity', () => {
  it.each([
    ['critical', 'blocking'],
    ['BLOCKING', 'blocking'],
    ['Important', 'warning'],
    ['warning', 'warning'],
    ['suggestion', 'note'],
    [' note ', 'note'],
    ['nitpick', 'blocking'],
    ['', 'blocking'],
  ])('%j is %s', (word, severity) => {
    expect(severityOf(word)).toBe(severity)
  })
})

describe('review files', () => {
  it('read a list, or an object with findings, in any shape that was seen', () => {
    const findings = [
      { severity: 'warning', file: 'src/rules.ts', line: 14, title: 'Loop', rawSeverity: 'important' },
      { severity: 'CRITICAL', file: 'a.ts', lineRange: [3, 9], title: 'T', detail: 'D', id: 'x', fix: 'f' },
      { severity: 'note', file: 'b.ts:12-15', title: 'N' },
      { file: 'c.ts', line: '7', message: 'M' },
    ]
    const expected = [
      { severity: 'warning', file: 'src/rules.ts', line: 14, title: 'Loop', rawSeverity: 'important' },
      {
        severity: 'blocking',
        file: 'a.ts',
        line: [3, 9],
        title: 'T',
        rationale: 'D',
        rawSeverity: 'CRITICAL',
        id: 'x',
        fix: 'f',
      },
      { severity: 'note', file: 'b.ts', line: [12, 15], title: 'N' },
      { severity: 'blocking', file: 'c.ts', line: 7, title: 'M' },
    ]
    expect(read(findings)).toEqual(expected)
    expect(read({ findings })).toEqual(expected)
    expect(read([])).toEqual([])
  })

  it.each(['', '{', '{}', 'null', '"none"', '[1]', '["text"]', '[{}]', '{"findings": {}}'])(
    '%j is unreadable, which is not empty',
    (text) => {
      expect(readReview(text)).toHaveProperty('unreadable')
    },
  )

  it('read back equal what was written', () => {
    const finding: fc.Arbitrary<Finding> = fc.record(
      {
        severity: fc.constantFrom('blocking' as const, 'warning' as const, 'note' as const),
        file: fc.constantFrom('src/a.ts', 'b', ''),
        line: fc.oneof(fc.nat(), fc.constant(null), fc.tuple(fc.nat(9), fc.integer({ min: 10, max: 20 }))),
        title: fc.string().filter((title) => title.trim() !== ''),
        rationale: fc.string(),
        rawSeverity: fc.constantFrom('important', 'critical'),
      },
      { requiredKeys: ['severity', 'file', 'line', 'title'] },
    )
    fc.assert(
      fc.property(fc.array(finding), (findings) => {
        expect(read(JSON.parse(writeReview(findings)))).toEqual(findings)
      }),
    )
  })
})
