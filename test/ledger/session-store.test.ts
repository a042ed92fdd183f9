import { fstatSync } from 'node:fs'
import {
  type FileHandle,
  mkdir,
  open as openFile,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type JournalRecord, readJournal } from '../../source/ledger/journal.js'
import {
  openSessionStore,
  type SessionOpening,
  type SessionStore,
} from '../../source/ledger/session-store.js'
import { jsonCodec } from '../../source/ledger/state-codec.js'
import { sealIn } from '../support/seal.js'
import { inTemporary } from '../support/temporary.js'

const schema = z.looseObject({ count: z.int() })
type State = z.infer<typeof schema>

interface Place {
  dir: string
  main: string
  open(takeover?: string): Promise<SessionOpening<State>>
  ready(): Promise<SessionStore<State>>
  names(): Promise<string[]>
  records(): Promise<readonly JournalRecord[]>
}

async function inSession<Result>(use: (place: Place) => Promise<Result>): Promise<Result> {
  return inTemporary('session', async (root) => {
    const dir = join(root, '.harness', 'demo')
    const open = (takeover?: string) =>
      openSessionStore({
        dir,
        root,
        stateFile: 'state.json',
        codec: jsonCodec(schema),
        version: 'test',
        seal: sealIn(dir),
        takeover,
      })
    const ready = async () => {
      const opening = await open()
      if (opening.kind !== 'ready') throw new Error(`not ready: ${JSON.stringify(opening)}`)
      return opening.store
    }
    return use({
      dir,
      main: join(dir, 'state.json'),
      open,
      ready,
      names: async () => (await readdir(dir)).filter((name) => name !== '.seal').sort(),
      records: async () => (await readJournal(join(dir, 'journal.jsonl'))).records,
    })
  })
}

const transition = { type: 'transition', visit: 1, from: 'A', to: 'B' } as const
const stateText = (state: State) => `${JSON.stringify(state, null, 2)}\n`

async function saved(place: Place, ...counts: number[]): Promise<void> {
  const store = await place.ready()
  for (const count of counts) await store.saveImage(transition, { count })
  await store.close()
}

/** A decision was the last one. */
async function readyAfter(proceed: () => Promise<SessionOpening<State>>): Promise<SessionStore<State>> {
  const opening = await proceed()
  if (opening.kind !== 'ready') throw new Error(`not ready: ${JSON.stringify(opening)}`)
  return opening.store
}

/** As if the session had been written on another machine. */
const removeSeal = (place: Place) => rm(join(place.dir, '.seal'), { recursive: true })

/** Opens, expects the question of this kind. */
async function asked<Kind extends string>(place: Place, kind: Kind) {
  const opening = await place.open()
  if (opening.kind !== 'ask' || opening.ask.kind !== kind)
    throw new Error(`no ${kind}: ${JSON.stringify(opening)}`)
  return { ...opening, ask: opening.ask as Extract<typeof opening.ask, { kind: Kind }> }
}

describe('a session', () => {
  it('begins without a state, keeps every one, and resumes with all records', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      expect(store.state).toBeUndefined()
      expect(store.opened.kind).toBe('missing')
      await store.append({ type: 'visit', visit: 1, state: 'A' })
      const next = { count: 1, unknown: ['kept'] }
      const record = await store.saveImage(transition, next)
      expect(record).toMatchObject({ type: 'transition', image: { before: null, state: next } })
      expect(store.state).toEqual(next)
      await store.close()
      expect(await place.names()).toEqual(['journal.jsonl', 'reserve.bin', 'state.json', 'summary.json'])

      const again = await place.ready()
      expect(again.state).toEqual(next)
      expect(again.digest).toEqual(store.digest)
      expect((await place.records()).map(({ type }) => type)).toEqual(['visit', 'transition'])
      expect(again.notices).toEqual([])
      await again.close()
    })
  })

  it('is open in one process only', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      const second = await place.open()
      expect(second).toMatchObject({ kind: 'open', liveness: 'alive', owner: { pid: process.pid } })
      const forced = await place.open(store.lock.lockId)
      expect(forced.kind).toBe('ready')
      await expect(store.saveImage(transition, { count: 1 })).rejects.toMatchObject({ code: 'fenced' })
      await expect(store.append({ type: 'closed' })).rejects.toMatchObject({ code: 'fenced' })
      await store.close()
      if (forced.kind === 'ready') await forced.store.close()
      expect(await place.names()).toEqual(['journal.jsonl', 'reserve.bin', 'summary.json'])
    })
  })

  it('is closed once: after that nothing is written, whoever closes it again', () =>
    inSession(async (place) => {
      const store = await place.ready()
      await store.saveImage(transition, { count: 1 })
      await store.close()
      expect(await place.names()).toContain('summary.json')
      await rm(join(place.dir, 'summary.json'))
      await store.close()
      expect(await place.names()).not.toContain('summary.json')
    }))

  it('saves in the order of the calls, each on top of the last', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      const records = await Promise.all([1, 2, 3].map((count) => store.saveImage(transition, { count })))
      const images = records.map((record) => ('image' in record ? record.image : undefined))
      expect(images[1]?.before).toBe(images[0]?.after)
      expect(images[2]?.before).toBe(images[1]?.after)
      expect(store.state).toEqual({ count: 3 })
      await store.close()
    })
  })

  it('refuses a state that could not be read again before anything is written', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      await store.saveImage(transition, { count: 1 })
      await expect(store.saveImage(transition, { count: 1.5 })).rejects.toMatchObject({ code: 'storage' })
      expect(await place.records()).toHaveLength(1)
      expect(store.behind).toBe(false)
      await store.saveImage(transition, { count: 2 })
      await store.close()
    })
  })

  it('writes a backup of an older format once', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      await store.backupOnce('state.v1.bak.json', Buffer.from('old'))
      await store.backupOnce('state.v1.bak.json', Buffer.from('newer'))
      expect(await readFile(join(place.dir, 'state.v1.bak.json'), 'utf8')).toBe('old')
      await store.close()
    })
  })

  it('gives its reserve to a full disk once, and has it again after the next save', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      expect(await store.freeReserve()).toBe(true)
      expect(await store.freeReserve()).toBe(false)
      await store.saveImage(transition, { count: 1 })
      expect(await place.names()).toContain('reserve.bin')
      await store.close()
    })
  })
})

