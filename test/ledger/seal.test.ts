import { createHash, randomUUID } from 'node:crypto'
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readJournal } from '../../source/ledger/journal.js'
import { readSeal } from '../../source/ledger/seal.js'
import { openSessionStore, type SessionOpening } from '../../source/ledger/session-store.js'
import { readDigest } from '../../source/ledger/summary-file.js'
import { jsonCodec } from '../../source/storage/json-codec.js'
import { testKey } from '../support/seal.js'
import { inTemporary } from '../support/temporary.js'

// What is found when a session is opened, and what is done about it (docs/durability.md, "The seal").

const schema = z.looseObject({ count: z.int() })
type State = z.infer<typeof schema>
const transition = { type: 'transition', visit: 1, from: 'A', to: 'B' } as const

interface Place {
  dir: string
  journal: string
  main: string
  seal: { path: string; key: Buffer }
  open(change?: { key?: Buffer; fresh?: boolean }): Promise<SessionOpening<State>>
}

async function inSession(use: (place: Place) => Promise<void>): Promise<void> {
  await inTemporary('seal', async (root) => {
    const dir = join(root, 'project', 'session')
    await mkdir(dirname(dir))
    const seal = { path: join(root, 'state', 'seal.json'), key: testKey }
    const open: Place['open'] = ({ key = testKey, fresh = false } = {}) =>
      openSessionStore({
        dir,
        root: dirname(dir),
        stateFile: 'state.json',
        codec: jsonCodec(schema),
        version: 'test',
        seal: { ...seal, key },
        fresh,
      })
    await use({ dir, journal: join(dir, 'journal.jsonl'), main: join(dir, 'state.json'), seal, open })
  })
}

async function ready(opening: Promise<SessionOpening<State>> | SessionOpening<State>) {
  const opened = await opening
  if (opened.kind !== 'ready') throw new Error(`not ready: ${JSON.stringify(opened)}`)
  return opened.store
}

async function asks(opening: Promise<SessionOpening<State>> | SessionOpening<State>) {
  const opened = await opening
  if (opened.kind !== 'ask') throw new Error(`not asked: ${opened.kind}`)
  return opened
}

/** Three transitions, with a note before each. */
async function lived(place: Place): Promise<void> {
  const store = await ready(place.open())
  for (const count of [1, 2, 3]) {
    await store.append({ type: 'note', kind: 'note', text: `before ${count}` })
    await store.saveImage(transition, { count })
  }
  await store.close()
}

const linesOf = async (path: string) => (await readFile(path, 'utf8')).split('\n').slice(0, -1)
const writeLines = (path: string, lines: readonly string[]) =>
  writeFile(path, lines.map((line) => `${line}\n`).join(''))
const aside = async (place: Place, label: string) =>
  (await readdir(place.dir)).filter((name) => name.startsWith(`journal.${label}-`))

/** Everything below the session, to see that nothing was changed. */
async function everything(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name), 'latin1')])),
  )
}

const forged = (lines: readonly string[]) => {
  const { mac: _, prev: __, ...last } = JSON.parse(lines.at(-1) ?? '')
  return JSON.stringify({
    ...last,
    id: 'forged',
    rev: last.rev + 1,
    type: 'note',
    kind: 'note',
    text: 'forged',
  })
}

/** What somebody without the key can make: it names the line before it, as one of ours does. */
const naming = (before = '') => {
  const prev = createHash('sha256').update(before).digest('hex')
  return `{"v":3,"type":"surprise","prev":"${prev}","mac":"${'0'.repeat(64)}"}`
}

