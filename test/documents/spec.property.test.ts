import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSpec, readSpecAt } from '../../source/documents/spec.js'

const pieces = fc.constantFrom(
  '## Implementation Order',
  '### implementation order (x)',
  '### Phase 1: Name one',
  '### Phase 2: Name two <!-- complexity: high -->',
  '#### Wave A — Other',
  '**Phase 3 — Bold.** text',
  '- **Phase 4:** Late name. text',
  '1. **Phase 5 — Numbered.**',
  '1. item',
  '| # | n |',
  '|---|---|',
  '| 1 | Row |',
  '```',
  '~~~~',
  '<!-- complexity: low -->',
  '# Title',
  '',
  '   ',
  'prose',
)
const documents = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: pieces }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) }),
    { maxLength: 40 },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((ending) => lines.join(ending)))

function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r?\n/)
}

describe('any text', () => {
  it('is read without a crash, with line numbers that are right', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const lines = linesOf(text)
        const reading = readSpec(text)
        reading.phases.forEach((phase, index) => {
          expect(phase.number).toBe(index + 1)
          expect(lines[phase.line - 1]).toContain(phase.name)
        })
        for (const phase of reading.alternative ?? []) expect(lines[phase.line - 1]).toContain(phase.id)
        for (const unused of reading.unused)
          expect(lines[unused.line - 1]).toContain(unused.text.replace(/^#+ /, ''))
        for (const heading of reading.headings) expect(lines[heading.line - 1]).toContain(heading.title)
        if (reading.section) expect(lines[reading.section.line - 1]).toContain(reading.section.title)
        expect(reading.reading === 'none').toBe(reading.phases.length === 0)
      }),
      { numRuns: 2000 },
    )
  })

  it('of any characters does not crash, at any chosen line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer(), (text, line) => {
        expect(readSpec(`## Implementation Order\n${text}`).section?.line).toBe(1)
        expect(readSpecAt(text, line).phases.length).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('of phases written literally is read back equal', () => {
    const name = fc.stringMatching(/^[A-Za-z`(][A-Za-z0-9 &+/()`.,–—-]{0,30}[a-z)`]$/)
    const phase = fc.record({ name, complexity: fc.constantFrom('low', 'medium', 'high') })
    fc.assert(
      fc.property(fc.array(phase, { minLength: 1, maxLength: 6 }), fc.boolean(), (written, inHeading) => {
        const blocks = written.map(({ name, complexity }, index) => {
          const comment = `<!-- complexity: ${complexity} -->`
          return inHeading
            ? `### Phase ${index + 1}: ${name} ${comment}\n\nText.\n`
            : `### Phase ${index + 1}: ${name}\n\n${comment}\n\nText.\n`
        })
        const reading = readSpec(`# T\n\n## Implementation Order\n\n${blocks.join('\n')}`)
        expect(reading.reading).toBe('literal')
        expect(reading.phases.map(({ name, complexity }) => ({ name, complexity }))).toEqual(written)
      }),
    )
  })
})