describe('what is mended alone, and told', () => {
  it('a state file one step behind the journal', async () => {
    await inSession(async (place) => {
      await saved(place, 1, 2)
      await writeFile(place.main, stateText({ count: 1 }))
      const store = await place.ready()
      expect(store.state).toEqual({ count: 2 })
      expect(store.notices).toEqual([expect.stringContaining('journal')])
      expect(await readFile(place.main, 'utf8')).toBe(stateText({ count: 2 }))
      await store.close()
    })
  })

  it.each([
    ['cut in half', (main: string) => truncate(main, 8)],
    ['emptied', (main: string) => truncate(main, 0)],
    ['broken by hand', (main: string) => writeFile(main, '{"count": 2,}')],
    ['removed', (main: string) => rm(main)],
  ])('a state file that was %s: restored, the broken one kept', async (name, harm) => {
    await inSession(async (place) => {
      await saved(place, 1, 2)
      await harm(place.main)
      const store = await place.ready()
      expect(store.state).toEqual({ count: 2 })
      expect(store.notices).toHaveLength(1)
      expect((await place.records()).at(-1)).toMatchObject({ type: 'recovered', image: { before: null } })
      const kept = (await place.names()).filter((entry) => entry.startsWith('state.json.corrupt-'))
      expect(kept).toHaveLength(name === 'removed' ? 0 : 1)
      await store.close()
      const again = await place.ready()
      expect(again.notices).toEqual([])
      await again.close()
    })
  })
})

