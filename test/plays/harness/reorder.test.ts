import { describe, expect, test } from 'vitest'
import { harnessReading } from '../../../source/workflows/harness/reading.js'
import type { HarnessState } from '../../../source/workflows/harness/state/state.js'
import { createStage, decisionsOf, type Played, play } from './stage.js'

// Open phases are skipped or moved (docs/harness.md, "Settled decisions").

describe('skip and reorder of open phases', () => {
  const three = [{ name: 'Box' }, { name: 'List' }, { name: 'Shelf' }]
  const once = (when: (state: HarnessState) => boolean) => {
    let asked = false
    return (state: HarnessState) => {
      if (asked || !when(state)) return false
      asked = true
      return true
    }
  }
  const order = (played: Played) =>
    played.dispatches.filter(({ kind }) => kind === 'plan').map(({ brief }) => brief.phase.name)

  test('moved: the open phases run in the new order, the running one keeps its place', async () => {
    const project = await createStage(three)
    const played = await play(project, {
      reorder: once((state) => state.currentState === 'VERIFY' && state.currentPhase === 0),
      answers: {
        'Q-PHASES': (question) => ({ value: 'edit', items: [...(question.list?.items ?? [])].reverse() }),
      },
    })
    expect(played.asked[0]?.list?.items.map(({ name }) => name)).toEqual(['List', 'Shelf'])
    expect(order(played)).toEqual(['Box', 'Shelf', 'List'])
    expect(played.state.phases.map(({ name, status }) => [name, status])).toEqual([
      ['Box', 'complete'],
      ['Shelf', 'complete'],
      ['List', 'complete'],
    ])
    expect(decisionsOf(played.state)).toContain('phases_reordered')
    // What is there to read goes by the name that the phase has in the spec, as everything else does.
    const titles = harnessReading({ ...played.state, currentPhase: 1 }).documents?.map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining(['plan of phase 3', 'changes since phase 3 began']))
  })

  test('skipped: it never runs, has its history entry, and the session ends', async () => {
    const project = await createStage(three)
    const played = await play(project, {
      reorder: once((state) => state.currentState === 'REVIEW' && state.currentPhase === 0),
      answers: {
        'Q-PHASES': (question) => ({
          value: 'edit',
          items: (question.list?.items ?? []).map((phase) => ({
            ...phase,
            dropped: phase.name === 'List',
          })),
        }),
      },
    })
    expect(order(played)).toEqual(['Box', 'Shelf'])
    expect(played.state.phases.map(({ status }) => status)).toEqual(['complete', 'skipped', 'complete'])
    const entries = played.state.history as { phase: number; status?: string }[]
    expect(entries.filter(({ phase }) => phase === 1)).toMatchObject([{ status: 'skipped' }])
    expect(entries).toHaveLength(3)
  })

  test('nothing open: a note, no question', async () => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, { reorder: once((state) => state.currentState === 'VERIFY') })
    expect(played.gates).toEqual(['Q-PR'])
    expect(played.notes).toContainEqual(expect.stringContaining('No phase is open'))
  })
})
