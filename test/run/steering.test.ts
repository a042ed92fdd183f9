import { afterEach, describe, expect, it } from 'vitest'
import type { JournalFact, JournalRecord } from '../../source/ledger/journal.js'
import { makeLine, noLineBefore } from '../../source/ledger/journal-line.js'
import type { Ledger } from '../../source/ledger/ledger.js'
import { createSessionFold } from '../../source/ledger/session-fold.js'
import { createControls } from '../../source/run/controls.js'
import { createRun } from '../../source/run/durable-run.js'
import { createHold } from '../../source/run/hold.js'
import { createLiveStore } from '../../source/run/live-store.js'
import type { Machine } from '../../source/run/machine.js'
import type { DispatchHooks, Reply } from '../../source/run/run.js'
import { testKey } from '../support/seal.js'
import { snapshotOf } from '../ui/fixtures.js'

// What keys do to a working agent, over a journal in memory that a second process can take up.

type Nothing = Record<string, never>

/** A session in memory; `records` is what the next process finds. */
function ledgerOn(records: JournalRecord[]): Ledger<Nothing> {
  const fold = createSessionFold()
  for (const record of records) fold.take(record)
  return {
    state: {},
    digest: fold.digest.digest,
    get visit() {
      return fold.visit
    },
    behind: false,
    append: async (fact: JournalFact) => {
      await new Promise((resolve) => setImmediate(resolve))
      const header = { id: `r${records.length}`, rev: records.length + 1, epoch: 1, lockId: 'l' }
      const { record } = makeLine(header, fact, { key: testKey, prev: noLineBefore })
      records.push(record)
      fold.take(record, true)
      return record
    },
    saveImage: () => Promise.reject(new Error('no state here')),
    retry: async () => undefined,
    foreignEdit: async () => undefined,
  }
}

const digestOf = (records: readonly JournalRecord[]) => {
  const fold = createSessionFold()
  for (const record of records) fold.take(record)
  return fold.digest.digest
}

const machine: Machine<Nothing> = {
  open: async () => ({}),
  resume: async () => {},
  states: {},
  nameOf: () => 'EXECUTE',
  view: () => snapshotOf().view,
  withQuestion: (state) => state,
  workflow: 'test',
  revisions: {},
  interludes: {},
}

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
})

/** One process of ours on a journal, with an agent whose end the test decides. */
async function process(records: JournalRecord[] = []) {
  const stopping = new AbortController()
  stops.push(stopping)
  const live = createLiveStore(snapshotOf({ panes: [], phaseUsage: new Map() }))
  const hold = createHold()
  const stop = () => stopping.abort()
  const run = createRun({
    machine,
    ledger: ledgerOn(records),
    live,
    hold,
    signal: stopping.signal,
    stop,
    now: () => new Date('2030-04-03T09:00:00.000Z'),
  })
  const controls = createControls({ run, hold, live, stop, interlude: () => {} })
  await run.enter('EXECUTE')
  const dispatch = (key: string) => {
    let begun: (hooks: DispatchHooks) => void = () => {}
    let end: (reply: Reply) => void = () => {}
    const hooks = new Promise<DispatchHooks>((resolve) => {
      begun = resolve
    })
    const meta = { persona: 'harness-planner', title: 'Plan', phase: '2' }
    const reply = run.agent<Reply>(key, meta, (given) => {
      begun(given)
      return new Promise<Reply>((resolve) => {
        end = resolve
      })
    })
    reply.catch(() => undefined)
    return {
      hooks,
      reply,
      finish: (usd = 0.5) => {
        end({ ok: true, usage: { inputTokens: 100, outputTokens: 10, usd } })
        return reply
      },
    }
  }
  return { live, controls, records, dispatch, status: () => live.getSnapshot().status }
}