describe('a journal that is what was sealed', () => {
  it('opens without a question, and says where it ended', async () => {
    await inSession(async (place) => {
      await lived(place)
      const seal = await readSeal(place.seal)
      const { size } = await stat(place.journal)
      expect(seal).toMatchObject({ kind: 'ok', mark: { size, lines: 6, from: 0 } })
      expect((await stat(place.seal.path)).mode & 0o777).toBe(0o600)
      const store = await ready(place.open())
      expect([store.state, store.notices]).toEqual([{ count: 3 }, []])
      await store.close()
    })
  })

  it('gives back what the steps of the open visit have left, and claims none of an earlier one', async () => {
    await inSession(async (place) => {
      const store = await ready(place.open())
      await store.append({ type: 'visit', visit: 1, state: 'A' })
      await store.append({ type: 'step', visit: 1, key: 'old', result: 'of an earlier visit' })
      await store.saveImage(transition, { count: 1 })
      await store.append({ type: 'visit', visit: 2, state: 'B' })
      await store.append({ type: 'step', visit: 2, key: 'a', result: { text: 'first', of: [1, 'é'] } })
      await store.append({ type: 'step', visit: 2, key: 'a', result: 'newest' })
      await store.append({ type: 'step', visit: 2, key: 'b', result: null })
      await store.close()
      const again = await ready(place.open())
      expect(again.visit.find('step', 'a')).toMatchObject({ visit: 2, key: 'a', result: 'newest' })
      expect(again.visit.find('step', 'b')?.result).toBeNull()
      expect(again.visit.find('step', 'old')).toBeUndefined()
      expect(again.visit.count('step', 'a')).toBe(2)
      expect(again.visit.leftovers()).toEqual(['step a', 'step b'])
      await again.append({ type: 'step', visit: 2, key: 'c', result: 1 })
      expect(again.visit.leftovers()).toEqual(['step a', 'step b'])
      await again.close()
    })
  })

  it('is gone on with where the seal is older: what came after it holds line by line', async () => {
    await inSession(async (place) => {
      await lived(place)
      const older = await readFile(place.seal.path)
      const store = await ready(place.open())
      await store.saveImage(transition, { count: 4 })
      await store.close()
      await writeFile(place.seal.path, older)
      const again = await ready(place.open())
      expect(again.state).toEqual({ count: 4 })
      await again.close()
    })
  })

  it('a seal that was torn while it was written leaves the one before', async () => {
    await inSession(async (place) => {
      await lived(place)
      const whole = await readFile(place.seal.path, 'utf8')
      for (const at of [10, 340]) {
        await writeFile(place.seal.path, `${whole.slice(0, at)}x${whole.slice(at + 1)}`)
        const store = await ready(place.open())
        expect(store.state).toEqual({ count: 3 })
        await store.close()
      }
    })
  })

  it('bytes without a newline are torn: set aside, nobody accused', async () => {
    await inSession(async (place) => {
      await lived(place)
      await appendFile(place.journal, '{"v":2,"id":"to')
      const store = await ready(place.open())
      expect(store.notices).toEqual([expect.stringContaining('not complete')])
      expect(await aside(place, 'torn')).toHaveLength(1)
      await store.close()
    })
  })
})

describe('foreign records', () => {
  it.each([
    ['behind the last line', (lines: string[]) => [...lines, forged(lines)]],
    ['two of them', (lines: string[]) => [...lines, 'garbage', forged(lines)]],
    ['between lines of ours', (lines: string[]) => [...lines.slice(0, 3), forged(lines), ...lines.slice(3)]],
    [
      'between them, naming the one before',
      (lines: string[]) => [...lines.slice(0, 3), naming(lines[2]), ...lines.slice(3)],
    ],
    ['at the end, naming the one before', (lines: string[]) => [...lines, naming(lines.at(-1))]],
    ['a copy of one of ours', (lines: string[]) => [...lines, lines[2] ?? '']],
    ['of a newer format', (lines: string[]) => [...lines, '{"v":3,"type":"surprise"}']],
  ])('%s: shown, cut off, kept beside, never acted on', async (_name, harm) => {
    await inSession(async (place) => {
      await lived(place)
      const lines = await linesOf(place.journal)
      const harmed = harm(lines)
      await writeLines(place.journal, harmed)
      const before = await everything(place.dir)
      const stopped = await asks(place.open())
      expect(stopped.ask).toMatchObject({ kind: 'journal', finding: { kind: 'foreign' } })
      await stopped.close()
      expect(await everything(place.dir)).toEqual(before)

      const { ask, proceed } = await asks(place.open())
      if (ask.kind !== 'journal' || ask.finding.kind !== 'foreign') throw new Error(ask.kind)
      const texts = ask.finding.lines.map(({ text }) => text)
      expect(texts).toHaveLength(harmed.length - lines.length)
      const store = await ready(proceed())
      expect(store.state).toEqual({ count: 3 })
      expect(store.digest.timeline.map(({ text }) => text)).not.toContain('forged')
      await store.close()
      expect(await linesOf(place.journal)).toEqual(lines)
      const [kept = ''] = await aside(place, 'foreign')
      for (const text of texts) expect(await readFile(join(place.dir, kept), 'utf8')).toContain(text)
      await (await ready(place.open())).close()
    })
  })

  it('while it is open: the next record waits until it was decided, nothing is lost', async () => {
    await inSession(async (place) => {
      const store = await ready(place.open())
      await store.saveImage(transition, { count: 1 })
      await appendFile(place.journal, `${forged(await linesOf(place.journal))}\n`)
      await expect(store.saveImage(transition, { count: 2 })).rejects.toMatchObject({ code: 'foreign-edit' })
      expect(JSON.parse(await readFile(place.main, 'utf8'))).toEqual({ count: 1 })
      // What was on its way to the disk for it is gone.
      const left = (await readdir(place.dir)).filter((name) => name.startsWith('.state.json'))
      expect(left).toEqual([])
      const ask = await store.foreignEdit()
      if (ask?.kind !== 'foreign-records') throw new Error('no question')
      expect(ask.lines).toMatchObject([{ line: 2, text: expect.stringContaining('forged') }])
      await ask.resolve()
      await store.saveImage(transition, { count: 2 })
      await store.close()
      const { records } = await readJournal(place.journal)
      expect(records.map(({ type }) => type)).toEqual(['transition', 'recovered', 'transition'])
      await (await ready(place.open())).close()
    })
  })
})

