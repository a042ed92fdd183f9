import { afterEach, describe, expect, it } from 'vitest'
import { createFrameStore } from '../../source/ui/frame-store.js'
import { createTestStore, pane, recordControls, snapshotOf, threeAgents } from './fixtures.js'
import { cleanup, openStage } from './stage.js'

afterEach(cleanup)

async function run(change: Parameters<typeof snapshotOf>[0] = threeAgents()) {
  const store = createTestStore(snapshotOf(change))
  const controls = recordControls()
  const stage = await openStage(
    { columns: 80, rows: 24 },
    { kind: 'run', frames: createFrameStore(store), controls, onStop: () => controls.calls.push('stop') },
  )
  const message = async (text: string) => {
    await stage.type('s')
    for (const key of text) await stage.type(key)
    await stage.type('\r')
  }
  return { stage, store, controls, message }
}

const rowOf = (frame: string, text: string) => frame.split('\n').find((row) => row.includes(text)) ?? ''

describe('several agents at once', () => {
  it('shows the newest lines, the phase and the persona of each that works', async () => {
    const { stage } = await run()
    const frame = stage.frame()
    for (const id of ['p1', 'p2', 'p3']) expect(frame).toContain(`${id} line 29`)
    expect(rowOf(frame, 'Execute the reader')).toMatch(/02\.1 Execute the reader {2}executor/)
    expect(rowOf(frame, 'Check the import')).toMatch(/12A Check the import {2}verifier/)
    expect(frame).toContain('3 work, keys act on all')
  })

  it('steers all of them as long as none is chosen', async () => {
    const { stage, controls, message } = await run()
    await stage.type('i')
    expect(stage.frame()).toContain('Interrupting the agents')
    await stage.type('P')
    await stage.type('s')
    expect(stage.frame()).toContain('Message to all 3 agents')
    await stage.escape()
    await message('hi')
    expect(controls.calls).toEqual(['interrupt', 'suspend', 'say hi'])
  })

  it('steers the chosen one, and behind the last one all again', async () => {
    const { stage, controls, message } = await run()
    await stage.type('\t')
    await stage.type('\t')
    expect(stage.frame()).toContain('3 work, keys act on one')
    await stage.type('i')
    await stage.type('P')
    await stage.type('s')
    expect(stage.frame()).toContain('Message to "Execute the reader"')
    // The field takes rows of the panes, but none of the titles.
    expect(stage.frame()).toContain('Check the import')
    await stage.escape()
    await message('hi')
    for (let count = 0; count < 3; count += 1) await stage.type('\t')
    await stage.type('P')
    expect(controls.calls).toEqual(['interrupt p1', 'suspend p1', 'say hi to p1', 'suspend'])
  })

  it('sends a message to the agent that was chosen when the field opened, whatever ends meanwhile', async () => {
    const { stage, store, controls } = await run()
    await stage.type('\t')
    await stage.type('\t')
    await stage.type('s')
    await stage.type('x')
    store.set({ panes: store.getSnapshot().panes.map((one) => ({ ...one, status: 'ok' as const })) })
    await stage.wait(0)
    await stage.type('\r')
    expect(controls.calls).toEqual(['say x to p1'])
  })

  it('does nothing to an agent that has ended, and says so', async () => {
    const { stage, controls } = await run()
    await stage.type('\t')
    for (const key of ['i', 'P', 's']) {
      await stage.type(key)
      expect(stage.frame()).toContain('That agent has ended')
    }
    expect(stage.frame()).not.toContain('Message to')
    expect(controls.calls).toEqual([])
  })

  it('says of the pane that is suspended, and of no other, that it is', async () => {
    const three = threeAgents()
    const panes = three.panes!.map((one) =>
      one.id === 'p2' ? { ...one, status: 'suspended' as const } : one,
    )
    const { stage } = await run({ ...three, panes })
    expect(rowOf(stage.frame(), 'Execute the writer')).toContain('suspended')
    expect(rowOf(stage.frame(), 'Execute the reader')).toContain('running')
    expect(stage.frame().split('\n')[0]).toContain('running')
  })

  it('keeps those that work in sight however many have ended since', async () => {
    const three = threeAgents()
    const later = Array.from({ length: 20 }, (_, index) => pane(`e${index}`, `Ended ${index}`, 'ok', []))
    const { stage } = await run({ ...three, panes: [...three.panes!, ...later] })
    for (const title of ['Execute the reader', 'Execute the writer', 'Check the import'])
      expect(stage.frame()).toContain(title)
  })

  it('treats the only one that works as before, whichever pane is looked at', async () => {
    const three = threeAgents()
    const panes = three.panes!.map((one) => (one.id === 'p3' ? one : { ...one, status: 'ok' as const }))
    const { stage, controls, message } = await run({ ...three, panes })
    await stage.type('\t')
    await stage.type('i')
    await message('hi')
    await stage.type('P')
    expect(controls.calls).toEqual(['interrupt', 'say hi', 'suspend'])
    expect(rowOf(stage.frame(), 'Check the import')).not.toContain('12A')
  })
})

describe('what the workflow offers between two states', () => {
  const interludes = [
    { id: 'insert', label: 'insert a phase', hint: 'insert' },
    { id: 'shuffle', label: 'shuffle what is left', hint: 'shuffle' },
  ]

  it('has a key each, a hint and a line of the help', async () => {
    const base = threeAgents()
    const { stage, controls } = await run({ ...base, view: { ...base.view!, interludes } })
    await stage.type('o')
    await stage.type('x')
    await stage.type('z')
    expect(controls.calls).toEqual(['insert', 'shuffle'])
    await stage.type('?')
    expect(stage.frame()).toMatch(/ o +insert a phase/)
    expect(stage.frame()).toMatch(/ x +shuffle what is left/)
  })

  it('is nothing where the workflow offers nothing', async () => {
    const { stage, controls } = await run()
    await stage.type('o')
    expect(controls.calls).toEqual([])
    await stage.type('?')
    expect(stage.frame()).not.toMatch(/\n {2}o /)
  })
})

it('counts the agents of all visits, of which only the last have a pane', async () => {
  const { stage, store } = await run({
    panes: [pane('p9', 'Execute phase 2', 'ok', [], { phase: '2' })],
    dispatched: new Map([
      ['1', 7],
      ['2', 5],
    ]),
  })
  expect(stage.frame()).toContain('the last 1 of 12')
  store.set({ dispatched: new Map([['2', 1]]) })
  await stage.wait(10)
  expect(stage.frame()).not.toContain('the last 1')
})
