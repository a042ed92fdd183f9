import { describe, expect, it } from 'vitest'
import { createImageChain, type ImageChain } from '../../source/ledger/image-chain.js'
import type { Image, JournalRecord } from '../../source/ledger/journal.js'

const state = (count: number, filler = 'x'.repeat(8000)) => ({ count, filler })
const hash = (count: number) => `hash ${count}`

function record(image: Image): JournalRecord {
  const header = {
    v: 2,
    id: image.after,
    rev: 1,
    epoch: 1,
    lockId: 'l',
    at: '2030-04-03T09:00:00.000Z',
  } as const
  return { ...header, type: 'update', visit: 1, key: image.after, image }
}

/** Appends the states one after the other, as a session does; returns their records. */
function write(
  chain: ImageChain,
  counts: readonly number[],
  stateOf: (count: number) => object = (count) => state(count),
): JournalRecord[] {
  return counts.map((count) => {
    const before = (chain.last?.image.after as string | undefined) ?? null
    const next = stateOf(count)
    const image = chain.next(before, { hash: hash(count), bytes: JSON.stringify(next).length, state: next })
    const written = JSON.parse(JSON.stringify(record(image))) as JournalRecord
    chain.take(written)
    return written
  })
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const isFull = (one: JournalRecord) => 'image' in one && one.image !== undefined && 'state' in one.image

describe('images', () => {
  it('are patches, with a full one at least every hundred', () => {
    const written = write(createImageChain(), numbers(350))
    const full = written.flatMap((one, index) => (isFull(one) ? [index] : []))
    expect(full).toEqual([0, 100, 200, 300])
    const again = createImageChain()
    for (const one of written) again.take(one)
    expect(again.state).toEqual(state(350))
  })

  it('are full again as soon as the patches would be longer than the state', () => {
    const stateOf = (count: number) => ({ text: `${count}`.repeat(300), rest: 'x'.repeat(1000) })
    const written = write(createImageChain(), numbers(12), stateOf)
    const whole = JSON.stringify(stateOf(1)).length
    let patches = 0
    for (const one of written) {
      if (isFull(one)) patches = 0
      else
        patches += JSON.stringify(
          'image' in one && one.image && 'patch' in one.image && one.image.patch,
        ).length
      expect(patches).toBeLessThanOrEqual(2 * whole)
    }
    expect(written.filter(isFull).length).toBeGreaterThan(2)
  })

  it('roll forward from every point since the last full one', () => {
    const chain = createImageChain()
    write(chain, numbers(8))
    for (let count = 1; count < 8; count += 1)
      expect(chain.rollForward(hash(count), state(count)), `from ${count}`).toEqual(state(8))
    expect(chain.rollForward('another', state(3))).toBeUndefined()
    expect(chain.knows(hash(5))).toBe(true)
    expect(chain.knows('another')).toBe(false)
  })

  it('tell no state behind a lost line, roll forward from one that is known, and begin anew with a full one', () => {
    const written = write(createImageChain(), numbers(6))
    const chain = createImageChain()
    for (const [index, one] of written.entries()) if (index !== 3) chain.take(one)
    expect(chain.state).toBeUndefined()
    expect(chain.last?.image.after).toBe(hash(6))
    expect(chain.rollForward(hash(4), state(4))).toEqual(state(6))
    const [next] = write(chain, [7])
    expect(next && isFull(next)).toBe(true)
    expect(chain.state).toEqual(state(7))
  })
})
