import { describe, expect, test } from 'vitest'
import { type ComparedPhase, phaseDrift } from '../../../../source/documents/spec-drift.js'
import { newPhase } from '../../../../source/workflows/harness/phases.js'
import {
  changeLines,
  type SpecChange,
  withSpecPhases,
} from '../../../../source/workflows/harness/state/spec-phases.js'
import type { HarnessState, Phase } from '../../../../source/workflows/harness/state/state.js'

const at = '2030-04-02T10:00:00Z'

const compared = (name: string, label: string, complexity: Phase['complexity'] = 'low'): ComparedPhase => ({
  name,
  label,
  complexity,
  description: `What ${name} is about.`,
})

const list = (...names: string[]) => names.map((name, index) => compared(name, String(index + 1)))

function change(before: ComparedPhase[], after: ComparedPhase[]): SpecChange {
  return { before, after, drift: phaseDrift(before, after) }
}

/** A session at a phase; `*` after a name: complete, `+`: in progress. */
function session(currentState: HarnessState['currentState'], currentPhase: number, ...names: string[]) {
  const phases = names.map((written): Phase => {
    const status = written.endsWith('*') ? 'complete' : written.endsWith('+') ? 'in-progress' : 'pending'
    return { ...newPhase({ name: written.replace(/[*+]$/, ''), complexity: 'low' }), status }
  })
  return { currentState, currentPhase, phases, history: [] } as unknown as HarnessState
}

const told = ({ phases, currentState, currentPhase }: HarnessState) => ({
  phases: phases.map(({ name, status }) => `${name} ${status}`),
  at: `${currentState} ${currentPhase}`,
})

describe('the phases of a session after a change of its spec', () => {
  test('the running phase keeps its place, whatever becomes of it; open ones take the new order', () => {
    const state = session('EXECUTE', 1, 'Box*', 'List+', 'Shelf', 'Rack')
    const next = withSpecPhases(
      state,
      change(list('Box', 'List', 'Shelf', 'Rack'), list('Rack', 'Shelf', 'Lid', 'Box')),
      at,
    )
    expect(told(next)).toEqual({
      phases: ['Box complete', 'List in-progress', 'Rack pending', 'Shelf pending', 'Lid pending'],
      at: 'EXECUTE 1',
    })
  })

  test('a phase whose turn it was and that is gone is skipped, and the next one is at', () => {
    const state = session('ASSESS', 1, 'Box*', 'List', 'Shelf')
    const next = withSpecPhases(state, change(list('Box', 'List', 'Shelf'), list('Box', 'Shelf')), at)
    expect(told(next)).toEqual({ phases: ['Box complete', 'List skipped', 'Shelf pending'], at: 'ASSESS 2' })
    expect(next.history).toMatchObject([{ phase: 1, name: 'List', status: 'skipped', startedAt: at }])
  })

  test('nothing is left: the whole is reviewed; something was added: it is not reviewed yet', () => {
    const one = session('ASSESS', 1, 'Box*', 'List')
    expect(told(withSpecPhases(one, change(list('Box', 'List'), list('Box')), at)).at).toBe('FINAL_REVIEW 1')
    const other = session('FINAL_REVIEW', 0, 'Box*')
    expect(told(withSpecPhases(other, change(list('Box'), list('Box', 'List')), at))).toEqual({
      phases: ['Box complete', 'List pending'],
      at: 'ASSESS 1',
    })
  })

  test('labels, texts and complexity follow; a name that a person gave stays', () => {
    const renamed = { ...session('ASSESS', 0, 'Crate', 'List') }
    const [first] = renamed.phases
    const before = list('Box', 'List')
    const own = withSpecPhases(session('ASSESS', 0, 'Box', 'List'), change(before, before), at).phases[0]
    const state = {
      ...renamed,
      phases: [{ ...first, specText: own?.specText } as Phase, ...renamed.phases.slice(1)],
    }
    const after = [compared('Chest', '0', 'high'), compared('List', '1')]
    const next = withSpecPhases(
      state,
      change(before, [
        { ...after[0], description: before[0]?.description } as ComparedPhase,
        after[1] as ComparedPhase,
      ]),
      at,
    )
    expect(next.phases[0]).toMatchObject({ name: 'Crate', specLabel: '0', complexity: 'high' })
    expect(next.phases[1]).toMatchObject({ name: 'List', specLabel: '1' })
  })

  test('every difference is told, with what becomes of it', () => {
    const state = session('EXECUTE', 1, 'Box*', 'List+', 'Shelf', 'Rack')
    const lines = changeLines(state, change(list('Box', 'List', 'Shelf', 'Rack'), list('Lid', 'Rack')))
    expect(lines).toEqual([
      'Removed: List; it is being worked on and stays',
      'Removed: Shelf; it is skipped',
      'Renamed: Box is now Lid; it is complete and keeps its name',
    ])
  })
})
