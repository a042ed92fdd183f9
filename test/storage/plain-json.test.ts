import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonCodec } from '../../source/storage/json-codec.js'
import { asParsed } from '../../source/storage/plain-json.js'
import { bytesOfPlain } from '../../source/storage/state-bytes.js'

const notes = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, of: [{ words: `of ${id}` }] }))

describe('what is as it was', () => {
  it('is the same object as before, and only what differs is another one', () => {
    const before = asParsed({ at: 'A', list: notes(100), deep: { a: { b: [1, 2] }, c: 'x' } }) as Told
    const after = asParsed(
      { at: 'B', list: notes(100).with(40, { id: 40, of: [] }), deep: { a: { b: [1, 2] }, c: 'x' } },
      before,
    ) as Told
    expect(after).not.toBe(before)
    expect(after.deep).toBe(before.deep)
    expect(after.list.map((note, at) => note === before.list[at])).toEqual(
      Array.from({ length: 100 }, (_, at) => at !== 40),
    )
    expect(asParsed(structuredClone(before), before)).toBe(before)
  })

  it('is told from what has other keys, another order of them, more, fewer or moved elements', () => {
    const before = asParsed({ a: { x: 1, y: 2 }, list: [1, [2], { z: 3 }] })
    const others = [
      { a: { y: 2, x: 1 }, list: [1, [2], { z: 3 }] },
      { a: { x: 1 }, list: [1, [2], { z: 3 }] },
      { a: { x: 1, y: 2, w: undefined, v: 0 }, list: [1, [2]] },
      { a: { x: 1, y: -0 }, list: [1, [2], { z: 3 }, 4] },
      { list: [[2], 1, { z: 3 }], a: { x: 1, y: 2 } },
      { a: [], list: {} },
    ]
    for (const other of others)
      expect(JSON.stringify(asParsed(other, before))).toBe(JSON.stringify(asParsed(other)))
  })

  it('is taken over from nothing that somebody else has made', () => {
    const mine = { list: [{ a: 1 }] }
    expect((asParsed({ list: [{ a: 1 }] }, mine) as typeof mine).list).not.toBe(mine.list)
  })

  it('cannot be changed by whoever was given it', () => {
    const given = asParsed({ list: [{ a: 1 }] }) as { list: { a: number }[] }
    expect(() => given.list.push({ a: 2 })).toThrow(TypeError)
    expect(() => Object.assign(given.list[0] ?? {}, { a: 3 })).toThrow(TypeError)
    const next = asParsed({ list: [{ a: 1 }, { a: 2 }] }, given) as { list: { a: number }[] }
    expect(() => next.list.pop()).toThrow(TypeError)
  })
})

interface Told {
  deep: object
  list: object[]
}

describe('bytes', () => {
  it('of one state after another are those of JSON, whatever was the same before', () => {
    const part = fc.oneof(
      fc.jsonValue({ noUnicodeString: false }),
      fc.constant(notes(70)),
      fc.constant(notes(33)),
    )
    const state = fc.dictionary(fc.constantFrom('a', 'b', 'c d', '"'), part)
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 4 }), fc.nat(69), (states, changed) => {
        const list = notes(70)
        let before: object | undefined
        for (const [at, one] of [...states, ...states].entries()) {
          const whole = { ...one, list: list.with(changed, { id: -at, of: [] }) }
          if (JSON.stringify(whole).includes('__proto__')) return
          const next = asParsed(whole, before)
          expect(bytesOfPlain(next).toString('utf8')).toBe(`${JSON.stringify(whole, null, 2)}\n`)
          before = next
        }
      }),
    )
  })
})

describe('a state that is saved', () => {
  it('shares with the one before what its schema leaves as it is', () => {
    const codec = jsonCodec(z.object({ at: z.string(), tasks: z.array(z.object({ id: z.number() })) }))
    const saved = (at: string, before?: { at: string; tasks: { id: number }[] }) => {
      const reading = codec.prepare?.({ at, tasks: [{ id: 1 }, { id: 2 }] }, before)?.reading
      return reading?.kind === 'ok' ? reading.state : expect.fail('it was not read')
    }
    const first = saved('A')
    expect(saved('B', first).tasks).toBe(first.tasks)
  })
})
