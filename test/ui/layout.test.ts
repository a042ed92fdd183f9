import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textWidth } from '../../source/terminal/width.js'
import { hintLine } from '../../source/ui/components/hints.js'
import { divide } from '../../source/ui/layout/boxes.js'
import { phaseLines, phaseSummary, phasesDone, stepsLine } from '../../source/ui/layout/pipeline.js'
import { menuLines } from '../../source/ui/layout/question.js'
import { runHints } from '../../source/ui/layout/run-hints.js'
import { isTooSmall, planRun } from '../../source/ui/layout/run-plan.js'
import { taskCount } from '../../source/ui/layout/tasks.js'
import { createTheme } from '../../source/ui/theme.js'
import { questionOf, snapshotOf } from './fixtures.js'

describe('boxes', () => {
  it('share rows by their weights, after what each needs at least', () => {
    const box = (least: number, most: number, weight: number) => ({ least, most, weight })
    expect(divide(10, { one: box(0, 99, 1), other: box(0, 99, 4) })).toEqual({ one: 2, other: 8 })
    // What one cannot fill the other gets.
    expect(divide(10, { one: box(0, 3, 4), other: box(0, 99, 1) })).toEqual({ one: 3, other: 7 })
    expect(divide(3, { one: box(2, 9, 1), other: box(2, 9, 9) })).toEqual({ one: 2, other: 1 })
    expect(divide(9, { one: box(1, 2, 1), other: box(1, 2, 1) })).toEqual({ one: 2, other: 2 })
    expect(divide(-3, { one: box(1, 2, 1) })).toEqual({ one: 0 })
  })

  it('lose no row that somebody can fill, and give nobody more than that', () => {
    const box = fc.record({ least: fc.nat(5), most: fc.nat(60), weight: fc.integer({ min: 1, max: 9 }) })
    fc.assert(
      fc.property(fc.nat(120), fc.record({ a: box, b: box, c: box }), (room, boxes) => {
        const given = divide(room, boxes)
        const sum = given.a + given.b + given.c
        expect(sum).toBe(Math.min(room, boxes.a.most + boxes.b.most + boxes.c.most))
        for (const name of ['a', 'b', 'c'] as const) expect(given[name]).toBeLessThanOrEqual(boxes[name].most)
      }),
    )
  })
})

describe('the run screen', () => {
  it('divides every size without a terminal: no row twice, none beyond the screen', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 250 }),
        fc.integer({ min: 15, max: 90 }),
        fc.option(fc.integer({ min: 4, max: 70 }), { nil: undefined }),
        fc.boolean(),
        (columns, rows, wish, banner) => {
          const snapshot = snapshotOf(banner ? { banner: 'x' } : {})
          const asked =
            wish === undefined ? undefined : { rows: wish, isCut: (height: number) => height < wish }
          const plan = planRun(snapshot, { columns, rows }, asked)
          expect(isTooSmall({ columns, rows })).toBe(false)
          expect(plan.header + plan.banner + plan.middle + plan.panel + 1).toBe(rows - 1)
          for (const part of [plan.panel, plan.middle, plan.main, plan.phases, plan.steps, plan.tasks])
            expect(part).toBeGreaterThanOrEqual(0)
          const heads = plan.phases + plan.tasks > 0 ? 2 : 0
          const listed = plan.phases + plan.steps + plan.tasks + heads + plan.summary
          if (plan.sideWidth > 0) {
            expect(listed).toBeLessThanOrEqual(plan.middle)
            expect(plan.main).toBe(plan.middle)
          } else expect(listed + plan.main).toBe(plan.middle)
        },
      ),
    )
  })
})

it('beside the agents all steps of a phase are seen before a row stays blank', () => {
  const base = snapshotOf()
  const snapshot = { ...base, tasks: base.tasks.slice(0, 2) }
  const { phases, steps } = snapshot.view
  for (let rows = 20; rows < 60; rows += 1) {
    const plan = planRun(snapshot, { columns: 120, rows }, undefined)
    if (plan.sideWidth === 0) continue
    if (plan.tasks > snapshot.tasks.length)
      expect([plan.phases, plan.steps]).toEqual([phases.length, steps.length])
    expect(plan.phases + plan.steps + plan.tasks + 2).toBe(plan.middle)
  }
})

