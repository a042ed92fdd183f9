import { access, appendFile, cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openSessionStore, type SessionStore } from '../../source/ledger/session-store.js'
import { jsonCodec } from '../../source/ledger/state-codec.js'
import { readDigest } from '../../source/ledger/summary-file.js'
import { sealOf } from '../../source/secrets/hmac.js'
import { sealIn, testKey } from '../support/seal.js'
import { inTemporary } from '../support/temporary.js'

const codec = jsonCodec(z.looseObject({ count: z.int() }))
type State = { count: number }

async function open(
  dir: string,
  describe: (state: State | undefined) => void = () => undefined,
): Promise<SessionStore<State>> {
  const opening = await openSessionStore<State>({
    dir,
    root: join(dir, '..'),
    stateFile: 'state.json',
    codec,
    version: 'test',
    seal: sealIn(dir),
    describe: async (state) => {
      describe(state)
      return { told: state?.count ?? null }
    },
  })
  if (opening.kind !== 'ready') throw new Error(opening.kind)
  return opening.store
}

/** A session with a bit of everything; `until` sees it while it is still open. */
async function lived(root: string, until?: (dir: string, store: SessionStore<State>) => Promise<void>) {
  const dir = join(root, 'session')
  const store = await open(dir)
  await store.append({ type: 'opened', version: 'test', pid: 1, runId: 'run-1', agent: 'claude' })
  await store.append({ type: 'note', key: 'subject', kind: 'note', text: 'docs/spec.md' })
  await store.append({
    type: 'visit',
    visit: 1,
    state: 'WORK',
    workflow: 'toy',
    revision: 3,
    version: 'test',
  })
  const meta = { visit: 1, key: 'plan', persona: 'planner', title: 'Plan', phase: '2.1' }
  await store.append({ type: 'dispatched', ...meta, attempt: 1, dispatchId: 'd1' })
  const reply = { ok: true, usage: { input: 10, output: 2, usd: 0.5 } }
  await store.append({ type: 'agent', ...meta, dispatchId: 'd1', reply })
  await store.append({ type: 'note', key: 'steer-1', kind: 'note', text: 'use sqlite' })
  const question = {
    id: 'q',
    gate: 'Q',
    title: 'Well?',
    body: [],
    options: [],
    askedAt: '2030-01-01T00:00:00Z',
  }
  await store.saveImage({ type: 'asked', visit: 1, key: 'q', question }, { count: 1 })
  await until?.(dir, store)
  await store.close()
  return dir
}

/** What the journal alone says. */
async function fromJournal(root: string, dir: string) {
  const bare = join(root, 'bare')
  await cp(dir, bare, { recursive: true })
  await rm(join(bare, 'summary.json'), { force: true })
  const reading = await readDigest(bare, sealIn(bare))
  await rm(bare, { recursive: true })
  return reading?.digest
}

const state = (dir: string) => join(dir, 'state.json')

describe('a summary that fits its journal', () => {
  it('says what the journal says, and nothing more of the journal is read', async () => {
    await inTemporary('summary', async (root) => {
      const dir = await lived(root)
      const reading = await readDigest(dir, sealIn(dir), state(dir))
      expect(reading).toMatchObject({ read: 0, problems: [], described: { told: 1 } })
      expect(reading?.digest).toEqual(await fromJournal(root, dir))
      expect(reading?.digest).toMatchObject({
        agent: 'claude',
        subject: 'docs/spec.md',
        workflow: 'toy',
        messages: ['use sqlite'],
        runIds: ['run-1'],
        questions: [{ id: 'q' }],
        dispatches: [{ id: 'd1', status: 'ok', phase: '2.1' }],
        dispatchesByPhase: new Map([['2.1', 1]]),
        usage: { inputTokens: 10, outputTokens: 2, usd: 0.5 },
        finished: false,
      })
      expect(reading?.digest.usageByPhase.get('2.1')).toEqual(reading?.digest.usage)
    })
  })

  it('is gone on from where the journal has grown since, as while a process writes or after its death', async () => {
    await inTemporary('summary', async (root) => {
      await lived(root, async (dir, store) => {
        await vi.waitFor(() => access(join(dir, 'summary.json')), 5_000)
        await store.append({ type: 'note', kind: 'note', text: 'later' })
        const reading = await readDigest(dir, sealIn(dir), state(dir))
        expect(reading?.read).toBeGreaterThan(0)
        expect(reading?.read).toBeLessThan(400)
        expect(reading?.digest.timeline.at(-1)?.text).toBe('later')
        expect(reading?.digest).toEqual(await fromJournal(root, dir))
        expect(reading?.described).toEqual({ told: 1 })
      })
    })
  })

  it('is made once for facts that come together, and at the close at once', async () => {
    await inTemporary('summary', async (root) => {
      const described = vi.fn()
      const store = await open(join(root, 'session'), described)
      for (const count of [1, 2, 3])
        await store.saveImage({ type: 'transition', visit: 1, from: 'A', to: 'B' }, { count })
      expect(described).not.toHaveBeenCalled()
      await store.close()
      expect(described).toHaveBeenCalledExactlyOnceWith({ count: 3 })
    })
  })

  it('tells nothing of a state file that has changed since', async () => {
    await inTemporary('summary', async (root) => {
      const dir = await lived(root)
      await writeFile(state(dir), '{"count": 7}')
      const reading = await readDigest(dir, sealIn(dir), state(dir))
      expect(reading).toMatchObject({ read: 0 })
      expect(reading?.described).toBeUndefined()
    })
  })
})

