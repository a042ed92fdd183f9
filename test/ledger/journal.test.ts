import { appendFile, readdir, readFile, rename, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JournalRecord, openJournal, readJournal } from '../../source/ledger/journal.js'
import { createChain } from '../../source/ledger/journal-chain.js'
import { noLineBefore } from '../../source/ledger/journal-line.js'
import { scanJournal } from '../../source/ledger/journal-scan.js'
import { Problem } from '../../source/problem.js'
import { testKey } from '../support/seal.js'
import { inTemporary } from '../support/temporary.js'

const options = { lockId: 'lock', epoch: 1, key: testKey }

function line(change: Partial<Record<string, unknown>> = {}): string {
  const header = {
    v: 1,
    id: `id-${Math.random()}`,
    rev: 1,
    epoch: 1,
    lockId: 'lock',
    at: '2024-01-01T00:00:00.000Z',
  }
  return JSON.stringify({ ...header, type: 'note', kind: 'note', text: 'text', ...change })
}

async function withJournal<Result>(
  content: string | Buffer | undefined,
  use: (path: string, dir: string) => Promise<Result>,
) {
  return inTemporary('journal', async (dir) => {
    const path = join(dir, 'journal.jsonl')
    if (content !== undefined) await writeFile(path, content)
    return use(path, dir)
  })
}

const texts = (records: readonly JournalRecord[]) =>
  records.map((record) => (record.type === 'note' ? record.text : record.type))

describe('a journal', () => {
  it('gives back what was appended, in order, in the next epoch of the next process', async () => {
    await withJournal(undefined, async (path) => {
      const first = await openJournal(path, options)
      const written = await Promise.all(
        [1, 2, 3].map((visit) => first.append({ type: 'visit', visit, state: `S${visit}` })),
      )
      await first.close()
      const handed: JournalRecord[] = []
      const second = await openJournal(path, { ...options, each: (record) => handed.push(record) })
      expect(handed).toEqual(written)
      expect(handed.map(({ rev }) => rev)).toEqual([1, 2, 3])
      const fourth = await second.append({ type: 'closed' })
      expect([first.epoch, second.epoch, fourth.rev, fourth.epoch]).toEqual([1, 2, 4, 2])
      expect(second.end.size).toBe((await readFile(path)).length)
      expect(second.problems).toEqual([])
      await second.close()
      await expect(second.append({ type: 'closed' })).rejects.toBeInstanceOf(Problem)
    })
  })

  it('gives back any JSON result, line separators and lone surrogates included', async () => {
    await withJournal(undefined, async (path) => {
      const journal = await openJournal(path, options)
      const written: JournalRecord[] = []
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.jsonValue(), fc.constantFrom('\u2028\r\n\0', '\ud800')),
          async (result) => {
            const record = await journal.append({ type: 'step', visit: 1, key: 'k', result })
            expect(record).toMatchObject({ type: 'step', key: 'k' })
            written.push(record)
          },
        ),
        { numRuns: 60 },
      )
      await journal.close()
      const reading = await readJournal(path)
      expect(reading.records).toEqual(written)
      expect(reading.problems).toEqual([])
    })
  })

  it('refuses to write when the fence says so, and writes nothing', async () => {
    await withJournal(undefined, async (path) => {
      const fence = () => Promise.reject(new Problem({ code: 'fenced', what: 'x', why: 'y', todo: 'z' }))
      const journal = await openJournal(path, { ...options, fence })
      await expect(journal.append({ type: 'closed' })).rejects.toMatchObject({ code: 'fenced' })
      await journal.close()
      expect((await readFile(path)).length).toBe(0)
    })
  })
})

