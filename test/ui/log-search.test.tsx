import { afterEach, describe, expect, it } from 'vitest'
import { createFrameStore } from '../../source/ui/frame-store.js'
import { createLineRing, type Pane } from '../../source/view/panes.js'
import type { LogQuery } from '../../source/view/view.js'
import { createTestStore, recordControls, snapshotOf, startOfRun } from './fixtures.js'
import { cleanup, openStage, settled } from './stage.js'

// docs/terminal.md "Panes": a search goes on in the log, where the pane has forgotten its lines.

afterEach(cleanup)

const pageUp = '\u001b[5~'
const partLines = 100
const lineOf = (part: number, line: number) =>
  line === 40 ? `needle of part ${part}` : `line ${line} of part ${part}`

/** A log of three parts with a needle in each, as the session would search it. */
function controls() {
  const asked: LogQuery[] = []
  let release = () => {}
  let held: Promise<void> | undefined
  return {
    ...recordControls(),
    asked,
    /** Searches wait until the returned function is called. */
    hold() {
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    },
    readLog: async (_: string, part = 2) => ({
      lines: Array.from({ length: partLines }, (__, line) => lineOf(part, line)),
      part,
      parts: 3,
    }),
    searchLog: async (_: string, query: LogQuery) => {
      asked.push(query)
      await held
      if (query.wanted === 'gone') throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      if (query.wanted !== 'needle') return undefined
      const { from, by } = query
      const at = from && 'part' in from ? from.part : by === -1 ? 3 : -1
      const next = at + by
      return next < 0 || next > 2 ? undefined : { part: next, line: 40 }
    },
  }
}

function flooded(text: string): Pane {
  const lines = createLineRing(5000)
  for (let at = 0; at < 6000; at += 1) lines.push({ kind: 'text', text: `${text} ${at}` }, at * 10)
  const [first] = snapshotOf().panes
  return { ...(first as Pane), id: 'p', status: 'running', lines, logPath: 'logs/p.log' }
}

async function open() {
  const own = controls()
  const store = createTestStore(snapshotOf({ panes: [flooded('said')] }))
  const frames = createFrameStore(store, () => startOfRun + 725_000)
  const stage = await openStage(
    { columns: 100, rows: 30 },
    { kind: 'run', frames, controls: own, onStop: () => undefined },
  )
  async function search(text: string) {
    await stage.type('/')
    for (const key of text) await stage.type(key)
    await stage.type('\r')
    await settled()
  }
  return { stage, store, own, search }
}

describe('search', () => {
  it('goes on in the log before what the pane has kept, and shows the hit with what led to it', async () => {
    const { stage, own, search } = await open()
    await search('needle')
    expect(own.asked).toMatchObject([{ wanted: 'needle', by: -1 }])
    const [{ from }] = own.asked as [LogQuery]
    // Where the oldest kept lines came: no earlier than they, and not the end of the log.
    const offset = from && 'offset' in from ? from.offset : 0
    expect(offset).toBeGreaterThanOrEqual(10_000)
    expect(offset).toBeLessThan(20_000)
    const rows = stage.frame().split('\n')
    expect(rows[1]).toMatch(/── Log of .*part 3 of 3/)
    expect(rows.slice(2, 5)).toEqual(['line 38 of part 2', 'line 39 of part 2', 'needle of part 2'])
    expect(rows.at(-1)).toContain('"needle": N finds an older hit, n a newer one')
  })

  it('walks back and forward through the parts, and says where there is no more', async () => {
    const { stage, search } = await open()
    await search('needle')
    await stage.type('N')
    await settled()
    expect(stage.frame()).toContain('needle of part 1')
    await stage.type('N')
    await settled()
    expect(stage.frame()).toContain('needle of part 0')
    await stage.type('N')
    await settled()
    expect(stage.frame()).toContain('"needle": nothing older in the log')
    expect(stage.frame()).toContain('needle of part 0')
    await stage.type('n')
    await settled()
    expect(stage.frame()).toContain('needle of part 1')
    await stage.type('n')
    await settled()
    await stage.type('n')
    await settled()
    expect(stage.frame()).toContain('"needle": nothing newer in the log')
    await stage.escape()
    expect(stage.frame()).toContain('said 5999')
  })

  it('stays in the pane as long as that has a hit, and asks no log of an agent that has said little', async () => {
    const { stage, own, search } = await open()
    await search('said 3000')
    expect(own.asked).toEqual([])
    expect(stage.frame()).toContain('line 3001 of 6000')
  })

  it('says that a log was removed', async () => {
    const { stage, search } = await open()
    await search('gone')
    expect(stage.frame()).toContain('The log is not there any more: logs/p.log')
  })

  it('lets every key through while it searches, and only the newest search comes to something', async () => {
    const { stage, own, search } = await open()
    const release = own.hold()
    await search('needle')
    expect(stage.frame()).toContain('Searching the log for "needle"')
    await stage.type('t')
    expect(stage.frame()).toContain('Timeline')
    await stage.type('V')
    await search('nothing')
    release()
    await settled()
    expect(stage.frame()).toContain('"nothing": nothing older in the log')
    expect(stage.frame()).not.toContain('needle of part')
  })
})

describe('whoever reads keeps the place when another agent begins', () => {
  const next = (): Pane => ({ ...flooded('other'), id: 'q', title: 'The next agent', logPath: 'logs/q.log' })
  async function begun(...keys: string[]) {
    const { stage, store } = await open()
    const [first] = store.getSnapshot().panes
    for (const key of keys) await stage.type(key)
    await settled()
    store.set({ panes: [{ ...(first as Pane), status: 'ok' }, next()] })
    await stage.wait(150)
    return stage
  }

  it('in a pane that is scrolled, until it is followed again', async () => {
    const stage = await begun('w', pageUp)
    expect(stage.frame()).toMatch(/said \d+/)
    expect(stage.frame()).not.toContain('The next agent')
    await stage.type('G')
    expect(stage.frame()).toContain('The next agent')
  })

  it('in a log, and Tab goes on from the agent that is read', async () => {
    const stage = await begun('L')
    expect(stage.frame()).not.toContain('The next agent')
    await stage.type('\t')
    await settled()
    expect(stage.frame()).toContain('Log of The next agent')
  })

  it('and nobody who follows', async () => {
    expect((await begun('w')).frame()).toContain('The next agent')
  })
})
