import { afterEach, describe, expect, it } from 'vitest'
import { formatCountdown } from '../../source/ui/format.js'
import { createFrameStore } from '../../source/ui/frame-store.js'
import { keymap } from '../../source/ui/keymap.js'
import type { Question } from '../../source/view/question.js'
import type { RunSnapshot } from '../../source/view/view.js'
import { createTestStore, pane, questionOf, recordControls, snapshotOf, startOfRun } from './fixtures.js'
import { cleanup, openStage } from './stage.js'

async function run(change: Partial<RunSnapshot> = {}, now = startOfRun) {
  const clock = { now }
  const store = createTestStore(snapshotOf(change))
  const controls = recordControls()
  const frames = createFrameStore(store, () => clock.now)
  const stage = await openStage(
    { columns: 80, rows: 24 },
    { kind: 'run', frames, controls, onStop: () => void controls.calls.push('stop') },
  )
  return { stage, store, controls, clock }
}

const lastLine = (frame: string) => frame.split('\n').at(-1) ?? ''

afterEach(cleanup)

describe('a message to the agent', () => {
  it('is written in a field, sent by Enter, and what became of it is told', async () => {
    const { stage, controls } = await run()
    await stage.type('s')
    expect(stage.frame()).toContain('Message to the agent')
    await stage.type('stop, q and i are text')
    await stage.type('\u000a')
    await stage.type('here')
    await stage.type('\r')
    expect(controls.calls).toEqual(['say stop, q and i are text\nhere'])
    expect(lastLine(stage.frame())).toContain('Sent to the agent.')
  })

  it('says so when it is kept, with and without an agent', async () => {
    for (const [panes, words] of [
      [[pane('p', 'Plan', 'running', [])], 'Kept for its next turn'],
      [[], 'Kept: the next agent gets the message.'],
    ] as const) {
      const { stage, controls } = await run({ panes })
      controls.say = () => 'kept'
      await stage.type('s')
      await stage.type('x')
      await stage.type('\r')
      expect(lastLine(stage.frame())).toContain(words)
      cleanup()
    }
  })

  it('is not sent empty, and Escape leaves it', async () => {
    const { stage, controls } = await run()
    await stage.type('s')
    await stage.type('\r')
    expect(stage.frame()).toContain('Please write something')
    await stage.escape()
    expect(stage.frame()).not.toContain('Message to the agent')
    expect(controls.calls).toEqual([])
  })

  it('keeps its keys when a question comes up, which waits anew once the field is closed', async () => {
    const { stage, store, controls } = await run()
    await stage.type('s')
    await stage.type('half')
    store.set({ question: questionOf('Q-NEXT') })
    await stage.wait(2000)
    await stage.type('1')
    await stage.type('y')
    await stage.type('\r')
    expect(controls.calls).toEqual(['say half1y'])
    await stage.type('\r')
    expect(controls.answers).toEqual([])
    expect(stage.frame()).toContain('did nothing')
    await stage.wait(600)
    await stage.type('a')
    expect(controls.answers.map((one) => one.answer)).toEqual([{ value: 'yes' }])
  })
})

describe('keys of the agent', () => {
  it('interrupt and suspend', async () => {
    const { stage, controls } = await run()
    await stage.type('i')
    expect(lastLine(stage.frame())).toContain('you are asked how to go on')
    await stage.type('P')
    expect(controls.calls).toEqual(['interrupt', 'suspend'])
  })

  it('are those of the options while a question is open', async () => {
    const { stage, controls } = await run({ question: questionOf('Q-APPROVE') })
    await stage.wait(600)
    await stage.type('i')
    expect(controls.calls).toEqual([])
    await stage.wait(600)
    await stage.type('c')
    expect(controls.calls).toEqual([])
    expect(controls.answers.map((one) => one.answer)).toEqual([{ value: 'skip phase' }])
  })

  it('mean nothing else on the run screen', () => {
    const keysOf = (scope: string) => keymap.filter((row) => row.scope === scope).flatMap((row) => row.keys)
    expect(keysOf('agent').filter((key) => keysOf('run').includes(key))).toEqual([])
  })

  it('are offered while an agent works, and p goes on from a suspension', async () => {
    const { stage, store } = await run({ status: 'suspended' })
    expect(stage.frame()).toContain('SUSPENDED')
    expect(lastLine(stage.frame())).toContain('p go on  q stop  s message  i interrupt')
    store.set({ panes: [pane('p', 'Plan', 'ok', [])], status: 'running' })
    await stage.wait(0)
    expect(lastLine(stage.frame())).not.toContain('s message')
  })
})

