import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Problem } from '../../source/problem.js'
import { jsonCodec } from '../../source/storage/json-codec.js'
import { hashOf, parseState, serialiseState } from '../../source/storage/json-text.js'
import { asParsed } from '../../source/storage/plain-json.js'
import { openStateStore } from '../../source/storage/state-store.js'
import { inTemporary } from '../support/temporary.js'

const schema = z.looseObject({ count: z.int() })
const good = '{\n  "count": 1,\n  "kept": [\n    "unknown"\n  ]\n}\n'

async function withStore<Result>(text: string | Buffer | undefined, use: (open: Opened) => Promise<Result>) {
  return inTemporary('json', async (dir) => {
    const path = join(dir, 'state.json')
    if (text !== undefined) await writeFile(path, text)
    return use({ dir, path, store: await openStateStore({ path, codec: jsonCodec(schema), root: dir }) })
  })
}
type Opened = {
  dir: string
  path: string
  store: Awaited<ReturnType<typeof openStateStore<z.infer<typeof schema>>>>
}

describe('what is refused', () => {
  const bad: [string, string | Buffer][] = [
    ['empty', ''],
    ['NUL bytes', Buffer.alloc(64)],
    ['a NUL inside', '{"count": 1, "a": "\0"}'],
    ['byte order mark', `\ufeff${good}`],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ...['null', '0', 'false', '[]', '"x"', '[1]'].map((text): [string, string] => [text, text]),
    ['conflict markers', `<<<<<<< HEAD\n${good}=======\n${good}>>>>>>> other\n`],
    ['__proto__', '{"count": 1, "__proto__": {"polluted": true}}'],
    ['__proto__ deep and escaped', '{"count": 1, "a": [{"\\u005f_proto__": {"polluted": true}}]}'],
    ['nesting of a million', `{"count": 1, "a": ${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
    ['fifty megabytes', `{"count": 1, "a": "${'x'.repeat(50 * 1024 * 1024)}"}`],
    ['another schema', '{"count": "1"}'],
  ]
  it.each(bad)('%s', async (_name, text) => {
    await withStore(text, async ({ store, path }) => {
      expect(store.read).toMatchObject({ kind: 'unreadable', reason: expect.any(String) })
      expect(store.data).toBeUndefined()
      expect(store.hash).toBeNull()
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
      // The broken file is not touched by looking at it, and never becomes the backup.
      expect(hashOf(await readFile(path))).toBe(hashOf(Buffer.from(text)))
      await store.commit(store.prepare({ count: 2 }))
      expect((await store.backup()).kind).toBe('missing')
    })
  })

  it('a file cut anywhere', () => {
    const bytes = Buffer.from(good.trimEnd())
    for (let part = 0; part < 16; part++) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 16))
      expect(parseState(cut).kind, `${part}/16`).toBe('unreadable')
    }
  })

  it('links and directories in place of the file, even when their target is good', async () => {
    await inTemporary('json', async (dir) => {
      await writeFile(join(dir, 'target'), good)
      await symlink(join(dir, 'target'), join(dir, 'link.json'))
      await mkdir(join(dir, 'directory.json'))
      for (const name of ['link.json', 'directory.json']) {
        const store = await openStateStore({ path: join(dir, name), codec: jsonCodec(schema), root: dir })
        expect(store.read.kind, name).toBe('unreadable')
      }
      await expect(
        openStateStore({ path: '/state.json', codec: jsonCodec(schema), root: dir }),
      ).rejects.toMatchObject({
        code: 'outside',
      })
    })
  })
})

describe('what is kept', () => {
  it('is missing without defaults, and says so', async () => {
    await withStore(undefined, async ({ store }) => {
      expect(store.read).toEqual({ kind: 'missing' })
      expect(store.data).toBeUndefined()
    })
  })

  it('unknown keys, order and bytes survive a read and a commit', async () => {
    await withStore(good, async ({ store, path }) => {
      expect(store.hash).toBe(hashOf(Buffer.from(good)))
      const next = { ...store.data!, count: 1 }
      expect(store.prepare(next).bytes.toString()).toBe(good)
      await store.commit(store.prepare(next))
      expect(await readFile(path, 'utf8')).toBe(good)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    })
  })

  it('commits in the order of the calls, and the version before is the backup', async () => {
    await withStore(good, async ({ store, path, dir }) => {
      await Promise.all([2, 3, 4].map((count) => store.commit(store.prepare({ count }))))
      expect(store.data).toEqual({ count: 4 })
      expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ count: 4 })
      expect(await store.backup()).toMatchObject({ kind: 'ok', value: { count: 3 } })
      expect((await readdir(dir)).sort()).toEqual(['state.json', 'state.json.bak'])
      expect(await store.statMatches()).toBe(true)
    })
  })

  it('a state that could not be read again is refused, and changes neither memory nor file', async () => {
    await withStore(good, async ({ store, path }) => {
      const refusals: unknown[] = [
        { count: 'x' },
        { count: Number.NaN },
        { count: 2, a: new Map() },
        { count: 2, a: [undefined] },
      ]
      for (const next of refusals) expect(() => store.prepare(next as { count: number })).toThrow(Problem)
      expect(store.data?.count).toBe(1)
      expect(await readFile(path, 'utf8')).toBe(good)
      await store.commit(store.prepare({ count: 5 }))
      expect(store.data).toEqual({ count: 5 })
    })
  })

  it('notices an edit by stat and by hash', async () => {
    await withStore(good, async ({ store, path }) => {
      await store.commit(store.prepare({ count: 2 }))
      await writeFile(path, '{"count": 99}')
      expect(await store.statMatches()).toBe(false)
      expect(await store.hashOnDisk()).toBe(hashOf(Buffer.from('{"count": 99}')))
    })
  })

  it('migrates while reading, and throws for a newer format without touching it', async () => {
    await inTemporary('json', async (dir) => {
      const path = join(dir, 'state.json')
      const migrating = z.looseObject({ v: z.int() }).transform((raw) => {
        if (raw.v > 2) throw new Problem({ code: 'newer-version', what: 'newer', why: '', todo: '' })
        return { ...raw, v: 2, added: true }
      })
      await writeFile(path, '{"v": 1, "kept": 1}')
      const store = await openStateStore({ path, codec: jsonCodec(migrating), root: dir })
      expect(store.data).toEqual({ v: 2, added: true, kept: 1 })
      await writeFile(path, '{"v": 3}')
      await expect(openStateStore({ path, codec: jsonCodec(migrating), root: dir })).rejects.toMatchObject({
        code: 'newer-version',
      })
      expect(await readFile(path, 'utf8')).toBe('{"v": 3}')
    })
  })

  it('accepts 0644, and makes it private on the next commit', async () => {
    await withStore(good, async ({ store, path }) => {
      await chmod(path, 0o644)
      await store.load()
      expect(store.read.kind).toBe('ok')
      await store.commit(store.prepare({ count: 2 }))
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    })
  })
})

describe('text', () => {
  it('is that of JSON with two spaces, for lists of any length, nothing and signs of all kinds', () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ id, of: ['é', '"\\\n', []] }))
    const wholes: object[] = [{}, [], [1], { a: {}, gone: undefined, b: [] }, { a: 'x'.repeat(200_000) }]
    for (const count of [1, 63, 64, 65, 128, 129, 300])
      wholes.push({ first: 1, list: items(count), 'a "key"': items(count), last: null })
    for (const whole of wholes)
      expect(serialiseState(whole).toString('utf8')).toBe(`${JSON.stringify(whole, null, 2)}\n`)
  })

  it('says of a state what would be read of its bytes, without them', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (value) => {
        const text = JSON.stringify(value)
        if (text.includes('__proto__') || text.includes('\\u0000')) return
        const [ours, read] = [asParsed(value), parseState(serialiseState(value))]
        expect(read).toEqual({ kind: 'ok', value: ours })
        expect(JSON.stringify(ours)).toBe(text)
      }),
    )
    expect(Object.is((asParsed({ a: -0 }) as { a: number }).a, 0)).toBe(true)
    expect(asParsed({ a: undefined, b: Object.create(null) })).toStrictEqual({ b: {} })
    const mine = { list: [{ a: 1 }] }
    const copy = asParsed(mine)
    mine.list[0]!.a = 2
    expect(copy).toEqual({ list: [{ a: 1 }] })
  })

  it('gives back every JSON object that it takes, the same data as the same bytes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        if (JSON.stringify(value).includes('__proto__') || JSON.stringify(value).includes('\\u0000')) return
        const bytes = serialiseState(value)
        const reading = parseState(bytes)
        expect(reading.kind).toBe('ok')
        if (reading.kind === 'ok') expect(serialiseState(reading.value).equals(bytes)).toBe(true)
      }),
    )
  })
})
