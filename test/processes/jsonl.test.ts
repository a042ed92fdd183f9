import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../source/agents/backends/plain-runs.js'
import { createTextRecord } from '../../source/agents/text-record.js'
import { createLineSplitter } from '../../source/processes/jsonl.js'

function split(chunks: Buffer[], cap?: number, many?: (bytes: Buffer) => string[]) {
  const lines: string[] = []
  const skipped: number[] = []
  const splitter = createLineSplitter(
    {
      line: (text, terminated) => lines.push(terminated ? text : `${text}|cut`),
      skipped: (bytes) => skipped.push(bytes),
      ...(many ? { lines: (bytes: Buffer) => lines.push(...many(bytes)) } : {}),
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

describe('many lines at once', () => {
  it('are the same lines, however the bytes are cut', () => {
    const many = (bytes: Buffer) => {
      expect(bytes.at(-1)).toBe(0x0a)
      return split([bytes]).lines
    }
    const some = fc.array(fc.string({ unit: fc.constantFrom('a', 'ä', '\n', '\r', '\n') }))
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 9 }), (texts, cap) => {
        const chunks = texts.map((text) => Buffer.from(text))
        expect(split(chunks, cap * 3, many)).toEqual(split(chunks, cap * 3))
      }),
    )
  })

  it('part into texts and what may be an event', () => {
    const bytes = Buffer.from('one\r\n\ntwo {}\n {"a":1}\r\n{\n\ufeff{}\nthree\n\t\n x {\n \t{')
    const told = (all: Buffer) =>
      [...runsOf(all)].map((run) => (run.isPlain ? { isPlain: true, text: run.text } : run))
    expect(told(Buffer.concat([bytes, Buffer.from('\n')]))).toEqual([
      { isPlain: true, text: 'one\n\ntwo {}' },
      { isPlain: false, lines: [' {"a":1}', '{', '\ufeff{}'] },
      { isPlain: true, text: 'three\n\t\n x {' },
      { isPlain: false, lines: [' \t{'] },
    ])
    expect(told(Buffer.from('\n'))).toEqual([{ isPlain: true, text: '' }])
  })

  it('parts with nothing left out, whatever the lines are made of', () => {
    const some = fc.array(fc.constantFrom('a', 'ä', '\u4e00', '\ufeff', '{', '}', ' ', '\t', '\n', '\n'))
    fc.assert(
      fc.property(some, (parts) => {
        const text = `${parts.join('')}\n`
        const runs = [...runsOf(Buffer.from(text))]
        const lines = runs.flatMap((run) => (run.isPlain ? run.text.split('\n') : run.lines))
        expect(`${lines.join('\n')}\n`).toBe(text)
        for (const run of runs) {
          if (run.isPlain) {
            expect(run.text).not.toMatch(/^[ \t]*\{/m)
            expect(run.bytes.toString()).toBe(`${run.text}\n`)
          } else for (const line of run.lines) expect(line).toMatch(/^[ \t]*[{\ufeff]/)
        }
      }),
    )
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

  it('reads bytes when it is asked, in order and within its limit', () => {
    const record = createTextRecord(100_000)
    const block = (mark: string) => Buffer.from(`${mark} grün\r\n`.repeat(3000))
    record.bytes(block('a'))
    record.line('between')
    record.bytes(block('b'))
    expect(record.text()).toBe(`${'a grün\n'.repeat(3000)}between\n${'b grün\n'.repeat(3000)}`)
    for (let count = 0; count < 20; count += 1) record.bytes(block('c'))
    expect(record.text()).toMatch(/^(?:c grün\n)+$/)
    expect(record.text().length).toBeLessThanOrEqual(100_000)
  })

  it('says the same as one that keeps every piece, however ids are mixed', () => {
    const said = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      kind: fc.constantFrom('delta', 'full', 'line', 'bytes'),
    })
    fc.assert(
      fc.property(fc.array(said, { maxLength: 60 }), (all) => {
        const record = createTextRecord()
        let pieces: { id?: string; text: string }[] = []
        all.forEach(({ id, kind }, index) => {
          const text = `${index} `
          if (kind === 'line') record.line(text)
          else if (kind === 'bytes') record.bytes(Buffer.from(`${text}\r\n`))
          else record.take({ id, [kind]: text })
          if (kind === 'full') pieces = pieces.filter((piece) => piece.id !== id)
          pieces.push(
            kind === 'line' || kind === 'bytes'
              ? { text: `${text}\n` }
              : { id, text: kind === 'full' ? `${text}\n` : text },
          )
        })
        const naive = pieces.map(({ id, text }, index) => {
          const next = pieces[index + 1]
          return next === undefined || next.id === id || text.endsWith('\n') ? text : `${text}\n`
        })
        expect(record.text()).toBe(naive.join(''))
      }),
    )
  })

  it('takes as long for a text among many as for one alone', () => {
    // Each replaced by going through all others this takes minutes.
    const record = createTextRecord()
    for (let index = 0; index < 60_000; index += 1) {
      record.delta(`${index}`, 'some text ')
      record.full(`${index}`, 'some text')
    }
    expect(record.text().length).toBe(600_000)
  })
})
