import type { FileHandle } from 'node:fs/promises'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { readJournal } from '../../source/ledger/journal.js'
import { openSessionStore, type SessionStore } from '../../source/ledger/session-store.js'
import { jsonCodec } from '../../source/ledger/state-codec.js'
import { sealIn } from '../support/seal.js'
import { inTemporary } from '../support/temporary.js'

// What fails, by the end of a path and the call on its file; an empty entry lets everything through.
const failing = vi.hoisted(() => ({ path: /never/, call: '', code: '' }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      const handle = await real.open(...args)
      return new Proxy(handle, {
        get(target, name: keyof FileHandle) {
          const value = target[name]
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            if (failing.path.test(String(args[0])) && failing.call === name) {
              return Promise.reject(Object.assign(new Error('injected'), { code: failing.code }))
            }
            return Reflect.apply(value, target, given)
          }
        },
      })
    },
  }
})

const schema = z.looseObject({ count: z.int() })
const transition = { type: 'transition', visit: 1, from: 'A', to: 'B' } as const
const onState = /state\.json\.\d+\.\w+\.tmp$/
const onJournal = /journal\.jsonl$/

function fail(path: RegExp, call: string, code: string): void {
  Object.assign(failing, { path, call, code })
}
afterEach(() => fail(/never/, '', ''))

async function inSession(
  use: (store: SessionStore<{ count: number }>, dir: string) => Promise<void>,
): Promise<void> {
  await inTemporary('full', async (root) => {
    const dir = join(root, 'session')
    const opening = await openSessionStore({
      dir,
      root,
      stateFile: 'state.json',
      codec: jsonCodec(schema),
      version: 'test',
      seal: sealIn(dir),
    })
    if (opening.kind !== 'ready') throw new Error('not ready')
    await opening.store.saveImage(transition, { count: 1 })
    await use(opening.store, dir)
    fail(/never/, '', '')
    await opening.store.close()
  })
}

const recordsIn = async (dir: string) => (await readJournal(join(dir, 'journal.jsonl'))).records.length

describe('a full disk', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])(
    'while saving the state (%s): the result stays in memory until a retry',
    async (code) => {
      await inSession(async (store, dir) => {
        fail(onState, 'writeFile', code)
        const next = { count: 2 }
        const before = await recordsIn(dir)
        await expect(store.saveImage(transition, next)).rejects.toMatchObject({ code: 'disk-full' })
        expect(store.behind).toBe(true)
        expect(store.state).toEqual(next)
        expect(await recordsIn(dir)).toBe(before + 1)
        await expect(store.saveImage(transition, { count: 3 })).rejects.toMatchObject({ code: 'disk-full' })
        await expect(store.retry()).rejects.toMatchObject({ code: 'disk-full' })
        expect(await recordsIn(dir)).toBe(before + 1)
        expect(JSON.parse(await readFile(join(dir, 'state.json'), 'utf8'))).toEqual({ count: 1 })
        expect((await readdir(dir)).some((name) => name.endsWith('.tmp'))).toBe(false)
        expect(await store.foreignEdit()).toBeUndefined()

        fail(/never/, '', '')
        await store.retry()
        expect(store.behind).toBe(false)
        expect(JSON.parse(await readFile(join(dir, 'state.json'), 'utf8'))).toEqual({ count: 2 })
        await store.saveImage(transition, { count: 3 })
      })
    },
  )

  it('that cannot take back a half-written record ends the journal, and nothing has happened', async () => {
    await inSession(async (store, dir) => {
      const before = await readFile(join(dir, 'journal.jsonl'), 'utf8')
      fail(onJournal, 'datasync', 'ENOSPC')
      await expect(store.saveImage(transition, { count: 2 })).rejects.toMatchObject({ code: 'storage-dead' })
      expect(store.behind).toBe(false)
      expect(store.state).toEqual({ count: 1 })
      expect(await readFile(join(dir, 'journal.jsonl'), 'utf8')).toBe(before)
    })
  })

  it('while writing the journal, with room again: goes on', async () => {
    await inSession(async (store, dir) => {
      fail(onJournal, 'appendFile', 'ENOSPC')
      await expect(store.saveImage(transition, { count: 2 })).rejects.toMatchObject({ code: 'disk-full' })
      fail(/never/, '', '')
      await store.saveImage(transition, { count: 2 })
      const { records } = await readJournal(join(dir, 'journal.jsonl'))
      expect(records.map(({ rev }) => rev)).toEqual([1, 2])
    })
  })
})

describe('a failing disk', () => {
  it('ends the journal for good', async () => {
    await inSession(async (store) => {
      fail(onJournal, 'datasync', 'EIO')
      await expect(store.append({ type: 'closed' })).rejects.toMatchObject({ code: 'storage-dead' })
      fail(/never/, '', '')
      await expect(store.append({ type: 'closed' })).rejects.toMatchObject({ code: 'storage-dead' })
    })
  })

  it.each([
    ['sync', 'EIO', 'storage-dead'],
    ['sync', 'EBADF', 'storage-dead'],
    ['writeFile', 'EROFS', 'storage'],
    ['writeFile', 'EMFILE', 'storage'],
  ])('is told by its kind: %s with %s is %s', async (call, code, expected) => {
    await inSession(async (store, dir) => {
      fail(onState, call, code)
      const saving = store.saveImage(transition, { count: 2 })
      await expect(saving).rejects.toMatchObject({
        code: expected,
        what: expect.stringContaining(join(dir, 'state.json')),
      })
      expect((await readdir(dir)).some((name) => name.endsWith('.tmp'))).toBe(false)
      fail(/never/, '', '')
      if (expected === 'storage') {
        await store.retry()
        return
      }
      await expect(store.retry()).rejects.toMatchObject({ code: 'storage-dead' })
      await expect(store.append({ type: 'closed' })).rejects.toMatchObject({ code: 'storage-dead' })
    })
  })
})

describe('before anything is done', () => {
  it('a full disk promises no finished work, for there is none', async () => {
    await inTemporary('full', async (root) => {
      const dir = join(root, 'session')
      const options = { dir, root, stateFile: 'state.json', codec: jsonCodec(schema), version: 'test' }
      fail(/lock\.json/, 'writeFile', 'ENOSPC')
      const failed = await openSessionStore({ ...options, seal: sealIn(dir) }).catch(
        (error: unknown) => error,
      )
      expect(failed).toMatchObject({
        code: 'disk-full',
        why: 'What was saved before is as it was; nothing new starts before there is room.',
      })
    })
  })
})
