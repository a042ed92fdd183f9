import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  acquireLock,
  describeOwner,
  type LockOwner,
  openElsewhere,
  readOwner,
} from '../../source/storage/lock.js'
import { livenessOf, ownIdentity } from '../../source/storage/lock-owner.js'
import { inTemporary, makeTemporary } from '../support/temporary.js'

const version = { version: 'test' }
const longAgo = new Date('2024-01-01T10:00:00Z')

async function ownerLike(change: Partial<LockOwner>): Promise<LockOwner> {
  const rest = { lockId: 'left-behind', epoch: 4, version: 'old', acquiredAt: '2024-01-01T10:00:00.000Z' }
  return { ...(await ownIdentity()), ...rest, ...change }
}

async function withLockFile<Result>(text: string, use: (dir: string) => Promise<Result>): Promise<Result> {
  return inTemporary('lock', async (dir) => {
    await writeFile(join(dir, 'lock.json'), text)
    return use(dir)
  })
}

describe('liveness', () => {
  const cases: [string, Partial<LockOwner>, string][] = [
    ['this very process', {}, 'alive'],
    ['another start time: the pid was used again', { startTime: '1' }, 'dead'],
    ['no such process', { pid: 999_999_999 }, 'dead'],
    ['another boot', { bootId: 'before' }, 'dead'],
    ['another host, even with a dead pid', { hostname: 'elsewhere', pid: 999_999_999 }, 'unknown'],
    ['another pid namespace, even with a dead pid', { pidNs: 'pid:[1]', pid: 999_999_999 }, 'unknown'],
    ['pid 0', { pid: 0 }, 'unknown'],
    ['pid -1', { pid: -1 }, 'unknown'],
    ['pid 1', { pid: 1 }, 'unknown'],
    ['an unknown start time', { startTime: '' }, 'unknown'],
  ]
  it.each(cases)('%s', async (_name, change, expected) => {
    expect(await livenessOf(await ownerLike(change))).toBe(expected)
  })
})