describe('a message', () => {
  it('goes into the conversation where it can', async () => {
    const { controls, dispatch, live, records } = await process()
    const agent = dispatch('plan')
    const said: string[] = []
    const hooks = await agent.hooks
    hooks.control({
      say: (text) => {
        said.push(text)
        return 'queued'
      },
    })
    expect(controls.say('use\nsqlite')).toBe('queued')
    expect(said).toEqual(['use\nsqlite'])
    const pane = live.getSnapshot().panes[0]
    expect(pane?.lines.slice(0, 9)).toEqual([{ kind: 'note', text: 'you: use sqlite' }])
    await agent.finish()
    expect(digestOf(records).messages).toEqual([])
    expect(digestOf(records).timeline.map((entry) => entry.text)).toContain('told the agent: use sqlite')
  })

  it('is kept for the next dispatch otherwise, and handed over once', async () => {
    const { controls, dispatch } = await process()
    expect(controls.say('first')).toBe('kept')
    const one = dispatch('plan')
    expect((await one.hooks).messages).toEqual(['first'])
    const hooks = await one.hooks
    hooks.control({ say: () => 'unsupported' })
    expect(controls.say('second')).toBe('kept')
    await one.finish()
    const two = dispatch('execute')
    expect((await two.hooks).messages).toEqual(['second'])
    await two.finish()
    const three = dispatch('verify')
    expect((await three.hooks).messages).toEqual([])
    await three.finish()
  })

  it('survives a restart, and is told again where its dispatch was broken off', async () => {
    const before = await process()
    before.controls.say('kept over night')
    const broken = before.dispatch('plan')
    await broken.hooks
    before.controls.say('one more')
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    const after = await process(before.records)
    const again = after.dispatch('plan')
    const hooks = await again.hooks
    expect(hooks.attempt).toBe(2)
    expect(hooks.messages).toEqual(['kept over night', 'one more'])
    await again.finish()
  })
})

describe('hold now', () => {
  it('suspends the agent and lets it go on, by either key', async () => {
    const { controls, dispatch, status } = await process()
    const agent = dispatch('plan')
    const switched: boolean[] = []
    const hooks = await agent.hooks
    hooks.control({ suspend: (on) => void switched.push(on) })
    controls.suspend()
    expect(status()).toBe('suspended')
    controls.suspend()
    expect(status()).toBe('running')
    controls.suspend()
    controls.toggleHold()
    expect([status(), switched]).toEqual(['running', [true, false, true, false]])
    await agent.finish()
  })

  it('also suspends an agent whose conversation opens only then', async () => {
    const { controls, dispatch, status } = await process()
    const agent = dispatch('plan')
    const hooks = await agent.hooks
    controls.suspend()
    const switched: boolean[] = []
    hooks.control({ suspend: (on) => void switched.push(on) })
    expect([status(), switched]).toEqual(['suspended', [true]])
    controls.suspend()
    await agent.finish()
  })

  it('is a hold where no agent works', async () => {
    const { controls, dispatch, status } = await process()
    controls.suspend()
    expect(status()).toBe('holding')
    const agent = dispatch('plan')
    await expect.poll(status).toBe('held')
    controls.suspend()
    await agent.hooks
    expect(status()).toBe('running')
    await agent.finish()
  })
})

it('interrupts a suspended agent by letting it run first, and holds before the next step', async () => {
  const { controls, dispatch, status } = await process()
  expect(controls.interrupt()).toBe(false)
  const agent = dispatch('plan')
  const calls: string[] = []
  const hooks = await agent.hooks
  hooks.control({
    suspend: (on) => void calls.push(`suspend ${on}`),
    interrupt: () => void calls.push('interrupt'),
  })
  controls.suspend()
  expect(controls.interrupt()).toBe(true)
  expect(calls).toEqual(['suspend true', 'suspend false', 'interrupt'])
  expect(status()).toBe('holding')
  await agent.finish()
})

it('counts what a phase uses while the agent works and after it, also over a restart', async () => {
  const before = await process()
  const one = before.dispatch('plan')
  const hooks = await one.hooks
  hooks.usage({ inputTokens: 40, outputTokens: 4 })
  expect(before.live.getSnapshot().phaseUsage.get('2')).toEqual({ inputTokens: 40, outputTokens: 4 })
  await one.finish()
  const after = await process(before.records)
  const two = after.dispatch('execute')
  await two.hooks
  await two.finish(0.25)
  expect(after.live.getSnapshot().phaseUsage.get('2')).toEqual({
    inputTokens: 200,
    outputTokens: 20,
    usd: 0.75,
  })
})