describe('P', () => {
  it('goes on from a hold that has no agent to suspend, as while a question is open', async () => {
    const { stage, store, controls } = await run({ panes: [], question: questionOf('Q-NEXT') })
    controls.suspend = () => {
      controls.calls.push('suspend')
      store.set({ status: 'holding' })
    }
    await stage.type('P')
    await stage.type('P')
    expect(controls.calls).toEqual(['suspend', 'hold'])
  })

  it('suspends an agent that is still at the step after which it should hold', async () => {
    const { stage, controls } = await run({ status: 'holding' })
    await stage.type('P')
    expect(controls.calls).toEqual(['suspend'])
  })
})

describe('the head', () => {
  const head = (frame: string) => frame.split('\n')[0] ?? ''

  it('says that a question waits, unless the run holds', async () => {
    const { stage, store } = await run({ question: questionOf('Q-NEXT') })
    expect(head(stage.frame())).toContain('waits for you')
    expect(head(stage.frame())).not.toContain('running')
    store.set({ status: 'held' })
    await stage.wait(0)
    expect(head(stage.frame())).toContain('HELD')
    store.set({ status: 'running', question: undefined })
    await stage.wait(0)
    expect(head(stage.frame())).toContain('running')
  })

  it('leaves out what is not known yet', async () => {
    const base = snapshotOf()
    const usage = { inputTokens: 0, outputTokens: 0 }
    const { stage } = await run({ view: { ...base.view, facts: [], session: 'slug' }, usage, branch: 'main' })
    expect(stage.frame().split('\n')[1]).toMatch(/^slug · main · /)
  })
})

describe('the recap', () => {
  const restored = `The state file was restored because it is not valid JSON. The broken file is kept as ${'/long/path'.repeat(12)}`
  const recap = ['EXECUTE, phase 2 of 4', 'oldest of the others', 'one', 'two', 'three', restored]

  it('shows the beginning of long entries, and at 60x15 in three rows', async () => {
    for (const panes of [[], [pane('p', 'Plan', 'running', [])]]) {
      const { stage } = await run({ panes, recap })
      await stage.resize(60, 15)
      const rows = stage.frame().split('\n')
      const begin = rows.findIndex((row) => row.includes('While you were away'))
      expect(rows.slice(begin + 1, begin + 4).join('\n')).toMatch(
        /^EXECUTE, phase 2 of 4\nThe state file was restored because it is not valid JSON\.\n.*…$/,
      )
      expect(rows[begin + 4]).toMatch(/Agents|no agent has been started yet/)
      cleanup()
    }
  })

  it('shows everything where there is room', async () => {
    const { stage } = await run({ panes: [], recap })
    await stage.resize(140, 40)
    for (const text of recap) expect(stage.frame()).toContain(text.slice(0, 40))
    expect(stage.frame()).not.toContain('…\n── Agents')
  })
})

it('a report that has too few rows shows what it is about', async () => {
  const { stage } = await run({ panes: [], tasks: [], recap: [], question: questionOf('Q-PR') })
  await stage.resize(60, 15)
  const rows = stage.frame().split('\n')
  const head = rows.findIndex((row) => row.includes('── Reports'))
  expect(rows[head + 1]).toBe('Auto-approved Phase 1: Storage layer')
  // The rest in one row; a mark says that something has no room, and stands nowhere else.
  expect(rows[head + 2]).toBe('Review mode: auto; Complexity: low (no override)')
})

