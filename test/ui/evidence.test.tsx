import { afterEach, describe, expect, it } from 'vitest'
import { createFrameStore } from '../../source/ui/frame-store.js'
import { createTestStore, questionOf, recordControls, snapshotOf, withEvidence } from './fixtures.js'
import { cleanup, openStage } from './stage.js'

afterEach(cleanup)

async function run() {
  const store = createTestStore(snapshotOf({ question: withEvidence }))
  const controls = recordControls()
  controls.readEvidence = async ({ path }) => [`text of ${path}`]
  const stage = await openStage(
    { columns: 80, rows: 24 },
    { kind: 'run', frames: createFrameStore(store), controls, onStop: () => controls.calls.push('stop') },
  )
  return { stage, store, controls }
}

const down = '\u001b[B'
const pageDown = '\u001b[6~'

describe('evidence of a question', () => {
  it('opens with Tab and Enter, scrolls, and the gate waits anew when it is shown again', async () => {
    const { stage, controls } = await run()
    await stage.wait(600)
    await stage.type('\t')
    expect(stage.frame()).toContain('❯ The plan')
    await stage.type('\r')
    expect(stage.frame()).toContain('The plan  docs/plans/2030-04-03-mail-rules-plan.md')
    expect(stage.frame()).toContain('step 1\n')
    expect(stage.frame()).not.toContain('step 90')
    for (let count = 0; count < 6; count += 1) await stage.type(pageDown)
    expect(stage.frame()).toContain('step 90')
    for (const key of ['1', 'a', '\r']) await stage.type(key)
    expect(controls.answers).toEqual([])
    await stage.escape()
    expect(stage.frame()).toContain('Read first')
    await stage.type('1')
    expect(controls.answers).toEqual([])
    await stage.wait(600)
    await stage.type('1')
    expect(controls.answers).toEqual([{ id: withEvidence.id, answer: { value: 'yes' } }])
  })

  it('has its hints back with the next key after something was told', async () => {
    const { stage } = await run()
    await stage.wait(600)
    const foot = () => stage.frame().split('\n').at(-1)
    const hints = foot()
    expect(hints).toContain('Tab read first')
    await stage.type('z')
    expect(foot()).toContain('z means nothing here')
    for (const [sequence, name] of [
      ['\u001b[15~', 'F5'],
      ['\u007f', 'Backspace'],
      ['B', 'B'],
    ] as const) {
      await stage.type(sequence)
      expect(foot()).toContain(`${name} means nothing here`)
    }
    await stage.type('m')
    expect(stage.frame()).toContain('It goes with your answer')
    expect(foot()).toContain('Esc back')
    await stage.escape()
    await stage.type('Z')
    await stage.type('X')
    expect(foot()).toContain('X means nothing here')
    await stage.type('\t')
    expect(foot()).toContain('Enter open what is lit')
  })

  it('names a file once where that is its title too', async () => {
    const { stage, store } = await run()
    const path = 'docs/plans/2030-04-03-mail-rules-plan.md'
    store.set({
      question: { ...questionOf('Q-NEXT'), evidence: [{ id: 'plan', kind: 'plan', title: path, path }] },
    })
    await stage.wait(600)
    await stage.type('\t')
    await stage.type('\r')
    expect(stage.frame()).toContain(`text of ${path}`)
    expect(stage.frame().split(`── ${path}`)[1]?.split('\n')[0]).not.toContain(path)
  })

  it('decides nothing while evidence is lit; Up and Down go back to the options', async () => {
    const { stage, controls } = await run()
    await stage.wait(600)
    await stage.type('\t')
    await stage.type(down)
    expect(stage.frame()).not.toContain('❯ The plan')
    await stage.wait(600)
    await stage.type('\r')
    expect(controls.answers).toHaveLength(1)
  })

  it('reads a file that the question only names, and draws nothing dangerous', async () => {
    const { stage } = await run()
    for (let count = 0; count < 3; count += 1) await stage.type('\t')
    await stage.type('\r')
    await stage.wait(0)
    expect(stage.frame()).toContain('text of logs/planner.log')
    await stage.escape()
    await stage.type('\t')
    await stage.type('\t')
    await stage.type('\r')
    expect(stage.frame()).toContain('+new')
    expect(stage.frame()).not.toContain('\u001b[2J')
  })

  it('goes on to the panes behind the last evidence, and back', async () => {
    const { stage } = await run()
    for (let count = 0; count < 4; count += 1) await stage.type('\t')
    expect(stage.frame()).not.toContain('Enter opens it')
    await stage.type('\u001b[Z')
    expect(stage.frame()).toContain('❯ Log of the planner')
    for (let count = 0; count < 3; count += 1) await stage.type('\u001b[Z')
    expect(stage.frame()).not.toContain('Enter opens it')
  })

  it('comes first at every question, also where Tab went on to the panes at the one before', async () => {
    const { stage, store } = await run()
    for (let count = 0; count < 4; count += 1) await stage.type('\t')
    expect(stage.frame()).toContain('Tab next pane')
    expect(stage.frame()).toContain('Shift+Tab options')
    store.set({ question: { ...withEvidence, id: 'another' } })
    await stage.wait(600)
    expect(stage.frame()).toContain('Tab read first')
    await stage.type('\t')
    expect(stage.frame()).toContain('Enter opens it')
  })

  it('says so where neither a text nor an agent stands beside the question', async () => {
    const { stage, store } = await run()
    store.set({ question: questionOf('Q-NEXT'), panes: [] })
    await stage.wait(600)
    await stage.type('\t')
    expect(stage.frame()).toContain('There is nothing more to read here')
  })

  it('is put away when its question is gone', async () => {
    const { stage, store } = await run()
    await stage.type('\t')
    await stage.type('\r')
    store.set({ question: questionOf('Q-NEXT') })
    await stage.wait(0)
    expect(stage.frame()).toContain('Go on with phase 2?')
  })

  it('stands before a run beside hints that say of a key that it means nothing, until the next', async () => {
    const answers: unknown[] = []
    const stage = await openStage(
      { columns: 80, rows: 24 },
      { kind: 'ask', question: withEvidence, header: 'Trust', onAnswer: (answer) => answers.push(answer) },
    )
    await stage.wait(600)
    const foot = () => stage.frame().split('\n').at(-1)
    expect(foot()).toContain('q quit')
    expect(foot()).not.toContain('note')
    await stage.type('z')
    expect(foot()).toBe('z means nothing here.')
    // There is no run yet to keep a note.
    await stage.type('m')
    expect(foot()).toBe('m means nothing here.')
    await stage.type(down)
    expect(foot()).toContain('q quit')
    await stage.type('\t')
    await stage.type('\r')
    await stage.type(pageDown)
    expect(foot()).toContain('Esc back')
    await stage.type('z')
    expect(foot()).toBe('z means nothing here.')
    expect(answers).toEqual([])
  })

  it('opens before a run too', async () => {
    const answers: unknown[] = []
    const stage = await openStage(
      { columns: 80, rows: 24 },
      { kind: 'ask', question: withEvidence, header: 'Trust', onAnswer: (answer) => answers.push(answer) },
    )
    await stage.wait(600)
    await stage.type('\t')
    await stage.type('\r')
    expect(stage.frame()).toContain('step 1\n')
    await stage.escape()
    await stage.type('1')
    expect(answers).toEqual([])
    await stage.wait(600)
    await stage.type('1')
    expect(answers).toEqual([{ value: 'yes' }])
  })
})