it('says of phases and tasks alike how many are done', () => {
  const { view, tasks } = snapshotOf()
  expect(phasesDone(view)).toBe('1 of 4 done, 1 skipped')
  expect(taskCount(tasks)).toBe('1 of 4 done')
})

describe('the steps of a phase on one line', () => {
  const names = ['PREFLIGHT', 'RESEARCH', 'PLAN', 'EXECUTE', 'VERIFY', 'JUDGE', 'RATE']
  const text = (statuses: readonly ('done' | 'current' | 'todo')[]) =>
    stepsLine(
      names.map((name, index) => ({ id: name, name, status: statuses[index] ?? 'todo' })),
      30,
      createTheme(true),
    )
      .map((span) => span.text)
      .join('')

  it('show where the phase stands, also between two of them', () => {
    expect(text(['done', 'done', 'done', 'done', 'current'])).toContain('[VERIFY]')
    expect(text(['done', 'done', 'done', 'done', 'done'])).toContain('VERIFY')
    expect(text(names.map(() => 'done'))).toContain('RATE')
    expect(text([])).toContain('PREFLIGHT')
  })
})

describe('the list of phases', () => {
  const facts = (...texts: string[]) => texts.map((text) => ({ text, tone: 'plain' as const }))
  const view = (first: readonly { text: string; tone: 'plain' }[], name = 'Plant list') => ({
    ...snapshotOf().view,
    phases: [
      { id: '1', name, status: 'in-progress' as const, facts: first },
      { id: '2', name: 'Watering week', status: 'pending' as const, facts: facts('medium') },
    ],
    currentPhase: '1',
  })
  const usage = new Map([['1', { inputTokens: 7000, outputTokens: 900 }]])
  const drawn = (shown: ReturnType<typeof view>, width: number) =>
    phaseLines({ view: shown, phaseUsage: usage }, width, 2, createTheme(true)).map((row) =>
      row.map(({ text }) => text).join(''),
    )

  it('cuts a column that is long in one row, and drops none that has room in the others', () => {
    const long = facts('low', 'claimed', 'shown', 'tested', 'verified')
    for (const width of [46, 60, 119]) {
      const [first = '', second = ''] = drawn(view(long), width)
      // A fact stands there whole or not at all, and what is known last before what was known first.
      expect(first).toMatch(
        /^● 1 Plant list +in progress {2}(?:(?:low|claimed|shown|tested) · )*verified +7\.9k$/,
      )
      expect(second).toMatch(/^○ 2 Watering week +pending +medium/)
      expect(textWidth(first)).toBeLessThanOrEqual(width)
    }
  })

  it('gives up a blank between the last columns where that shows every name whole, and no more than that', () => {
    const [, second = ''] = drawn(view(facts('low')), 37)
    expect(second).toBe('○ 2 Watering week  pending     medium')
    expect(drawn(view(facts('low')), 36)[1]).toBe('○ 2 Watering w…  pending      medium')
    expect(drawn(view(facts('low')), 38)[1]).toBe('○ 2 Watering week  pending      medium')
  })

  it('cuts long names before a column goes, and drops the last columns first', () => {
    const name = 'A phase whose name is as long as a sentence that somebody wrote in a hurry'
    expect(drawn(view(facts('low'), name), 79)[0]).toMatch(
      /^● 1 A phase whose .*… {2}in progress {2}low +7\.9k$/,
    )
    expect(drawn(view(facts('low'), name), 42)[0]).toMatch(/^● 1 A phase .*… {2}in progress {2}low$/)
    expect(drawn(view(facts('low'), name), 28)[0]).toMatch(/^● 1 A ph.*… {2}in progress$/)
  })
})

