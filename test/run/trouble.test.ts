import { writeFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../source/problem.js'
import { RunStopped } from '../../source/run/stopped.js'
import { TrustChanged } from '../../source/run/trust-changed.js'
import { sealIn } from '../support/seal.js'
import { inTemporary } from '../support/temporary.js'
import { openToy, recordsOf, startToy, type Toy, toyMachine, type Work, yesOrNo } from './toy.js'

// What keeps a run from writing is settled with the person; nothing is lost and nothing written twice.

const full = () => new Problem({ code: 'disk-full', what: 'The disk is full.', why: 'w', todo: 'Free some.' })

/** A store on which a number of calls meet a full disk, before or after their record was written. */
async function onFullDisk(root: string, when: 'before' | 'after', key: string) {
  const store = await openToy(root)
  let failures = 2
  let behind: Awaited<ReturnType<typeof store.saveImage>> | undefined
  const saveImage: typeof store.saveImage = async (fact, next) => {
    const hit = 'key' in fact && fact.key === key && failures > 0
    if (hit && when === 'before') {
      failures -= 1
      throw full()
    }
    const record = await store.saveImage(fact, next)
    if (!hit) return record
    behind = record
    throw full()
  }
  const retry: typeof store.retry = async () => {
    if (!behind) return undefined
    failures -= 1
    if (failures > 0) throw full()
    const record = behind
    behind = undefined
    return record
  }
  return Object.create(store, { saveImage: { value: saveImage }, retry: { value: retry } }) as typeof store
}

const work: Work = (_state, run) =>
  Promise.all(
    ['a', 'b', 'c'].map((name) =>
      run.update(name, (latest) => ({ ...latest, done: [...latest.done, name] })),
    ),
  )

describe('a full disk', () => {
  it.each(['before', 'after'] as const)(
    '%s the record is written: asked until it is, and written once',
    async (when) => {
      await inTemporary('disk', async (root) => {
        const store = await onFullDisk(root, when, 'b')
        const toy = startToy(store, toyMachine(work), { answer: () => ({ value: 'retry' }) })
        expect((await toy.ended).done).toEqual(['a', 'b', 'c'])
        expect(toy.asked.map(({ gate }) => gate)).toEqual(['Q-DISK', 'Q-DISK'])
        expect(toy.live.getSnapshot().banner).toBeUndefined()
        const updates = (await recordsOf(root)).filter((record) => record.type === 'update')
        expect(updates.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
        await store.close()
      })
    },
  )

  it('ends the run when the person says so', async () => {
    await inTemporary('disk', async (root) => {
      const store = await onFullDisk(root, 'before', 'b')
      const toy = startToy(store, toyMachine(work), { answer: () => ({ value: 'stop' }) })
      await expect(toy.ended).rejects.toBeInstanceOf(RunStopped)
      await store.close()
      const again = startToy(await openToy(root), toyMachine(work))
      expect((await again.ended).done.toSorted()).toEqual(['a', 'b', 'c'])
      await again.store.close()
    })
  })
})

describe('something that is executed changed while the run goes on', () => {
  it('is asked before anything is started; the state begins again and does nothing twice', async () => {
    await inTemporary('trust', async (root) => {
      let trusted = false
      let started = 0
      const did: string[] = []
      const consent = async () => {
        trusted = true
      }
      const guarded: Work = async (_state, run) => {
        await run.step('before', () => void did.push('before'))
        await run.step('started', () => {
          if (!trusted) throw new TrustChanged('0123456789abcdef', ['Program: /bin/new'], consent)
          started += 1
        })
      }
      const store = await openToy(root)
      const toy = startToy(store, toyMachine(guarded), { answer: () => ({ value: 'yes' }) })
      expect((await toy.ended).at).toBe('DONE')
      expect(toy.asked.map(({ gate, body }) => [gate, body.at(-1)])).toEqual([
        ['Q-TRUST', 'Program: /bin/new'],
      ])
      expect([did, started]).toEqual([['before'], 1])
      await store.close()
    })
  })

  it('stops the run when the person says so, and starts nothing', async () => {
    await inTemporary('trust', async (root) => {
      const store = await openToy(root)
      let consented = false
      const consent = async () => {
        consented = true
      }
      const guarded: Work = async () => {
        throw new TrustChanged('0123456789abcdef', [], consent)
      }
      const toy = startToy(store, toyMachine(guarded), { answer: () => ({ value: 'stop' }) })
      await expect(toy.ended).rejects.toBeInstanceOf(RunStopped)
      expect(consented).toBe(false)
      await store.close()
    })
  })
})

describe('a journal that is another one while the run goes on', () => {
  const isChanged: [string, (text: string) => string][] = [
    ['put back to an earlier copy', (text) => `${text.split('\n').slice(0, 2).join('\n')}\n`],
    ['edited in the middle, of the same size', (text) => text.replace('"one"', '"two"')],
  ]

  it.each(isChanged)(
    '%s: asked, again while it is so, and gone on with when it is back',
    async (_how, change) => {
      await inTemporary('journal', async (root) => {
        const path = join(root, 'session', 'journal.jsonl')
        let text = ''
        const changing: Work = async (_state, run) => {
          await run.step('one', () => 'one')
          text = await readFile(path, 'utf8')
          await writeFile(path, change(text))
          await run.update('two', (latest) => ({ ...latest, done: [...latest.done, 'two'] }))
        }
        let looks = 0
        const toy = startToy(await openToy(root), toyMachine(changing), {
          answer: () => {
            looks += 1
            if (looks === 2) writeFileSync(path, text)
            return { value: 'again' }
          },
        })
        expect((await toy.ended).done).toEqual(['two'])
        expect(toy.asked.map(({ gate }) => gate)).toEqual(['Q-JOURNAL', 'Q-JOURNAL'])
        await toy.store.close()
        const again = await openToy(root)
        expect(again.notices).toEqual([])
        await again.close()
      })
    },
  )

  it('stopped: nothing is written, and the next start finds what is missing though its seal was put back too', async () => {
    await inTemporary('journal', async (root) => {
      const path = join(root, 'session', 'journal.jsonl')
      const seal = sealIn(join(root, 'session')).path
      const changing: Work = async (_state, run) => {
        const [journal, kept] = [await readFile(path), await readFile(seal)]
        await run.step('one', () => 'one')
        await writeFile(path, journal)
        await rm(seal)
        await writeFile(seal, kept)
        await run.step('two', () => 'two')
      }
      const store = await openToy(root)
      const toy = startToy(store, toyMachine(changing), { answer: () => ({ value: 'stop' }) })
      await expect(toy.ended).rejects.toBeInstanceOf(RunStopped)
      await store.close()
      await expect(openToy(root)).rejects.toThrow()
    })
  })

  it('touched and not changed: nobody is asked', async () => {
    await inTemporary('journal', async (root) => {
      const path = join(root, 'session', 'journal.jsonl')
      const touching: Work = async (_state, run) => {
        await run.step('one', () => 'one')
        await writeFile(path, await readFile(path))
        await run.step('two', () => 'two')
      }
      const toy = startToy(await openToy(root), toyMachine(touching))
      expect((await toy.ended).at).toBe('DONE')
      expect(toy.asked).toEqual([])
      await toy.store.close()
    })
  })
})

describe('a state file that something else changed while the run goes on', () => {
  const edit = async (root: string) => {
    const path = join(root, 'session', 'state.json')
    const state = JSON.parse(await readFile(path, 'utf8')) as Toy
    await writeFile(path, JSON.stringify({ ...state, done: ['by hand'] }))
  }
  /** Edits once, then goes on. */
  const editing = (root: string): Work => {
    let edited = false
    return async (_state, run) => {
      await run.update('one', (latest) => ({ ...latest, done: [...latest.done, 'one'] }))
      if (!edited) await edit(root)
      edited = true
      await run.update('two', (latest) => ({ ...latest, done: [...latest.done, 'two'] }))
    }
  }

  it('is put back: the run goes on as if nothing had been', async () => {
    await inTemporary('edited', async (root) => {
      const toy = startToy(await openToy(root), toyMachine(editing(root)), {
        answer: () => ({ value: 'restore' }),
      })
      expect((await toy.ended).done).toEqual(['one', 'two'])
      expect(toy.asked).toHaveLength(1)
      expect(toy.asked[0]).toMatchObject({ gate: 'Q-EDITED' })
      expect(toy.asked[0]?.body.join('\n')).toContain('by hand')
      await toy.store.close()
    })
  })

  it('is accepted: the state begins again from it', async () => {
    await inTemporary('edited', async (root) => {
      const toy = startToy(await openToy(root), toyMachine(editing(root)), {
        answer: () => ({ value: 'accept' }),
      })
      expect((await toy.ended).done).toEqual(['by hand', 'one', 'two'])
      await toy.store.close()
      const again = await openToy(root)
      expect(again.digest).toMatchObject({ finished: true, adopted: false })
      await again.close()
    })
  })
})

describe('a file that is not what it has to be', () => {
  const broken = (code: 'unreadable' | 'outside' | 'not-found') =>
    new Problem({ code, what: '/p/state.json cannot be read: it is a pipe.', why: 'w', todo: 'Put it back.' })

  it.each(['unreadable', 'outside', 'not-found'] as const)(
    '(%s) is asked about with its path, looked at again, and nothing is done twice',
    async (code) => {
      await inTemporary('file', async (root) => {
        let mended = false
        const did: string[] = []
        const reading: Work = async (_state, run) => {
          await run.step('before', () => void did.push('before'))
          await run.step('read', () => {
            if (!mended) throw broken(code)
            did.push('read')
          })
        }
        const toy = startToy(await openToy(root), toyMachine(reading), {
          answer: () => {
            mended = true
            return { value: 'again' }
          },
        })
        await toy.ended
        expect(toy.asked.map(({ gate }) => gate)).toEqual(['Q-FILE'])
        expect(toy.asked[0]?.body).toEqual([
          '/p/state.json cannot be read: it is a pipe.',
          'w',
          'Put it back.',
        ])
        expect(did).toEqual(['before', 'read'])
        await toy.store.close()
      })
    },
  )

  it('is asked about before the first state, and when the session is taken up again', async () => {
    await inTemporary('file', async (root) => {
      let looked = 0
      const once = async () => {
        looked += 1
        if (looked % 2 === 1) throw broken('unreadable')
      }
      const machine = toyMachine(async (_state, run) => run.ask('hold', yesOrNo('Go on?')), {
        open: async (run) => {
          await run.step('first', once)
          return { at: 'WORK', done: [] }
        },
        resume: async (_state, run) => run.note('seen', 'seen').then(once),
      })
      const answer =
        (stop: boolean) =>
        ({ gate }: { gate: string }) => ({
          value: gate === 'Q-FILE' ? 'again' : stop ? 'stop' : 'yes',
        })
      const first = startToy(await openToy(root), machine, { answer: answer(true) })
      await expect(first.ended).rejects.toBeInstanceOf(RunStopped)
      expect(first.asked.map(({ gate }) => gate)).toEqual(['Q-FILE', 'Q-TOY'])
      await first.store.close()
      const second = startToy(await openToy(root), machine, { answer: answer(false) })
      await second.ended
      expect(second.asked.map(({ gate }) => gate)).toEqual(['Q-FILE', 'Q-TOY'])
      await second.store.close()
    })
  })

  it('ends the run when the person says so; any other problem ends it unasked', async () => {
    await inTemporary('file', async (root) => {
      const first = startToy(
        await openToy(root),
        toyMachine(async () => Promise.reject(broken('unreadable'))),
        { answer: () => ({ value: 'stop' }) },
      )
      await expect(first.ended).rejects.toBeInstanceOf(RunStopped)
      await first.store.close()
      const other = new Problem({ code: 'git', what: 'w', why: 'w', todo: 't' })
      const second = startToy(
        await openToy(root),
        toyMachine(async () => Promise.reject(other)),
      )
      await expect(second.ended).rejects.toBe(other)
      expect(second.asked).toEqual([])
      await second.store.close()
    })
  })
})