describe('a lock', () => {
  it('is held by one, seen by others, and gone after the release', async () => {
    await inTemporary('lock', async (dir) => {
      const first = await acquireLock(dir, version)
      if (first.kind !== 'held') throw new Error('not held')
      expect(await acquireLock(dir, version)).toMatchObject({
        kind: 'open',
        liveness: 'alive',
        owner: { pid: process.pid },
      })
      expect(await readOwner(dir)).toMatchObject({ live: true, lockId: first.lock.lockId })
      await first.lock.check()
      expect(await readdir(dir)).toEqual(['lock.json'])
      await first.lock.release()
      await first.lock.release()
      expect(await readdir(dir)).toEqual([])
      expect(await readOwner(dir)).toBeUndefined()
      await expect(first.lock.check()).rejects.toMatchObject({ code: 'fenced' })
    })
  })

  const losses: [string, (path: string, text: string) => Promise<void>][] = [
    ['overwritten with one of the same length', (path, text) => writeFile(path, text)],
    [
      'replaced by another file of the same time',
      async (path, text) => {
        await writeFile(`${path}.other`, text)
        await utimes(`${path}.other`, longAgo, longAgo)
        await rename(`${path}.other`, path)
      },
    ],
    ['removed', (path) => rm(path)],
  ]
  it.each(losses)('that was held for long and %s is lost', async (_name, lose) => {
    await inTemporary('lock', async (dir) => {
      const path = join(dir, 'lock.json')
      const first = await acquireLock(dir, version)
      if (first.kind !== 'held') throw new Error('not held')
      const { lockId } = first.lock
      await utimes(path, longAgo, longAgo)
      await first.lock.check()
      await first.lock.check()
      const text = await readFile(path, 'utf8')
      await lose(path, text.replace(lockId, lockId.replaceAll(/[0-9a-f]/g, 'a')))
      await expect(first.lock.check()).rejects.toMatchObject({ code: 'fenced' })
    })
  })

  const nobodys: [string, (path: string, text: string) => Promise<unknown>][] = [
    ['written over with something that is no lock', (path, text) => writeFile(path, `${text}and more\n`)],
    ['emptied', (path) => writeFile(path, '')],
    ['replaced by a directory', (path) => rm(path).then(() => mkdir(path))],
  ]
  it.each(nobodys)('that was %s is still held, until another one takes it', async (_name, spoil) => {
    await inTemporary('lock', async (dir) => {
      const path = join(dir, 'lock.json')
      const first = await acquireLock(dir, version)
      if (first.kind !== 'held') throw new Error('not held')
      await utimes(path, longAgo, longAgo)
      await first.lock.check()
      const text = await readFile(path, 'utf8')
      await spoil(path, text)
      await first.lock.check()
      await rm(path, { recursive: true, force: true })
      const second = await acquireLock(dir, version)
      expect(second.kind).toBe('held')
      await expect(first.lock.check()).rejects.toMatchObject({ code: 'fenced' })
      if (second.kind === 'held') await second.lock.release()
    })
  })

  it('says that the directory may have been removed when it vanished', async () => {
    await inTemporary('lock', async (dir) => {
      const session = join(dir, 'session')
      await mkdir(session)
      const first = await acquireLock(session, version)
      if (first.kind !== 'held') throw new Error('not held')
      await rm(session, { recursive: true })
      await expect(first.lock.check()).rejects.toMatchObject({
        code: 'fenced',
        what: expect.stringContaining('the session directory may have been removed'),
      })
    })
  })

  it('of a dead process is taken over, one epoch on', async () => {
    const left = JSON.stringify(await ownerLike({ pid: 999_999_999 }))
    await withLockFile(left, async (dir) => {
      expect(await readOwner(dir)).toMatchObject({ live: false })
      const acquired = await acquireLock(dir, version)
      expect(acquired).toMatchObject({
        kind: 'held',
        lock: { epoch: 5 },
        tookOver: { lockId: 'left-behind' },
      })
      expect(await readdir(dir)).toEqual(['lock.json'])
    })
  })

  it('is taken over even if an earlier breaker, and the breaker of that one, died on the way', async () => {
    const dead = async (lockId: string) => JSON.stringify(await ownerLike({ pid: 999_999_999, lockId }))
    await withLockFile(await dead('holder'), async (dir) => {
      await writeFile(join(dir, 'lock.json.break'), await dead('breaker'))
      await writeFile(join(dir, 'lock.json.break-breaker'), await dead('breaker2'))
      expect(await acquireLock(dir, version)).toMatchObject({ kind: 'held' })
      expect(await readdir(dir)).toEqual(['lock.json'])
    })
  })

  const unclear: [string, string][] = [
    ['empty', ''],
    ['garbage', '{"pid": 12'],
    ['a word for a pid', '{"lockId":"x","pid":"abc"}'],
    ['NULs', '\0\0\0\0'],
  ]
  it.each(unclear)('that is %s is nobody to be overrun', async (_name, text) => {
    await withLockFile(text, async (dir) => {
      const acquired = await acquireLock(dir, version)
      expect(acquired).toMatchObject({ kind: 'open', liveness: 'unknown', owner: undefined })
      expect(await readFile(join(dir, 'lock.json'), 'utf8')).toBe(text)
      if (acquired.kind !== 'open') return
      expect(await acquireLock(dir, { ...version, takeover: acquired.lockId })).toMatchObject({
        kind: 'held',
      })
    })
  })

  it('is forced with exactly its id only, and then fences off its live holder', async () => {
    await inTemporary('lock', async (dir) => {
      const first = await acquireLock(dir, version)
      if (first.kind !== 'held') throw new Error('not held')
      const { lockId } = first.lock
      expect((await acquireLock(dir, { ...version, takeover: lockId.slice(1) })).kind).toBe('open')
      const second = await acquireLock(dir, { ...version, takeover: lockId })
      expect(second).toMatchObject({ kind: 'held', lock: { epoch: 2 } })
      await expect(first.lock.check()).rejects.toMatchObject({ code: 'fenced' })
      await first.lock.release()
      if (second.kind === 'held') await second.lock.check()
    })
  })

  it('is described by pid, terminal and time', async () => {
    const owner = await ownerLike({
      pid: 123,
      tty: 'pts/2',
      acquiredAt: new Date(2024, 0, 2, 14, 2).toISOString(),
    })
    expect(describeOwner(owner, new Date(2024, 0, 2, 18))).toBe('pid 123 on pts/2 since 14:02')
    expect(describeOwner(owner, new Date(2024, 0, 3, 18))).toBe('pid 123 on pts/2 since 2024-01-02 14:02')
    expect(openElsewhere('demo', { owner, lockId: 'left-behind' }).todo).toContain(
      'open the session again, choose "take it over" and type the lock id left-behind.',
    )
  })
})