describe('the hints', () => {
  it('tell how to stop and where help is at any width, whatever is asked', () => {
    const asking = snapshotOf({
      question: { ...questionOf('Q-REVIEW'), evidence: [{ id: 'x', kind: 'text', title: 'x' }] },
    })
    const snapshots = [asking, snapshotOf(), snapshotOf({ panes: [] })]
    for (const snapshot of snapshots) {
      for (const mode of ['menu', 'evidence'] as const) {
        for (const width of [59, 79, 119]) {
          const hints = runHints(snapshot, mode)
          const text = hintLine(hints, width, createTheme(true))
            .map((span) => span.text)
            .join('')
          expect(text).toContain('q stop')
          expect(text).toContain('? help')
          expect(textWidth(text)).toBeLessThanOrEqual(width)
          // What is shown stands in the order of the whole.
          const shown = hints.filter(({ key, word }) => text.includes(`${key} ${word}`))
          expect(shown.map(({ key, word }) => `${key} ${word}`).join('  ')).toBe(text)
        }
      }
    }
  })
})

describe('the options of a gate', () => {
  const drawn = (gate: string, index: number, [width, height]: [number, number]) =>
    menuLines(
      questionOf(gate),
      { width, height, theme: createTheme(true) },
      { index, armed: true, bodyTop: 0, now: 0 },
    ).map((row) => row.map(({ text }) => text).join(''))

  it('are never cut within a part of what they say, however few rows there are', () => {
    for (const height of [9, 10, 11, 12, 14, 20]) {
      for (const index of [0, 1, 2, 3, 4]) {
        const rows = drawn('Q-TOUCHED', index, [59, height])
        expect(rows.every((row) => textWidth(row) <= 59)).toBe(true)
        const all = rows.join('\n')
        // The lit one is told whole, the beginning of the others ends where something has been said.
        const { label, consequence } = questionOf('Q-TOUCHED').options[index] as {
          label: string
          consequence: string
        }
        expect(all.replace(/\s+/g, ' ')).toContain(label)
        if (height >= 10) expect(all.replace(/\s+/g, ' ')).toContain(consequence)
        const cut = rows
          .filter((row) => /^[ ❯] \d .*…$/.test(row))
          .map((row) => row.replace(/^.{7}/, '').trim())
        for (const row of cut) expect(parts).toContain(row.replace(/ {2,}/g, '  ').replace(further, '$1…'))
      }
    }
  })

  it('that have no room are counted, and those around the lit one are shown', () => {
    const rows = drawn('Q-TOUCHED', 4, [59, 7])
    expect(rows.at(-1)).toContain('option 5 of 5')
    expect(rows.join('\n')).toMatch(/❯ 5 e {2}stop/)
  })
})

/** Two options begin with the same part, which alone would tell nobody which of them to take. */
const further = /^((?:mine, keep|accept) {2}it stays); .*…$/

const parts = [
  'put back  recommended: exactly these…',
  'put back  recommended…',
  'put back, and the same for the rest of this run  …',
  'put back, and the same for the rest of this run…',
  'mine, keep  it stays…',
  'accept  it stays…',
  'stop  saves the state and ends…',
]

describe('a phase on one line', () => {
  const { view } = snapshotOf()
  const said = (statuses: readonly (typeof view.phases)[number]['status'][], currentPhase?: string) => {
    const phases = statuses.map((status, index) => ({
      id: String(index + 1),
      name: `Part ${index + 1}`,
      status,
      facts: [],
    }))
    const { currentPhase: _, ...rest } = view
    const shown = { ...rest, phases, ...(currentPhase === undefined ? {} : { currentPhase }) }
    return phaseSummary(shown, 60, createTheme(true))
      .map(({ text }) => text)
      .join('')
  }

  it('is none of those that are done where nothing has begun and others are left', () => {
    expect(said(['pending', 'pending', 'complete'])).toMatch(/3 phases, 1 done\s*$/)
    expect(said(['pending', 'pending', 'pending'])).toMatch(/3 phases, none begun\s*$/)
  })

  it('is the one in work, and at the end the last one', () => {
    expect(said(['complete', 'pending'], '2')).toContain('Phase 2/2: Part 2')
    expect(said(['in-progress', 'pending'])).toContain('Phase 1/2: Part 1')
    expect(said(['complete', 'complete'])).toContain('Phase 2/2: Part 2')
  })
})
