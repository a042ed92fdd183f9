import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../source/problem.js'
import { sessionSlug } from '../../../source/workflows/harness/slug.js'

describe('sessionSlug', () => {
  test.each([
    ['docs/changes/mail-rules/proposal.md', 'changes--mail-rules--proposal'],
    ['docs/a.b.md', 'a--b'],
    ['specs/Mail.MD', 'specs--mail--md'],
    ['docs\\changes\\x.md', 'changes--x'],
    ['src/docs/x.md', 'src--docs--x'],
    ['a/..b/c.md', 'a------b--c'],
  ])('%s becomes %s', (path, slug) => {
    expect(sessionSlug(path)).toBe(slug)
  })

  test('a long path is cut and told apart by its hash', () => {
    const one = sessionSlug(`docs/${'ä'.repeat(150)}1.md`)
    const two = sessionSlug(`docs/${'ä'.repeat(150)}2.md`)
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(200)
    expect(one).toMatch(/^ä+-[0-9a-f]{8}$/)
    expect(one).not.toBe(two)
    expect(sessionSlug('x'.repeat(200))).toBe('x'.repeat(200))
    expect(sessionSlug('x'.repeat(201))).toMatch(/^x{191}-[0-9a-f]{8}$/)
  })

  test('what leaves nothing is refused', () => {
    for (const path of ['', '.', 'docs/.md', '/']) expect(() => sessionSlug(path)).toThrowError(Problem)
  })

  test('a slug is always one safe directory name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (path) => {
        try {
          const slug = sessionSlug(path)
          expect(slug).not.toMatch(/\.|\/|\\/)
          expect(slug.length).toBeGreaterThan(0)
          expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(200)
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' })
        }
      }),
    )
  })
})