describe('what a person decides', () => {
  it('another state file than ours: accepted as it is, byte for byte', async () => {
    await inSession(async (place) => {
      await saved(place, 1, 2)
      await writeFile(place.main, '{"count":7}')
      const { ask, proceed } = await asked(place, 'foreign-edit')
      expect([ask.found, ask.expected]).toEqual([{ count: 7 }, { count: 2 }])
      await ask.resolve('accept')
      const store = await readyAfter(proceed)
      expect(store.state).toEqual({ count: 7 })
      expect(await readFile(place.main, 'utf8')).toBe('{"count":7}')
      await store.saveImage(transition, { count: 8 })
      await store.close()
      const again = await place.ready()
      expect(again.state).toEqual({ count: 8 })
      expect(again.notices).toEqual([])
      await again.close()
    })
  })

  it('an older state of ours, put back over: the edited one is kept beside it', async () => {
    await inSession(async (place) => {
      await saved(place, 1, 2, 3)
      await writeFile(place.main, stateText({ count: 1 }))
      const { ask, proceed } = await asked(place, 'foreign-edit')
      await ask.resolve('restore')
      const store = await readyAfter(proceed)
      expect(store.state).toEqual({ count: 3 })
      const kept = (await place.names()).find((name) => name.startsWith('state.json.edited-'))
      expect(await readFile(join(place.dir, kept!), 'utf8')).toBe(stateText({ count: 1 }))
      await store.close()
    })
  })

  it('nothing is changed by closing without a decision, and going on without one is refused', async () => {
    await inSession(async (place) => {
      await saved(place, 1)
      await writeFile(place.main, '{"count":7}')
      const before = await place.names()
      const { proceed, close } = await asked(place, 'foreign-edit')
      await expect(proceed()).rejects.toMatchObject({ code: 'foreign-edit' })
      await close()
      expect(await place.names()).toEqual(before)
      expect(await readFile(place.main, 'utf8')).toBe('{"count":7}')
      await (await asked(place, 'foreign-edit')).close()
    })
  })

  it('a decision holds for what was shown only', async () => {
    await inSession(async (place) => {
      await saved(place, 1)
      await writeFile(place.main, '{"count":7}')
      const { ask, close } = await asked(place, 'foreign-edit')
      await writeFile(place.main, '{"count":8}')
      await expect(ask.resolve('accept')).rejects.toMatchObject({ code: 'foreign-edit' })
      await expect(ask.resolve('restore')).rejects.toMatchObject({ code: 'foreign-edit' })
      expect(await readFile(place.main, 'utf8')).toBe('{"count":8}')
      await close()
    })
  })

  it('both copies broken: rebuilt from the journal', async () => {
    await inSession(async (place) => {
      await saved(place, 1, 2)
      await writeFile(place.main, '')
      await writeFile(`${place.main}.bak`, '{')
      const { ask, proceed } = await asked(place, 'rebuild')
      expect(ask.state).toEqual({ count: 2 })
      expect(await readFile(place.main, 'utf8')).toBe('')
      await ask.resolve()
      const store = await readyAfter(proceed)
      expect(store.state).toEqual({ count: 2 })
      await store.close()
    })
  })

  it('a state file without a journal that is left as it is: no journal of ours stays behind', async () => {
    await inSession(async (place) => {
      await mkdir(place.dir, { recursive: true })
      await writeFile(place.main, stateText({ count: 4 }))
      for (let round = 0; round < 2; round += 1) {
        const { close } = await asked(place, 'adopt')
        await close()
        expect(await place.names()).toEqual(['state.json'])
      }
    })
  })

  it('a state file without a journal: adopted once', async () => {
    await inSession(async (place) => {
      await saved(place, 1)
      await rm(join(place.dir, 'journal.jsonl'))
      await removeSeal(place)
      const { ask, proceed } = await asked(place, 'adopt')
      await ask.resolve()
      const store = await readyAfter(proceed)
      expect(store.opened).toMatchObject({ kind: 'ok', value: { count: 1 } })
      await store.close()
      await (await place.ready()).close()
    })
  })

  it('a broken state file without a journal: the backup is promoted, then adopted', async () => {
    await inSession(async (place) => {
      await saved(place, 1, 2)
      await rm(join(place.dir, 'journal.jsonl'))
      await removeSeal(place)
      await truncate(place.main, 5)
      const { ask, notices, proceed } = await asked(place, 'adopt')
      expect(ask.found).toEqual({ count: 1 })
      expect(await readFile(place.main, 'utf8')).toHaveLength(5)
      expect(notices).toEqual([])
      await ask.resolve()
      expect(notices).toEqual([expect.stringContaining('restored from its backup')])
      const store = await readyAfter(proceed)
      expect(store.state).toEqual({ count: 1 })
      await store.close()
    })
  })
})

describe('what is refused', () => {
  it('both copies broken and no journal: nothing is overwritten, and the lock is given back', async () => {
    await inSession(async (place) => {
      await saved(place, 1, 2)
      await rm(join(place.dir, 'journal.jsonl'))
      await removeSeal(place)
      await writeFile(place.main, '{')
      await writeFile(`${place.main}.bak`, '')
      await expect(place.open()).rejects.toMatchObject({ code: 'both-bad' })
      expect(await readFile(place.main, 'utf8')).toBe('{')
      expect(await place.names()).not.toContain('lock.json')
      expect((await place.names()).some((name) => name.includes('corrupt'))).toBe(false)
    })
  })

  it('a lost journal line that may have held the only state', async () => {
    await inSession(async (place) => {
      await saved(place)
      await writeFile(join(place.dir, 'journal.jsonl'), '{"v":1,"type":"transition", broken}\n')
      await removeSeal(place)
      const { proceed } = await asked(place, 'journal')
      await expect(proceed()).rejects.toMatchObject({ code: 'both-bad' })
      expect(await place.names()).not.toContain('lock.json')
    })
  })
})

