import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLineRing, type PaneBlock, type PaneLine } from '../../source/view/panes.js'

const line = (number: number): PaneLine => ({ kind: 'text', text: `line ${number}` })

function block(first: number, count: number): PaneBlock {
  const lines = Array.from({ length: count }, (_, index) => line(first + index))
  return { count, slice: (from, to) => lines.slice(from, to), includes: () => false }
}

it('a ring keeps the newest lines, whether they come alone or together', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(9), { maxLength: 400 }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(50),
      fc.nat(50),
      (counts, capacity, from, to) => {
        const ring = createLineRing(capacity)
        const all: PaneLine[] = []
        for (const count of counts) {
          ring.push(count === 0 ? line(all.length) : block(all.length, count))
          for (let added = 0; added < Math.max(1, count); added += 1) all.push(line(all.length))
        }
        const kept = all.slice(-capacity)
        expect(ring.total).toBe(all.length)
        expect(ring.length).toBe(kept.length)
        expect(ring.slice(0, capacity)).toEqual(kept)
        expect(ring.slice(from, to)).toEqual(kept.slice(from, to))
      },
    ),
  )
})

it('a ring lets go of what nobody can see any more', () => {
  const ring = createLineRing(100)
  let made = 0
  for (let count = 0; count < 1000; count += 1) {
    const lines = block(count * 50, 50)
    ring.push({
      count: 50,
      slice(from, to) {
        made += to - from
        return lines.slice(from, to)
      },
      includes: () => false,
    })
  }
  expect(ring.slice(0, 100)).toHaveLength(100)
  expect(made).toBe(100)
})
