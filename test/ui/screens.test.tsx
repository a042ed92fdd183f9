import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StartChoice } from '../../source/ui/contract.js'
import { createFrameStore } from '../../source/ui/frame-store.js'
import type { PaneLine } from '../../source/view/panes.js'
import { createTestStore, pane, questionOf, recordControls, snapshotOf, startData } from './fixtures.js'
import { cleanup, openStage } from './stage.js'

const size = { columns: 80, rows: 24 }
const lines: PaneLine[] = Array.from({ length: 200 }, (_, index) => ({
  kind: 'text',
  text: `line-${index}.`,
}))

async function run(change: Parameters<typeof snapshotOf>[0] = {}) {
  const store = createTestStore(snapshotOf(change))
  const controls = recordControls()
  const stage = await openStage(size, {
    kind: 'run',
    frames: createFrameStore(store),
    controls,
    onStop: () => controls.calls.push('stop'),
  })
  return { stage, store, controls }
}

afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

describe('the run screen', () => {
  it('holds, stops and reorders by key', async () => {
    const { stage, controls } = await run()
    await stage.type('p')
    await stage.type('o')
    await stage.type('q')
    expect(controls.calls).toEqual(['hold', 'reorder', 'stop'])
  })

  it('is not steered by text that comes in one read, with and without a question', async () => {
    for (const question of [undefined, questionOf('Q-NEXT')]) {
      const { stage, controls } = await run({ question })
      await stage.wait(600)
      for (const text of ['please do', 'quit now', 'Pipes', 'is so']) await stage.type(text)
      expect([controls.calls, controls.answers]).toEqual([[], []])
      expect(stage.frame()).not.toContain('Message to the agent')
      if (stage.frame().includes('Timeline')) await stage.type('t')
      await stage.type('q')
      expect(controls.calls).toEqual(['stop'])
      cleanup()
    }
  })

  it('follows the newest line, stays where the reader is, and follows again', async () => {
    const running = pane('p', 'Execute', 'running', lines)
    const { stage, store } = await run({ panes: [running] })
    expect(stage.frame()).toContain('line-199.')
    await stage.type('\u001b[5~')
    expect(stage.frame()).toContain('line 187 of 200')
    const shown = /line-\d+\./.exec(stage.frame())?.[0]
    for (let count = 0; count < 50; count += 1) running.lines.push({ kind: 'text', text: `more-${count}.` })
    store.set({ paneRevision: 2, status: 'holding' })
    await stage.wait(0)
    expect(/line-\d+\./.exec(stage.frame())?.[0]).toBe(shown)
    await stage.type('G')
    expect(stage.frame()).toContain('more-49.')
    expect(stage.frame()).not.toMatch(/line \d+ of/)
    await stage.type('g')
    expect(stage.frame()).toContain('line-0.')
  })

  it('opens, closes and walks through panes', async () => {
    const { stage } = await run({
      panes: [
        pane('a', 'First', 'ok', [{ kind: 'text', text: 'of the first' }]),
        pane('b', 'Second', 'running', [{ kind: 'text', text: 'of the second' }]),
      ],
      tasks: [],
    })
    expect(stage.frame()).toContain('of the second')
    expect(stage.frame()).not.toContain('of the first')
    await stage.type('\r')
    expect(stage.frame()).not.toContain('of the second')
    await stage.type('\t')
    await stage.type(' ')
    expect(stage.frame()).toContain('of the first')
    await stage.type('w')
    expect(stage.frame()).not.toContain('── Phases')
    expect(stage.frame()).toContain('of the first')
    await stage.type('w')
    expect(stage.frame()).toContain('── Phases')
  })

  it('searches backwards from the newest line', async () => {
    const { stage } = await run({ panes: [pane('p', 'Execute', 'running', lines)] })
    await stage.type('/')
    await stage.type('LINE-4')
    await stage.type('\r')
    expect(stage.frame()).toContain('line-49.')
    await stage.type('N')
    expect(stage.frame()).toContain('line-48.')
    await stage.type('/')
    await stage.type('nowhere')
    await stage.type('\r')
    expect(stage.frame()).toContain('nothing older')
  })

  it('puts the recap away', async () => {
    const { stage } = await run({ recap: ['3 commits'] })
    expect(stage.frame()).toContain('While you were away')
    await stage.escape()
    expect(stage.frame()).not.toContain('While you were away')
  })

  it('puts the recap away when the person does something to the run, and not when they only look', async () => {
    const away = 'While you were away'
    for (const key of ['p', 'o', 'P', 'i']) {
      const { stage } = await run({ recap: ['3 commits'] })
      await stage.type('\u001b[5~')
      await stage.type('\t')
      expect(stage.frame()).toContain(away)
      await stage.type(key)
      expect(stage.frame()).not.toContain(away)
      cleanup()
    }
    const { stage, controls } = await run({ recap: ['3 commits'], question: questionOf('Q-NEXT') })
    await stage.wait(600)
    expect(stage.frame()).toContain(away)
    await stage.type('1')
    expect(controls.answers).toHaveLength(1)
    expect(stage.frame()).not.toContain(away)
  })

  it('draws a question at once, and data at most ten times a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
    const store = createTestStore(snapshotOf())
    const frames = createFrameStore(store)
    const drawn: number[] = []
    const off = frames.subscribe(() => drawn.push(Date.now()))
    vi.advanceTimersByTime(500)
    for (let count = 0; count < 400; count += 1) {
      store.set({ paneRevision: count })
      vi.advanceTimersByTime(1)
    }
    vi.advanceTimersByTime(100)
    expect(drawn.length).toBeLessThanOrEqual(6)
    expect(frames.getSnapshot().snapshot.paneRevision).toBe(399)
    const before = drawn.length
    store.set({ question: questionOf('Q-NEXT') })
    expect(drawn.length).toBe(before + 1)
    expect(frames.getSnapshot().snapshot.question?.gate).toBe('Q-NEXT')
    off()
    store.set({ question: undefined })
    vi.advanceTimersByTime(5000)
    expect(drawn.length).toBe(before + 1)
  })
})