it('a report whose lines come one by one begins with what it is about, too', async () => {
  const reports = [
    'Earlier report',
    'Auto-approved Phase 1',
    '  Review mode: auto',
    '  Complexity: low',
    '  Tasks: 3',
  ]
  const { stage } = await run({ reports, recap: [] })
  await stage.resize(120, 17)
  const rows = stage.frame().split('\n')
  const head = rows.findIndex((row) => row.includes('── Reports'))
  expect(head).toBeGreaterThan(0)
  expect(rows[head + 1]).toContain('Auto-approved Phase 1')
  expect(stage.frame()).not.toContain('Earlier report')
})

it('says where in a text one is, only where there is more than fits', async () => {
  const { stage } = await run()
  await stage.type('t')
  expect(lastLine(stage.frame())).toBe('Esc back  v filter  / search  Left/Right other views  ? help')
  expect(stage.frame()).not.toMatch(/\d+-\d+ of \d+/)
  await stage.type('t')
  await stage.type('?')
  const length = /── 1-20 of (\d+) ──/.exec(stage.frame())?.[1]
  expect(Number(length)).toBeGreaterThan(20)
  await stage.type('G')
  expect(stage.frame()).toContain(`-${length} of ${length} ──`)
})

describe('an empty list of phases', () => {
  async function emptyList() {
    const { list, ...rest } = questionOf('Q-READING')
    const question = { ...rest, list: { ...(list ?? { kind: 'reading' as const }), items: [] } }
    const at = await run({ question })
    await at.stage.wait(600)
    await at.stage.type('b')
    return at
  }

  it('says how to add, and a adds', async () => {
    const { stage } = await emptyList()
    expect(stage.frame()).toContain('a adds a phase')
    await stage.type('a')
    await stage.type('Storage')
    await stage.type('\r')
    expect(stage.frame()).toContain('1: Storage')
    expect(stage.frame()).not.toContain('a adds a phase')
  })

  it('takes any other letter as the beginning of a name', async () => {
    const { stage } = await emptyList()
    await stage.type('gather data')
    await stage.type('\r')
    expect(stage.frame()).toContain('1: gather data')
    await stage.type('d')
    expect(stage.frame()).toContain('dropped')
  })
})

describe('a list of phases', () => {
  it('begins with the names, and leaves no column for what no row has', async () => {
    const items = [
      { id: '1', name: 'Storage layer', choice: 'low' },
      { id: '2', name: 'Rules', choice: 'medium' },
    ]
    const { list, ...rest } = questionOf('Q-ORDER')
    const question = { ...rest, list: { ...(list ?? { kind: 'order' as const }), items } }
    const { stage } = await run({ question })
    await stage.wait(600)
    await stage.type(String(question.options.findIndex(({ edits }) => edits) + 1))
    await stage.type('s')
    const rows = stage.frame().split('\n')
    const first = rows.find((row) => row.includes('Storage layer')) ?? ''
    const second = rows.find((row) => row.includes('2: Rules')) ?? ''
    expect(first).toMatch(/^❯ {2}1 \S 1: Storage layer {2}low +skipped *$/)
    expect(second).toMatch(/^ {3}2 \S 2: Rules {10}medium *$/)
  })
})

describe('a countdown', () => {
  const until = new Date(startOfRun + 15 * 60_000).toISOString()
  const question: Question = { ...questionOf('Q-NEXT'), countdown: { until, value: 'yes' } }

  it('runs in whole seconds and names what happens then', async () => {
    const { stage, store, clock } = await run({ question, status: 'held' }, startOfRun + 58_000)
    expect(stage.frame()).toMatch(/goes on by itself in 14:02, at \d\d:15: yes/)
    clock.now += 2_400
    store.set({ status: 'holding' })
    await stage.wait(0)
    expect(stage.frame()).toContain('in 14:00,')
  })

  it('has words for every length', () => {
    expect([-5, 0, 400, 61_000, 3_661_000].map(formatCountdown)).toEqual([
      '0:00',
      '0:00',
      '0:01',
      '1:01',
      '1:01:01',
    ])
  })
})