describe('sealed records that are missing or changed', () => {
  const edited = (lines: string[], at: number) =>
    lines.map((line, index) =>
      index === at ? line.replace(/"(count|text)":("before )?(\d)/, '"$1":$29') : line,
    )
  const harms: [string, (lines: string[]) => string[], string, number | undefined][] = [
    [
      'the last image is changed',
      (lines) => edited(lines, 5),
      'Line 6 does not hold: it was changed, or autopilot did not write it',
      2,
    ],
    ['an earlier one is changed', (lines) => edited(lines, 2), 'Line 3 does not hold', 1],
    ['the end is cut off', (lines) => lines.slice(0, 4), 'had 6 lines', 2],
    [
      'a line is repeated',
      (lines) => [...lines.slice(0, 4), lines[3] ?? '', ...lines.slice(4)],
      'Line 5 does not hold',
      3,
    ],
    ['a line is removed', (lines) => lines.filter((_, at) => at !== 3), 'Line 4 does not hold', 1],
    [
      'two lines are swapped',
      (lines) => [...lines.slice(0, 3), lines[4] ?? '', lines[3] ?? '', ...lines.slice(5)],
      'Line 4 does not hold',
      2,
    ],
  ]
  it.each(harms)(
    '%s: refused, named, and the state stays unless the person goes back',
    async (_n, harm, what, back) => {
      await inSession(async (place) => {
        await lived(place)
        await writeLines(place.journal, harm(await linesOf(place.journal)))
        const before = await everything(place.dir)
        const stopped = await asks(place.open())
        expect(stopped.ask).toMatchObject({ kind: 'journal', finding: { kind: 'damaged', usable: true } })
        if (stopped.ask.kind === 'journal' && stopped.ask.finding.kind === 'damaged')
          expect(stopped.ask.finding.what).toContain(what)
        await stopped.close()
        expect(await everything(place.dir)).toEqual(before)

        const store = await ready((await asks(place.open())).proceed())
        expect(store.state).toEqual({ count: back })
        await store.close()
        const [kept = ''] = await aside(place, 'damaged')
        expect(await readFile(join(place.dir, kept), 'latin1')).toBe(before['journal.jsonl'])
        const state = (await readdir(place.dir)).filter((name) => name.startsWith('state.json.edited-'))
        // Where nothing is lost, the state file says what the journal says, and stays.
        expect(state).toHaveLength(back === 3 ? 0 : 1)
        await (await ready(place.open())).close()
      })
    },
  )
})

describe('no seal', () => {
  it.each([
    ['it was removed', (place: Place) => rm(place.seal.path)],
    ['it is nonsense', (place: Place) => writeFile(place.seal.path, '[]')],
  ])('%s: asked once, then sealed', async (_name, harm) => {
    await inSession(async (place) => {
      await lived(place)
      await harm(place)
      const before = await everything(place.dir)
      const stopped = await asks(place.open())
      expect(stopped.ask).toMatchObject({ kind: 'journal', finding: { kind: 'unsealed' } })
      await stopped.close()
      expect(await everything(place.dir)).toEqual(before)

      const store = await ready((await asks(place.open())).proceed())
      expect(store.state).toEqual({ count: 3 })
      await store.saveImage(transition, { count: 4 })
      await store.close()
      const again = await ready(place.open())
      expect(again.state).toEqual({ count: 4 })
      await again.close()
    })
  })

  it('of another machine: taken over once, and what was before cannot be changed any more', async () => {
    await inSession(async (place) => {
      await lived(place)
      await rm(place.seal.path)
      const key = Buffer.alloc(32, 9)
      const store = await ready((await asks(place.open({ key }))).proceed())
      await store.close()
      await (await ready(place.open({ key }))).close()
      const lines = await linesOf(place.journal)
      await writeLines(place.journal, [(lines[0] ?? '').replace('before 1', 'before X'), ...lines.slice(1)])
      const { ask, proceed } = await asks(place.open({ key }))
      expect(ask).toMatchObject({ finding: { kind: 'damaged', usable: false } })
      await expect(proceed()).rejects.toMatchObject({ code: 'both-bad' })
    })
  })

  it('is asked for again where somebody without the key says that all was taken over', async () => {
    await inSession(async (place) => {
      await lived(place)
      await rm(place.seal.path)
      const before = await readFile(place.journal)
      const last = JSON.parse((await linesOf(place.journal)).at(-1) ?? '')
      const hash = createHash('sha256').update(before).digest('hex')
      const { mac: _, prev, ...head } = last
      const made = { id: randomUUID(), rev: last.rev + 1, type: 'sealed-from', hash, size: before.length }
      const claim = { ...head, ...made, prev }
      await appendFile(place.journal, `${JSON.stringify({ ...claim, mac: '0'.repeat(64) })}\n`)
      const { ask, close } = await asks(place.open())
      expect(ask).toMatchObject({ kind: 'journal', finding: { kind: 'unsealed' } })
      await close()
    })
  })

  it('is asked for again where something was written behind the record that took it over', async () => {
    await inSession(async (place) => {
      await lived(place)
      await rm(place.seal.path)
      await (await ready((await asks(place.open())).proceed())).close()
      await rm(place.seal.path)
      await appendFile(place.journal, `${forged(await linesOf(place.journal))}\n`)
      const { ask, close } = await asks(place.open())
      expect(ask).toMatchObject({ kind: 'journal', finding: { kind: 'unsealed' } })
      await close()
    })
  })

  it('of another hand is none: its lines are not believed', async () => {
    await inSession(async (place) => {
      await lived(place)
      const text = await readFile(place.seal.path, 'utf8')
      // The journal is cut, and the seal says that this is how it was.
      const lines = (await linesOf(place.journal)).slice(0, 4)
      await writeLines(place.journal, lines)
      const { size } = await stat(place.journal)
      const prev = createHash('sha256')
        .update(lines.at(-1) ?? '')
        .digest('hex')
      const told = text
        .replaceAll(/"size":\d+/g, `"size":${size}`)
        .replaceAll('"lines":6', '"lines":4')
        .replaceAll(/"last":"[0-9a-f]+"/g, `"last":"${prev}"`)
      expect(told).not.toBe(text)
      await writeFile(place.seal.path, told)
      const { ask, close } = await asks(place.open())
      expect(ask).toMatchObject({ kind: 'journal', finding: { kind: 'unsealed' } })
      await close()
    })
  })

  it('is not asked again when the process died before the new seal was there', async () => {
    await inSession(async (place) => {
      await lived(place)
      await rm(place.seal.path)
      await (await ready((await asks(place.open())).proceed())).close()
      await rm(place.seal.path)
      const store = await ready(place.open())
      await store.saveImage(transition, { count: 4 })
      await store.close()
      await (await ready(place.open())).close()
    })
  })
})

describe('a journal that is gone', () => {
  it('with a seal there: told, and nothing is made before the person has said so', async () => {
    await inSession(async (place) => {
      await lived(place)
      await rm(place.dir, { recursive: true })
      const stopped = await asks(place.open())
      expect(stopped.ask).toMatchObject({ kind: 'removed', left: [] })
      await stopped.close()
      await expect(stat(place.dir)).rejects.toMatchObject({ code: 'ENOENT' })

      const { ask, proceed } = await asks(place.open())
      if (ask.kind !== 'removed') throw new Error(ask.kind)
      await ask.resolve()
      const store = await ready(proceed())
      expect(store.state).toBeUndefined()
      await store.close()
      const names = await readdir(dirname(place.seal.path))
      expect(names.filter((name) => name.startsWith('seal.json.removed-'))).toHaveLength(1)
    })
  })

  it('in a project that was made a moment ago means nothing', async () => {
    await inSession(async (place) => {
      await lived(place)
      await rm(place.dir, { recursive: true })
      await (await ready(place.open({ fresh: true }))).close()
    })
  })

  it.each([
    ['harness-execution', true],
    ['harness-autopilot', true],
    ['', true],
    ['harness-planning', false],
    ['harness-brainstorming', false],
  ])('and no seal, but the handoff of "%s" alone: asked %s', async (fromSkill, isAsked) => {
    await inSession(async (place) => {
      await mkdir(place.dir)
      await writeFile(join(place.dir, 'handoff.json'), JSON.stringify({ fromSkill }))
      const opening = await place.open()
      expect(opening.kind).toBe(isAsked ? 'ask' : 'ready')
      if (opening.kind === 'ready') return opening.store.close()
      if (opening.kind !== 'ask') return
      expect(opening.ask).toMatchObject({ kind: 'traces', left: ['handoff.json'] })
      await opening.close()
      expect(await readdir(place.dir)).toEqual(['handoff.json'])
    })
  })

  it.each(['logs', 'dispatches'])('and no seal, but %s: asked before anything is written', async (name) => {
    await inSession(async (place) => {
      await mkdir(place.dir)
      if (name.endsWith('.json')) await writeFile(join(place.dir, name), '{}')
      else await mkdir(join(place.dir, name))
      const before = await readdir(place.dir)
      const { ask, close, proceed } = await asks(place.open())
      expect(ask).toMatchObject({ kind: 'traces', left: [name] })
      await close()
      expect(await readdir(place.dir)).toEqual(before)
      await (await ready(proceed())).close()
      await (await ready(place.open())).close()
    })
  })
})

describe('for a list', () => {
  it('a summary that was written by another hand is not believed', async () => {
    await inSession(async (place) => {
      await lived(place)
      const path = join(place.dir, 'summary.json')
      expect(await readDigest(place.dir, place.seal)).toMatchObject({ read: 0 })
      await writeFile(path, (await readFile(path, 'utf8')).replace('"finished":false', '"finished":true'))
      const reading = await readDigest(place.dir, place.seal)
      expect(reading?.digest.finished).toBe(false)
      expect(reading?.read).toBeGreaterThan(0)
    })
  })

  it('a foreign tail, a cut and an older journal with its summary are told; only the tail is read', async () => {
    await inSession(async (place) => {
      await lived(place)
      const old = join(dirname(dirname(place.dir)), 'old')
      await cp(place.dir, old, { recursive: true })
      const lines = await linesOf(place.journal)
      await writeLines(place.journal, [...lines, forged(lines)])
      const reading = await readDigest(place.dir, place.seal)
      expect(reading).toMatchObject({ read: 0, foreign: expect.stringContaining('1 line ') })
      await truncate(place.journal, (await readFile(join(old, 'journal.jsonl'))).length)
      expect((await readDigest(place.dir, place.seal))?.foreign).toBeUndefined()

      const store = await ready(place.open())
      await store.saveImage(transition, { count: 4 })
      await store.close()
      await cp(old, place.dir, { recursive: true, force: true })
      expect(await readDigest(place.dir, place.seal)).toMatchObject({
        foreign: expect.stringContaining('damaged'),
      })
      expect(await readDigest(place.dir, undefined)).toMatchObject({
        foreign: expect.stringContaining('another version'),
      })
    })
  })
})
