import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RunStopped } from '../../source/run/stopped.js'
import { inTemporary } from '../support/temporary.js'
import { openToy, recordsOf, reply, startToy, type Toy, toyMachine, type Work, yesOrNo } from './toy.js'

// What a state function gets back, the first time and after a restart, also of another revision.

const meta = { persona: 'worker', title: 'Work', phase: '2.1' }

/** Runs the work in one process, killed after so many lines; then in another, to the end. */
async function twice(root: string, killAfter: number, work: Work, after: Work = work) {
  const first = startToy(await openToy(root), toyMachine(work), {
    killAfter,
    answer: () => ({ value: 'yes' }),
  })
  await Promise.race([first.killed, first.ended])
  const store = await openToy(root, first.store.lock.lockId)
  await first.store.close()
  const second = startToy(store, toyMachine(after), { answer: () => ({ value: 'yes' }) })
  await second.ended
  await store.close()
  return second
}

it('tells an answer by the words of its option, on the screen and in the journal', async () => {
  await inTemporary('replay', async (root) => {
    const options = [{ value: 'yes', label: 'yes, do it', consequence: '' }]
    const work: Work = (_state, run) => run.ask('sure', yesOrNo('Sure?', { options }))
    const toy = startToy(await openToy(root), toyMachine(work), { answer: () => ({ value: 'yes' }) })
    await toy.ended
    await toy.store.close()
    for (const timeline of [toy.live.getSnapshot().timeline, toy.store.digest.timeline])
      expect(timeline.map(({ text }) => text)).toContain('answered: yes, do it')
  })
})

describe('what a step returns', () => {
  it('is its JSON form, the first time and replayed', async () => {
    await inTemporary('replay', async (root) => {
      const seen: unknown[] = []
      const work: Work = async (_state, run) => {
        seen.push(await run.step('made', () => ({ at: new Date(0), gone: undefined, list: [undefined, 1] })))
        seen.push(await run.step('nothing', () => undefined))
        const { dispatchId, ...rest } = await run.agent('work', meta, async () => ({
          ...reply('x'),
          when: new Date(0),
        }))
        seen.push(typeof dispatchId, rest)
        seen.push(await run.update('counted', (latest) => ({ ...latest, done: ['a'], absent: undefined })))
        const intent = { at: new Date(0) }
        const effect = {
          prepare: async () => intent,
          apply: async (given: { at: string }) => ({ given, none: undefined }),
          recover: async () => undefined,
        }
        seen.push(await run.effect('once', effect))
        await run.step('last', () => 1)
      }
      const lines = 100
      await twice(root, lines, work)
      const once = seen.splice(0)
      expect(once).toEqual([
        { at: '1970-01-01T00:00:00.000Z', list: [null, 1] },
        null,
        'string',
        { ...reply('x'), when: '1970-01-01T00:00:00.000Z' },
        { at: 'WORK', done: ['a'] },
        { given: { at: '1970-01-01T00:00:00.000Z' } },
      ])
      expect('gone' in (once[0] as object)).toBe(false)
    })
  })

  it('is the same after a restart at every line', async () => {
    const seen: string[] = []
    const work: Work = async (_state, run) => {
      const made = await run.step('made', () => ({ at: new Date(0) }))
      const { dispatchId: _id, ...replied } = await run.agent('work', meta, async () => reply('x'))
      const one = await run.update('one', (latest) => ({ ...latest, done: [...latest.done, 'one'] }))
      const two = await run.update('two', (latest) => ({ ...latest, done: [...latest.done, 'two'] }))
      await run.note('noted', 'a line')
      seen.push(JSON.stringify([made, replied, one, two]))
    }
    for (let line = 1; line <= 11; line += 1) {
      await inTemporary('replay', async (root) => {
        const second = await twice(root, line, work)
        expect(second.leftovers, `line ${line}`).toEqual([])
        expect(second.store.state).toEqual({ at: 'DONE', done: ['one', 'two'] })
      })
    }
    expect(new Set(seen).size).toBe(1)
  })
})