it('says at once that it is stopping, for how long already, and takes no more answers', async () => {
  const { stage, store, clock, controls } = await run({ question: questionOf('Q-NEXT') })
  await stage.wait(600)
  store.set({ status: 'stopping', stoppingSince: startOfRun })
  await stage.wait(0)
  expect(lastLine(stage.frame())).toBe('Stopping: ending the agent   Ctrl+C ends it at once')
  await stage.type('y')
  await stage.type('s')
  expect([controls.answers, controls.calls]).toEqual([[], []])
  expect(stage.frame()).not.toContain('Q-NEXT')
  clock.now += 7_000
  store.set({ panes: [], usage: { inputTokens: 1, outputTokens: 1 }, status: 'stopping', banner: 'x' })
  await stage.wait(0)
  expect(lastLine(stage.frame())).toBe('Stopping: saving 7s')
})

describe('fields inside of a question', () => {
  it('keep the end of its body in view, which PgUp scrolls', async () => {
    const body = Array.from({ length: 60 }, (_, index) => `body ${index + 1}.`)
    const { stage } = await run({ question: { ...questionOf('Q-REVIEW'), body } })
    await stage.wait(600)
    await stage.type('b')
    expect(stage.frame()).toContain('body 60.')
    expect(stage.frame()).toContain('Why is this acceptable?')
    await stage.type('because')
    await stage.type('\u001b[5~')
    expect(stage.frame()).not.toContain('body 60.')
    expect(stage.frame()).toContain('because')
  })

  it('have hints of their own while a phase is renamed', async () => {
    const { stage } = await run({ question: questionOf('Q-READING') })
    await stage.wait(600)
    await stage.type('b')
    expect(lastLine(stage.frame())).toContain('r rename')
    await stage.type('r')
    expect(lastLine(stage.frame())).toBe('Enter keep it  Esc back')
    await stage.escape()
    expect(lastLine(stage.frame())).toContain('r rename')
  })
})

it('shows what a phase has used, where there is room', async () => {
  const { stage } = await run({ tasks: [] })
  expect(stage.frame()).toContain('88.5k $0.83')
  await stage.resize(60, 15)
  expect(stage.frame()).not.toContain('88.5k $0.83')
})

it('tells what happened meanwhile with the first key after ten minutes without one, once', async () => {
  let now = startOfRun + 60_000
  const store = createTestStore(snapshotOf())
  const controls = recordControls()
  const stage = await openStage(
    { columns: 100, rows: 30 },
    { kind: 'run', frames: createFrameStore(store, () => now), controls, onStop: () => undefined },
  )
  const away = 'While you were away'
  await stage.type('k')
  now += 9 * 60_000
  await stage.type('k')
  expect(stage.frame()).not.toContain(away)
  // Nothing was told: there is nothing to say.
  now += 30 * 60_000
  await stage.type('k')
  expect(stage.frame()).not.toContain(away)
  const at = new Date(now + 60_000).toISOString()
  now += 25 * 60_000
  store.set({
    timeline: [...store.getSnapshot().timeline, { at, text: 'Checkpoint 9 was made', kind: 'commit' }],
  })
  await stage.type('p')
  expect(stage.frame()).toContain(away)
  expect(stage.frame()).toContain('No key for 25m; 1 thing happened')
  expect(stage.frame()).toMatch(/Checkpoint 9 was made/)
  expect(stage.frame().match(/No key for/g)).toHaveLength(1)
  // The key has done what it does.
  expect(controls.calls).toEqual(['hold'])
  await stage.escape()
  expect(stage.frame()).not.toContain(away)
})
