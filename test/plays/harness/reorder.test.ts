import { describe, expect, test } from 'vitest'
import { phaseSummary } from '../../../source/ui/layout/pipeline.js'
import { createTheme } from '../../../source/ui/theme.js'
import { phaseInWork } from '../../../source/view/summary.js'
import { describe as describeHarness } from '../../../source/workflows/harness/describe.js'
import { placeOfSlug } from '../../../source/workflows/harness/places.js'
import { harnessReading } from '../../../source/workflows/harness/reading.js'
import { sessionSlug } from '../../../source/workflows/harness/slug.js'
import type { HarnessState } from '../../../source/workflows/harness/state/state.js'
import { harnessView } from '../../../source/workflows/harness/view.js'
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
    expect(played.asked[0]?.list?.items.map(({ id, name }) => [id, name])).toEqual([
      ['2', 'List'],
      ['3', 'Shelf'],
    ])
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
    // Where the place is meant it is told as one, beside the name.
    const moved = { ...played.state, currentPhase: 1, currentState: 'EXECUTE' as const }
    const { phase } = await describeHarness(moved, {
      root: project.dir,
      place: placeOfSlug(sessionSlug(moved.specPath)),
    })
    expect(phase && phaseInWork(phase)).toBe('3 (2 of 3): Shelf')
    const summary = phaseSummary(
      harnessView(moved, { specPath: moved.specPath, slug: 'shelves' }, 'Shelves'),
      60,
      createTheme(true),
    )
    expect(summary.map(({ text }) => text).join('')).toBe('[EXECUTE] Phase 3 (2/3): Shelf')
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
