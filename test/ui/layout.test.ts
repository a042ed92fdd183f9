import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divide } from '../../source/ui/layout/boxes.js'
import { stepsLine } from '../../source/ui/layout/pipeline.js'
import { isTooSmall, planRun } from '../../source/ui/layout/run-plan.js'
import { createTheme } from '../../source/ui/theme.js'
import { snapshotOf } from './fixtures.js'

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