describe('a visit of another revision', () => {
  const work: Work = async (_state, run) => {
    await run.step('before', () => 1)
    await run.ask('sure', yesOrNo('Sure?', { body: ['of this'] }))
    await run.agent('work', meta, async () => reply('first'))
    await run.ask('more', yesOrNo('More?'))
  }

  /** Interrupted in front of the last question. */
  async function interrupted(root: string) {
    const answer = (question: { title: string }) =>
      question.title === 'Sure?' ? { value: 'yes' } : undefined
    const first = startToy(await openToy(root), toyMachine(work), { answer })
    await expect.poll(() => first.asked.at(-1)?.title).toBe('More?')
    return openToy(root, first.store.lock.lockId)
  }

  it('is begun again when the person says so: answers hold where the same is asked, agents work anew', async () => {
    await inTemporary('revision', async (root) => {
      const store = await interrupted(root)
      const dispatched: string[] = []
      const again: Work = async (_state, run) => {
        // Another key, the same question; what is recommended is not what was answered.
        const draft = yesOrNo('Sure?', { body: ['of this'] })
        const options = draft.options.map((option, at) => ({ ...option, recommended: at === 0 }))
        const sure = await run.ask('really', { ...draft, options })
        expect(sure).toEqual({ value: 'yes' })
        await run.agent('work', meta, async () => {
          dispatched.push('again')
          return reply('second')
        })
        await run.ask('more', yesOrNo('More?', { body: ['of something new'] }))
      }
      const machine = toyMachine(again, { revisions: { WORK: 2 } })
      const values: Record<string, string> = { 'Q-REVISION': 'again' }
      const second = startToy(store, machine, {
        answer: (question) => ({ value: values[question.gate] ?? 'no' }),
      })
      await second.ended
      await store.close()
      expect(second.asked.map(({ title }) => title)).toEqual([
        'WORK was interrupted and cannot be gone on with step by step',
        'More?',
      ])
      expect(dispatched).toEqual(['again'])
      expect(second.leftovers).toEqual([])
      const visits = (await recordsOf(root)).filter((record) => record.type === 'visit')
      expect(visits.at(-1)).toMatchObject({ workflow: 'toy', revision: 2, again: 2 })
    })
  })

  it('keeps the answers over another interruption, and uses each once', async () => {
    await inTemporary('revision', async (root) => {
      const store = await interrupted(root)
      const again: Work = async (_state, run) => {
        await run.step('new', () => 1)
        await run.ask('one', yesOrNo('Sure?', { body: ['of this'] }))
        await run.ask('two', yesOrNo('Sure?', { body: ['of this'] }))
      }
      const machine = toyMachine(again, { revisions: { WORK: 2 } })
      const answer = (question: { gate: string }) => ({
        value: question.gate === 'Q-REVISION' ? 'again' : 'no',
      })
      // opened, asked, answered, visit, step
      const second = startToy(store, machine, { answer, killAfter: 5 })
      await second.killed
      const third = startToy(await openToy(root, store.lock.lockId), machine, { answer })
      await third.ended
      expect(third.asked.map(({ title }) => title)).toEqual(['Sure?'])
      const given = (await recordsOf(root)).filter((record) => record.type === 'answered' && !record.aside)
      expect(given.slice(-2)).toMatchObject([
        { key: 'one', kept: true, answer: { answer: { value: 'yes' } } },
        { key: 'two', answer: { answer: { value: 'no' } } },
      ])
      await third.store.close()
    })
  })

  it('stays as it is after a stop, and is asked about again', async () => {
    await inTemporary('revision', async (root) => {
      const store = await interrupted(root)
      const machine = toyMachine(work, { revisions: { WORK: 2 } })
      const second = startToy(store, machine, { answer: () => ({ value: 'stop' }) })
      await expect(second.ended).rejects.toBeInstanceOf(RunStopped)
      await store.close()
      const third = startToy(await openToy(root), machine)
      await expect.poll(() => third.asked[0]?.gate).toBe('Q-REVISION')
      third.stop()
      await expect(third.ended).rejects.toBeInstanceOf(RunStopped)
      await third.store.close()
    })
  })

  it('is what 0.1.0 left: its visits have none', async () => {
    await inTemporary('revision', async (root) => {
      await (await interrupted(root)).close()
      const path = join(root, 'session', 'journal.jsonl')
      const text = await readFile(path, 'utf8')
      await writeFile(path, text.replace(/"workflow":"toy","revision":1,"version":"[^"]*"/g, '"old":true'))
      await rm(join(root, 'session', '.seal'), { recursive: true })
      const second = startToy(await openToy(root), toyMachine(work), { answer: () => ({ value: 'again' }) })
      await expect.poll(() => second.asked[0]?.gate).toBe('Q-REVISION')
      second.stop()
      await second.ended.catch(() => undefined)
      await second.store.close()
    })
  })

  it('between two visits nothing is asked', async () => {
    await inTemporary('revision', async (root) => {
      const first = startToy(await openToy(root), toyMachine(work), { killAfter: 3 })
      await first.killed
      const second = startToy(
        await openToy(root, first.store.lock.lockId),
        toyMachine(async () => {}, { revisions: { WORK: 7 } }),
      )
      await second.ended
      expect(second.asked).toEqual([])
      await second.store.close()
    })
  })
})

describe('what does not fit', () => {
  it('records that no code asks for are noticed, with a note for the person', async () => {
    await inTemporary('leftover', async (root) => {
      const before: Work = async (_state, run) => {
        await run.step('old', () => 1)
        await run.update('kept', (latest: Toy) => ({ ...latest, done: ['x'] }))
        await run.step('last', () => 1)
      }
      // opened, visit INIT, transition, visit WORK, step, update
      const second = await twice(root, 6, before, async (_state, run) => {
        await run.update('kept', (latest) => latest)
      })
      expect(second.leftovers).toEqual([['step old']])
      const { timeline } = second.store.digest
      expect(timeline.map(({ text }) => text).find((text) => text.includes('step old'))).toContain('WORK')
    })
  })

  it('a session of another workflow is a Problem, and nothing is written', async () => {
    await inTemporary('other', async (root) => {
      const first = startToy(
        await openToy(root),
        toyMachine(async () => {}),
        { killAfter: 3 },
      )
      await first.killed
      const store = await openToy(root, first.store.lock.lockId)
      const before = (await recordsOf(root)).length
      const second = startToy(
        store,
        toyMachine(async () => {}, { workflow: 'other' }),
      )
      await expect(second.ended).rejects.toMatchObject({ code: 'unknown-workflow' })
      expect((await recordsOf(root)).length).toBe(before + 1)
      await store.close()
    })
  })

  it('a visit whose state is lost with a line of the journal is asked about', async () => {
    await inTemporary('damaged', async (root) => {
      const work: Work = async (_state, run) => {
        for (const name of ['a', 'b', 'c'])
          await run.update(name, (latest) => ({ ...latest, done: [...latest.done, name.repeat(40)] }))
        await run.step('last', () => 1)
      }
      const first = startToy(await openToy(root), toyMachine(work), { killAfter: 7 })
      await first.killed
      await first.store.close()
      const path = join(root, 'session', 'journal.jsonl')
      const lines = (await readFile(path, 'utf8')).split('\n')
      await writeFile(path, lines.map((line, at) => (at === 4 ? line.slice(0, 30) : line)).join('\n'))
      // Under a seal nothing behind such a line would count; an older journal may hold one.
      await rm(join(root, 'session', '.seal'), { recursive: true })
      const second = startToy(await openToy(root), toyMachine(work), { answer: () => ({ value: 'again' }) })
      await second.ended
      expect(second.asked.map(({ gate }) => gate)).toEqual(['Q-REVISION'])
      await second.store.close()
    })
  })
})