describe('a summary that does not fit is never believed', () => {
  /** With a seal of the session again, so that it is the content that does not fit. */
  const change = (dir: string, edit: (summary: Record<string, unknown>) => unknown) =>
    readFile(join(dir, 'summary.json'), 'utf8').then((file) => {
      const text = JSON.stringify(edit(JSON.parse(file.split('\n')[0] ?? '')))
      return writeFile(join(dir, 'summary.json'), `${text}\n${sealOf(testKey, text)}\n`)
    })
  const harms: [string, (dir: string) => Promise<unknown>][] = [
    ['missing', (dir) => rm(join(dir, 'summary.json'))],
    ['empty', (dir) => truncate(join(dir, 'summary.json'), 0)],
    ['torn', (dir) => truncate(join(dir, 'summary.json'), 100)],
    ['of another version', (dir) => change(dir, (summary) => ({ ...summary, v: 1, digest: {} }))],
    ['without a field', (dir) => change(dir, (summary) => ({ ...summary, digest: { finished: true } }))],
    [
      'of another journal',
      (dir) =>
        change(dir, (summary) => ({
          ...summary,
          journal: { ...(summary.journal as object), lastHash: '0'.repeat(64) },
          digest: { ...(summary.digest as object), finished: true, agent: 'forged' },
        })),
    ],
    [
      'of a longer journal',
      (dir) =>
        change(dir, (summary) => ({
          ...summary,
          journal: { ...(summary.journal as object), size: 1e9 },
          digest: { ...(summary.digest as object), finished: true },
        })),
    ],
  ]
  it.each(harms)('%s', async (_name, harm) => {
    await inTemporary('summary', async (root) => {
      const dir = await lived(root)
      const expected = await fromJournal(root, dir)
      await harm(dir)
      const reading = await readDigest(dir, sealIn(dir), state(dir))
      expect(reading?.digest).toEqual(expected)
      expect(reading?.described).toBeUndefined()
      expect(reading?.read).toBe((await readFile(join(dir, 'journal.jsonl'))).length)
      await (await open(dir)).close()
      expect(await readDigest(dir, sealIn(dir), state(dir))).toMatchObject({
        read: 0,
        described: { told: 1 },
      })
    })
  })

  it('nor over a journal that was cut', async () => {
    await inTemporary('summary', async (root) => {
      const dir = await lived(root)
      const lines = (await readFile(join(dir, 'journal.jsonl'), 'utf8')).split('\n')
      await writeFile(join(dir, 'journal.jsonl'), `${lines.slice(0, 3).join('\n')}\n`)
      const reading = await readDigest(dir, sealIn(dir))
      expect(reading?.digest).toMatchObject({ workflow: 'toy', questions: [], dispatches: [] })
    })
  })

  it('a session without a journal has none', async () => {
    await inTemporary('summary', async (root) => {
      expect(await readDigest(root, sealIn(root))).toBeUndefined()
    })
  })

  it('a torn tail of the journal is not its end', async () => {
    await inTemporary('summary', async (root) => {
      const dir = await lived(root)
      const expected = await fromJournal(root, dir)
      await appendFile(join(dir, 'journal.jsonl'), '{"v":2,"id":"to')
      expect((await readDigest(dir, sealIn(dir)))?.digest).toEqual(expected)
    })
  })
})