describe('real processes', () => {
  let workshop = ''
  let child = ''
  const started: ChildProcess[] = []

  beforeAll(async () => {
    workshop = await makeTemporary('locks')
    child = join(workshop, 'child.mjs')
    const entry = fileURLToPath(new URL('../support/lock-child.ts', import.meta.url))
    await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: child,
      logLevel: 'error',
    })
  })
  afterAll(async () => {
    for (const process of started) process.kill('SIGKILL')
    await rm(workshop, { recursive: true, force: true })
  })
  const start = (...args: string[]) => {
    const process_ = spawn(process.execPath, [child, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    started.push(process_)
    return process_
  }

  it('six race two hundred times for the lock of a dead one, and never two hold it', async () => {
    const rounds = 200
    const racers = Array.from({ length: 6 }, () => start('race', workshop, String(rounds)))
    const ended = racers.map((racer) => once(racer, 'exit'))
    const left = JSON.stringify(await ownerLike({ pid: 999_999_999 }))
    for (let round = 0; round < rounds; round++) {
      const place = join(workshop, String(round))
      mkdirSync(place)
      writeFileSync(join(place, 'lock.json'), left)
      writeFileSync(join(place, 'go'), '')
    }
    for (const [code] of await Promise.all(ended)) expect(code).toBe(0)
    for (let round = 0; round < rounds; round++) {
      const lines = readFileSync(join(workshop, String(round), 'holders'), 'utf8')
        .trim()
        .split('\n')
      // In even rounds the winner keeps the lock, in odd ones others may have it after the release.
      if (round % 2 === 0) expect(lines, `round ${round}`).toHaveLength(2)
      for (let index = 0; index < lines.length; index += 2) {
        const pid = lines[index]?.split(' ')[0]
        expect(lines.slice(index, index + 2), `round ${round}`).toEqual([`${pid} in`, `${pid} out`])
      }
    }
  })

  it('a holder is told within a second that its lock was taken, and once', async () => {
    const dir = join(workshop, 'watched')
    mkdirSync(dir)
    const first = await acquireLock(dir, version)
    if (first.kind !== 'held') throw new Error(first.kind)
    const told: string[] = []
    first.lock.watch((problem) => told.push(problem.what))
    const second = await acquireLock(dir, { ...version, takeover: first.lock.lockId })
    await expect
      .poll(() => told, { timeout: 1000 })
      .toEqual([expect.stringContaining(`taken over: it is open in pid ${process.pid}`)])
    if (second.kind === 'held') await second.lock.release()
  })

  it('a killed holder is dead; a stopped one is alive, and fenced off after a forced takeover', async () => {
    const dir = join(workshop, 'stopped')
    mkdirSync(dir)
    const holder = start('hold', dir)
    const lines = createInterface({ input: holder.stdout! })[Symbol.asyncIterator]()
    const owner = JSON.parse((await lines.next()).value as string) as LockOwner
    holder.kill('SIGSTOP')
    expect(await acquireLock(dir, version)).toMatchObject({ kind: 'open', liveness: 'alive' })
    const forced = await acquireLock(dir, { ...version, takeover: owner.lockId })
    expect(forced.kind).toBe('held')
    holder.kill('SIGCONT')
    holder.stdin!.write('\n')
    expect((await lines.next()).value).toBe('fenced')
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(await livenessOf(owner)).toBe('dead')
  })
})