describe('an edit while the session is open', () => {
  it('stops the next save before anything is written, until it is decided', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      await store.saveImage(transition, { count: 1 })
      await writeFile(place.main, '{"count":7}')
      for (const _again of [1, 2]) {
        await expect(store.saveImage(transition, { count: 2 })).rejects.toMatchObject({
          code: 'foreign-edit',
        })
        const ask = await store.foreignEdit()
        expect(ask?.kind).toBe('foreign-edit')
        expect(store.state).toEqual({ count: 1 })
      }
      expect(await place.records()).toHaveLength(1)
      const ask = await store.foreignEdit()
      if (ask?.kind !== 'foreign-edit') throw new Error('no question')
      await ask.resolve('accept')
      expect(store.state).toEqual({ count: 7 })
      await store.saveImage(transition, { count: 8 })
      expect(await readFile(place.main, 'utf8')).toBe(stateText({ count: 8 }))
      await store.close()
      await (await place.ready()).close()
    })
  })

  it('that removed the file is noticed too, and mended from the journal', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      await store.saveImage(transition, { count: 1 })
      await rm(place.main)
      await expect(store.saveImage(transition, { count: 2 })).rejects.toMatchObject({ code: 'foreign-edit' })
      const ask = await store.foreignEdit()
      if (ask?.kind !== 'rebuild') throw new Error('no question')
      await ask.resolve()
      expect(store.state).toEqual({ count: 1 })
      await store.saveImage(transition, { count: 2 })
      await store.close()
    })
  })

  it('that left the same bytes is none', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      await store.saveImage(transition, { count: 1 })
      await writeFile(place.main, stateText({ count: 1 }))
      await store.saveImage(transition, { count: 2 })
      expect(store.state).toEqual({ count: 2 })
      await store.close()
    })
  })
})

describe('a codec that puts keys into an order of its own', () => {
  const ordered = z
    .looseObject({ count: z.int() })
    .transform(({ count, ...rest }): State => ({ count, ...rest }))

  it('rolls forward to the bytes that were saved', async () => {
    await inTemporary('ordered', async (root) => {
      const dir = join(root, 'session')
      const open = async () => {
        const options = {
          dir,
          root,
          stateFile: 'state.json',
          codec: jsonCodec(ordered),
          version: 'test',
          seal: sealIn(dir),
        }
        const opening = await openSessionStore<z.infer<typeof ordered>>(options)
        if (opening.kind !== 'ready') throw new Error(opening.kind)
        return opening.store
      }
      const store = await open()
      await store.saveImage(transition, { name: 'x', count: 1 })
      const before = await readFile(join(dir, 'state.json'))
      await store.saveImage(transition, { name: 'y', more: 'z', count: 2 })
      const after = await readFile(join(dir, 'state.json'))
      await store.close()
      await writeFile(join(dir, 'state.json'), before)
      const again = await open()
      expect(await readFile(join(dir, 'state.json'))).toEqual(after)
      await again.close()
    })
  })
})

/** Every sync of a directory waits for what `how` returns, or fails with it. */
async function withDirectorySync<Result>(
  how: () => Promise<void>,
  use: () => Promise<Result>,
): Promise<Result> {
  const probe = await openFile(tmpdir(), 'r')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const real = prototype.sync
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    if (fstatSync(this.fd).isDirectory()) await how()
    return real.call(this)
  })
  try {
    return await use()
  } finally {
    spy.mockRestore()
  }
}

describe('the name of the state file', () => {
  it('may be on the disk later than its record, but no second record is written before', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      await store.saveImage(transition, { count: 1 })
      let release = () => {}
      const held = new Promise<void>((done) => {
        release = done
      })
      await withDirectorySync(
        () => held,
        async () => {
          await store.saveImage(transition, { count: 2 })
          expect(await readFile(place.main, 'utf8')).toBe(stateText({ count: 2 }))
          let isSaved = false
          const third = store.saveImage(transition, { count: 3 }).then(() => {
            isSaved = true
          })
          await sleep(100)
          expect(isSaved).toBe(false)
          const images = (await place.records()).filter((record) => 'image' in record)
          expect(images).toHaveLength(2)
          release()
          await third
        },
      )
      await store.close()
      const again = await place.ready()
      expect(again.state).toEqual({ count: 3 })
      await again.close()
    })
  })

  it('that cannot be synced ends the session, with every record that was acknowledged', async () => {
    await inSession(async (place) => {
      const store = await place.ready()
      const fail = () => Promise.reject(Object.assign(new Error('EIO: no such luck'), { code: 'EIO' }))
      await withDirectorySync(fail, async () => {
        await store.saveImage(transition, { count: 1 })
        await expect(store.saveImage(transition, { count: 2 })).rejects.toMatchObject({
          code: 'storage-dead',
        })
        await expect(store.append({ type: 'held' })).rejects.toMatchObject({ code: 'storage-dead' })
      })
      await store.close()
      const again = await place.ready()
      expect(again.state).toEqual({ count: 1 })
      expect(await place.records()).toHaveLength(1)
      await again.close()
    })
  })
})