describe('the start screen', () => {
  async function start() {
    const choices: StartChoice[] = []
    const stage = await openStage(size, {
      kind: 'choose',
      data: startData,
      onChoose: (choice) => void choices.push(choice),
    })
    return { stage, choices }
  }

  it('resumes a session, takes a spec, quits', async () => {
    const { stage, choices } = await start()
    await stage.type('\r')
    await stage.type('\u001b[B\u001b[B\r')
    await stage.type('quit now')
    expect(stage.frame()).toContain('nothing fits; Esc shows all')
    await stage.escape()
    await stage.type('q')
    expect(choices).toEqual([
      { kind: 'session', key: 'harness/docs--specs--mail-rules' },
      { kind: 'subject', path: 'docs/specs/calendar.md', workflow: 'harness' },
      { kind: 'quit' },
    ])
  })

  it('shows the rows that hold what is typed', async () => {
    const { stage, choices } = await start()
    for (const key of 'calen') await stage.type(key)
    expect(stage.frame()).toContain('Looked for: calen')
    // While something is typed, these keys are text.
    expect(stage.frame()).not.toContain('type a path')
    expect(stage.frame()).not.toContain('q quit')
    expect(stage.frame()).not.toContain('resume')
    await stage.type('\r')
    expect(choices).toEqual([{ kind: 'subject', path: 'docs/specs/calendar.md', workflow: 'harness' }])
    await stage.type('\u007f'.repeat(1))
    for (let count = 0; count < 4; count += 1) await stage.type('\u007f')
    expect(stage.frame()).toContain('resume')
  })

  it('says what it looked for where there is nothing, and offers the demo', async () => {
    const choices: StartChoice[] = []
    const data = { ...startData, sessions: [], candidates: [] }
    const stage = await openStage(size, {
      kind: 'choose',
      data,
      onChoose: (choice) => void choices.push(choice),
    })
    expect(stage.frame()).toContain('Looked for:')
    expect(stage.frame()).toContain('Markdown files below docs/')
    await stage.type('\u001b[B\r')
    expect(choices).toEqual([{ kind: 'demo' }])
  })

  it('takes a typed path, and keys of the screen are text meanwhile', async () => {
    const { stage, choices } = await start()
    await stage.type('/')
    await stage.type('q/j 1.md')
    expect(choices).toEqual([])
    await stage.type('\r')
    expect(choices).toEqual([{ kind: 'subject', path: 'q/j 1.md' }])
  })
})

describe('questions before a run, and the result', () => {
  it('answers or quits', async () => {
    const answers: unknown[] = []
    const stage = await openStage(size, {
      kind: 'ask',
      question: questionOf('Q-DONE'),
      header: 'x',
      onAnswer: (answer) => answers.push(answer),
    })
    await stage.wait(600)
    await stage.type('1')
    await stage.type('quit now')
    await stage.type('q')
    expect(answers).toEqual([{ value: 'archive and start fresh' }, 'quit'])
  })

  it('scrolls and closes', async () => {
    const close = vi.fn()
    const text = Array.from({ length: 100 }, (_, index) => `row ${index}.`)
    const stage = await openStage(size, { kind: 'done', title: 'Done', lines: text, onClose: close })
    await stage.type('\u001b[6~')
    expect(stage.frame()).not.toContain('row 0.')
    for (let count = 0; count < 10; count += 1) await stage.type('\u001b[6~')
    expect(stage.frame()).toContain('row 99.')
    expect(stage.frame()).not.toContain('PgDn')
    await stage.type('\u001b[5~')
    expect(stage.frame()).toContain('PgDn more')
    expect(close).not.toHaveBeenCalled()
    await stage.type('\r')
    expect(close).toHaveBeenCalledTimes(1)
  })
})
