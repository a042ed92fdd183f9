import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextRecord } from '../../source/agents/text-record.js'
import { createLineSplitter } from '../../source/processes/jsonl.js'

function split(chunks: Buffer[], cap?: number) {
  const lines: string[] = []
  const skipped: number[] = []
  const splitter = createLineSplitter(
    {
      line: (text, terminated) => lines.push(terminated ? text : `${text}|cut`),
      skipped: (bytes) => skipped.push(bytes),
    },
    cap,
  )
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return { lines, skipped }
}

describe('createLineSplitter', () => {
  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(200)), (texts, cuts) => {
        const lines = texts.map((text) => text.replace(/[\r\n]/g, ' '))
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const edges = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ]
        const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
        expect(split(chunks)).toEqual({
          lines: lines.map((line) => Buffer.from(line).toString()),
          skipped: [],
        })
      }),
    )
  })

  it('splits at line feeds only, drops a carriage return and marks a cut line', () => {
    expect(split([Buffer.from('a\r\nb\u2028c\rd\n\ne')]).lines).toEqual(['a', 'b\u2028c\rd', '', 'e|cut'])
  })

  it('skips a line above the cap, with its size, and goes on', () => {
    const long = Buffer.alloc(25, 'x')
    expect(split([Buffer.from('a\n'), long, long, Buffer.from('\nb\n')], 40)).toEqual({
      lines: ['a', 'b'],
      skipped: [50],
    })
    expect(split([Buffer.alloc(40, 'x')], 40).lines).toHaveLength(1)
    expect(split([Buffer.alloc(41, 'x')], 40)).toEqual({ lines: [], skipped: [41] })
  })
})

describe('createTextRecord', () => {
  it('puts lines, deltas and full texts in order; a full text replaces its deltas', () => {
    const record = createTextRecord()
    record.line('one')
    record.delta('a', 'tw')
    record.delta('a', 'o')
    record.line('three')
    record.delta('b', 'wrong')
    record.full('b', 'four')
    expect(record.text()).toBe('one\ntwo\nthree\nfour\n')
  })

  it('keeps the end within its limit', () => {
    const record = createTextRecord(1000)
    for (let count = 0; count < 20_000; count += 1) record.line(`line ${count}`)
    expect(record.text().length).toBeLessThanOrEqual(1000)
    expect(record.text().endsWith('line 19998\nline 19999\n')).toBe(true)
    record.delta('x', 'y'.repeat(5000))
    expect(record.text()).toBe('y'.repeat(1000))
  })
})