describe('damage', () => {
  it('a torn tail is kept aside and cut off, so that nothing is glued to it', async () => {
    await withJournal(`${line({ text: 'a' })}\n${line({ text: 'torn' }).slice(0, -1)}`, async (path, dir) => {
      expect(texts((await readJournal(path)).records)).toEqual(['a'])
      const journal = await openJournal(path, options)
      await journal.append({ type: 'note', kind: 'note', text: 'b' })
      await journal.close()
      expect(texts((await readJournal(path)).records)).toEqual(['a', 'b'])
      expect(journal.problems).toHaveLength(1)
      expect(journal.lostLines).toBe(0)
      const kept = (await readdir(dir)).filter((name) => name.startsWith('journal.torn-'))
      expect(kept).toHaveLength(1)
      expect(await readFile(join(dir, kept[0]!), 'utf8')).toContain('"torn"')
    })
  })

  const bad: [string, string | Buffer][] = [
    ['a run of NULs', Buffer.alloc(300)],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['a cut line', line().slice(0, 40)],
    ['glued records', line().slice(0, 40) + line()],
    ['another kind of JSON', '[1, 2]'],
    ['a record of unknown type', line({ type: 'visits' })],
    ['a record without its fields', line({ type: 'visit' })],
    [
      'an image without a state',
      line({ type: 'update', visit: 1, key: 'k', image: { before: null, after: 'x', state: 1 } }),
    ],
    ['__proto__ as type', line({ type: '__proto__' })],
    ['a megabyte of nonsense', 'x'.repeat(1024 * 1024)],
  ]
  it.each(bad)('%s in the middle is skipped and named with its offset', async (_name, middle) => {
    const [before, after] = [`${line({ text: 'a' })}\n`, `\n${line({ text: 'b' })}\n`]
    await withJournal(
      Buffer.concat([Buffer.from(before), Buffer.from(middle), Buffer.from(after)]),
      async (path) => {
        const reading = await readJournal(path)
        expect(texts(reading.records)).toEqual(['a', 'b'])
        expect(reading.problems).toEqual([expect.stringContaining(`offset ${before.length}`)])
        expect(reading.lostLines).toBe(1)
        expect(reading.torn.length).toBe(0)
      },
    )
  })

  it('a record behind a run of NULs is saved, and a run of NULs at the end is a torn tail', async () => {
    const content = `${line({ text: 'a' })}\n${'\0'.repeat(50)}${line({ text: 'b' })}\n${'\0'.repeat(99)}`
    await withJournal(content, async (path) => {
      const reading = await readJournal(path)
      expect(texts(reading.records)).toEqual(['a', 'b'])
      expect(reading.problems).toHaveLength(1)
      expect(reading.torn.length).toBe(99)
    })
  })

  it('CRLF, blank lines and a line of ten megabytes are read', async () => {
    const long = 'y'.repeat(10 * 1024 * 1024)
    await withJournal(`${line({ text: 'a' })}\r\n\r\n\n${line({ text: long })}\n`, async (path) => {
      const reading = await readJournal(path)
      expect(reading.records).toHaveLength(2)
      expect(reading.problems).toEqual([])
    })
  })

  it('the first of two records with one id counts, and a record of an older epoch does not', async () => {
    const lines = [
      line({ id: 'x', text: 'first' }),
      line({ id: 'x', text: 'again' }),
      line({ epoch: 3, text: 'new owner' }),
      line({ epoch: 2, text: 'from a process that lost the lock' }),
    ]
    await withJournal(`${lines.join('\n')}\n`, async (path) => {
      const reading = await readJournal(path)
      expect(texts(reading.records)).toEqual(['first', 'new owner'])
      expect(reading.problems).toHaveLength(2)
      const journal = await openJournal(path, options)
      expect(journal.epoch).toBe(4)
      await journal.close()
    })
  })

  it('a newer format is refused and left alone', async () => {
    const content = `${line()}\n${line({ v: 3 })}\n`
    await withJournal(content, async (path) => {
      await expect(openJournal(path, options)).rejects.toMatchObject({ code: 'newer-version' })
      expect(await readFile(path, 'utf8')).toBe(content)
    })
  })

  it('a link in its place is refused', async () => {
    await withJournal(undefined, async (path, dir) => {
      await writeFile(join(dir, 'target'), '')
      await symlink(join(dir, 'target'), path)
      await expect(openJournal(path, options)).rejects.toMatchObject({ code: 'unreadable' })
    })
  })
})

describe('somebody else at the open journal', () => {
  it.each(['hello', 'hello\n', `${line({ text: 'forged' })}\n`])(
    '%j behind our last line is refused, cut off when it was decided, and kept',
    async (forged) => {
      await withJournal(undefined, async (path) => {
        const journal = await openJournal(path, options)
        await journal.append({ type: 'note', kind: 'note', text: 'a' })
        await appendFile(path, forged)
        const more = journal.append({ type: 'note', kind: 'note', text: 'b' })
        await expect(more).rejects.toMatchObject({ code: 'foreign-edit' })
        expect(await journal.foreign()).toMatchObject([{ line: 2, text: forged.trimEnd() }])
        expect(await readFile(await journal.cutForeign(), 'utf8')).toBe(forged)
        await journal.append({ type: 'note', kind: 'note', text: 'b' })
        await journal.close()
        const reading = await readJournal(path)
        expect(texts(reading.records)).toEqual(['a', 'b'])
        expect(reading.lostLines).toBe(0)
      })
    },
  )

  it('a late line of a process that has lost the session changes nothing and stays', async () => {
    await withJournal(undefined, async (path) => {
      const late = await openJournal(path, options)
      await late.append({ type: 'note', kind: 'note', text: 'a' })
      const journal = await openJournal(path, options)
      const before = (await readFile(path)).length
      await late.append({ type: 'note', kind: 'note', text: 'late' })
      const lost = (await readFile(path)).subarray(before)
      await truncate(path, before)
      await journal.append({ type: 'note', kind: 'note', text: 'b' })
      await appendFile(path, lost)
      await journal.append({ type: 'note', kind: 'note', text: 'c' })
      await journal.close()
      const seal = { size: 0, lines: 0, last: noLineBefore, from: 0 }
      const chain = createChain(testKey, seal)
      const records: JournalRecord[] = []
      const scan = await scanJournal(path, (record) => records.push(record), undefined, chain)
      expect(chain.finding(scan.end)).toBeUndefined()
      expect(texts(records)).toEqual(['a', 'b', 'c'])
      expect(scan.problems).toEqual([expect.stringContaining('had lost the session')])
    })
  })

  it.each([
    ['cut', (path: string) => truncate(path, 10)],
    ['moved away', (path: string) => rename(path, `${path}.away`)],
    ['replaced', (path: string) => rename(path, `${path}.away`).then(() => writeFile(path, ''))],
  ])('a journal that was %s takes no more records', async (_name, harm) => {
    await withJournal(undefined, async (path) => {
      const journal = await openJournal(path, options)
      await journal.append({ type: 'note', kind: 'note', text: 'a' })
      await harm(path)
      await expect(journal.append({ type: 'closed' })).rejects.toMatchObject({ code: 'foreign-edit' })
      await journal.close()
    })
  })
})

describe('size', () => {
  it('a hundred thousand records are all read', async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => line({ id: String(index), rev: index + 1 }))
    await withJournal(`${lines.join('\n')}\n`, async (path) => {
      const reading = await readJournal(path)
      expect(reading.records).toHaveLength(100_000)
      expect(reading.problems).toEqual([])
    })
  })
})
