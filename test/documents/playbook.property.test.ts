import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { criterionOf } from '../../source/documents/playbook-criterion.js'
import { readPlaybookPlan } from '../../source/documents/playbook-plan.js'
import { readPlaybookRoadmap } from '../../source/documents/playbook-roadmap.js'

// Roadmaps and plans of any bytes: read without a crash, and what is read holds together.

const roadmapPieces = fc.constantFrom(
  '# Roadmap: v2 Complete Rewrite',
  '## Milestone v1 (shipped)',
  '<details>',
  '<summary>✅ v1 Open Source — SHIPPED 2030-01-01</summary>',
  '</details>',
  '- [x] **Phase 1: Store** - keeps things',
  '- [ ] **Phase 2.1: Net (INSERTED)**',
  '  - Depends on: Phase 1',
  '  - [ ] 02.1-01-PLAN.md — wires',
  '### Phase 1: Store ✅',
  '### Phase 2.1: Net (INSERTED)',
  '## Phase 12A — Docs',
  '### Phase 999.1: Later',
  '### ~~Phase 3: Gone~~',
  '#### Plan 1.1: Part',
  '**Goal**: It works',
  '*Goal: In italics*',
  '**Goal**：能用',
  '**Depends on**: Phase 1, Phases 2-4 | **Unlocks:** Phase 9',
  '- **Success Criteria**: one',
  '**Success Criteria** (what must be TRUE):',
  '  1. First',
  '- **Tasks**:',
  '**Plans**: 2 plans — 01-01, 01-02b',
  'Plans:',
  '- [x] 01-01-PLAN.md — a',
  '**Wave 2**',
  '| 1. Store | 2/2 | Complete | 2030-01-01 |',
  '```',
  '<!--',
  '-->',
  '',
)
const planPieces = fc.constantFrom(
  '---',
  'phase: 02-store',
  'wave: 2',
  'depends_on: ["02-01"]',
  '<tasks>',
  '<task type="auto" tdd="true">',
  '<task id="02-07" type="checkpoint:human-verify" gate="blocking">',
  '  <name>Task 1: Dig</name>',
  '  <files>src/a.ts, public/Price list.pdf</files>',
  '  <action>',
  '<div>{a && b}</div>',
  '  </action>',
  '  <verify><automated>npm test &amp;&amp; ls</automated></verify>',
  '- `grep -c a b` returns `1`',
  '  <done>Dug</done>',
  '</task>',
  '</tasks>',
  '## Wave 2',
  '### Task 2: Plant',
  '### T3: Water',
  '- [ ] **Task 4: Cut**',
  '**Files:** `a.ts`',
  '**Acceptance Criteria:**',
  '- x -- verified by: `npm test` (returns 0)',
  '<feature>',
  '### 02-05 — Sell',
  '## Plans',
  '   - ```ts',
  '```',
  '<!--',
  '-->',
  '',
)

const textsOf = (pieces: fc.Arbitrary<string>) =>
  fc.oneof(
    fc
      .array(
        fc.oneof({ weight: 7, arbitrary: pieces }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) }),
        { maxLength: 40 },
      )
      .map((lines) => lines.join('\n')),
    fc.string({ unit: 'binary', maxLength: 400 }),
  )

const withCrLf = (text: string) => `\uFEFF${text.replaceAll(/\r?\n/g, '\r\n')}`

describe('roadmaps of any bytes', () => {
  it('have phases of different ids, an order of some of them, and lines that are there', () => {
    fc.assert(
      fc.property(textsOf(roadmapPieces), (text) => {
        const { phases, order } = readPlaybookRoadmap(text)
        const ids = phases.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(new Set(order).size).toBe(order.length)
        const lines = text.split(/\r\n|\r|\n/).length
        for (const { id, line, dependsOn, shipped, checkbox } of phases) {
          expect(line).toBeGreaterThan(0)
          expect(line).toBeLessThanOrEqual(lines)
          expect(dependsOn).not.toContain(id)
          if (shipped || checkbox === 'done') expect(order).not.toContain(id)
        }
        for (const id of order) expect(ids).toContain(id)
      }),
      { numRuns: 1500 },
    )
  })

  it('are the same with other line ends and a byte order mark', () => {
    fc.assert(
      fc.property(
        fc.array(roadmapPieces, { maxLength: 40 }).map((lines) => lines.join('\n')),
        (text) => {
          expect(readPlaybookRoadmap(withCrLf(text))).toEqual(readPlaybookRoadmap(text))
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('plans of any bytes', () => {
  it('have tasks of different ids that stand in one wave each', () => {
    fc.assert(
      fc.property(textsOf(planPieces), (text) => {
        const { tasks, waves } = readPlaybookPlan(text, { phase: '2', plan: '3', taken: ['02-07'] })
        const ids = tasks.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(waves.flat().sort()).toEqual([...ids].sort())
        for (const { line, endLine, criteria } of tasks) {
          expect(endLine).toBeGreaterThanOrEqual(line)
          for (const { kind, expectation } of criteria)
            expect(expectation === null).toBe(kind === 'unproven' || kind === 'behavioral')
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('are the same with other line ends and a byte order mark', () => {
    fc.assert(
      fc.property(
        fc.array(planPieces, { maxLength: 40 }).map((lines) => lines.join('\n')),
        (text) => {
          expect(readPlaybookPlan(withCrLf(text))).toEqual(readPlaybookPlan(text))
        },
      ),
      { numRuns: 400 },
    )
  })
})

it('a criterion of any characters is read, and only what is quoted in it is a command', () => {
  const words = fc.constantFrom(
    '`npm test`',
    '`grep -c a b`',
    '`test -f a`',
    '`1`',
    '`',
    'returns',
    'at least',
    'passes',
    'non-zero',
    '-- verified by:',
    '(no match)',
    'exists',
    'and',
  )
  const items = fc.oneof(
    fc
      .array(fc.oneof(words, fc.string({ unit: 'grapheme' })), { maxLength: 12 })
      .map((parts) => parts.join(' ')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(items, (item) => {
      const { commands, kind, expectation } = criterionOf(item)
      expect(expectation === null).toBe(kind === 'unproven' || kind === 'behavioral')
      for (const command of commands) expect(item).toContain(command)
    }),
    { numRuns: 2000 },
  )
})
