import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatherLines } from '../../source/agents/gathered-lines.js'
import { redactingLines } from '../../source/agents/shown-lines.js'
import { linesOf, type PaneBlock, type PaneLine } from '../../source/view/panes.js'

const line = (text: string): PaneLine => ({ kind: 'text', text })

function gathering(): { told: (PaneLine | PaneBlock)[]; texts: () => string[] } & ReturnType<
  typeof gatherLines
> {
  const told: (PaneLine | PaneBlock)[] = []
  const texts = () => told.flatMap((each) => linesOf(each).map(({ text }) => text))
  return { told, texts, ...gatherLines((each) => told.push(each)) }
}

describe('gatherLines', () => {
  it('hands many lines of one moment over as a block, a few one by one, before anything else happens', async () => {
    const { told, texts, write } = gathering()
    for (let at = 0; at < 20; at += 1) write(line(`${at}`))
    expect(told).toEqual([])
    await undefined
    expect(told).toHaveLength(1)
    expect(texts()).toEqual(Array.from({ length: 20 }, (_, at) => `${at}`))
    write(line('a'))
    write(line('b'))
    await undefined
    expect(told.slice(1)).toEqual([line('a'), line('b')])
  })

  it('keeps the order of lines and blocks, and hands over at once when asked', () => {
    const { texts, write, flush } = gathering()
    const block = { count: 2, slice: () => [line('c'), line('d')], includes: () => false }
    write(line('a'))
    write(line('b'))
    write(block)
    write(line('e'))
    flush()
    expect(texts()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('lets no more wait than it can keep', () => {
    const { told, write } = gathering()
    for (let at = 0; at < 5000; at += 1) write(line('x'))
    expect(told.map((each) => ('count' in each ? each.count : 1))).toEqual([2000, 2000])
  })

  it('hides the same secrets as one by one, private keys over several lines too', () => {
    const secret = 'quite-secret-value'
    const texts = fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom('plain', `a ${secret} b`, 'sk-proj-Ab3dEf6hIj9kLm2n') },
        fc.constantFrom('-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'),
      ),
      { minLength: 16, maxLength: 60 },
    )
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), (moments) => {
        const gathered: string[] = []
        const single: string[] = []
        const { write, flush } = gatherLines(
          redactingLines([secret], (told) => gathered.push(...linesOf(told).map(({ text }) => text))),
        )
        const one = redactingLines([secret], (told) => single.push(...linesOf(told).map(({ text }) => text)))
        for (const moment of moments) {
          for (const text of moment) {
            write({ kind: 'log', text, folded: [line(text)] })
            one({ kind: 'log', text, folded: [line(text)] })
          }
          flush()
        }
        expect(gathered).toEqual(single)
        expect(gathered.join('\n')).not.toContain(secret)
      }),
    )
  })
})
