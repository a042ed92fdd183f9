import type { Run } from '../../../run/run.js'
import type { ListItem } from '../../../view/question.js'
import { phaseMark } from '../phases.js'
import { qPhases } from '../questions/session.js'
import { withDecision } from '../state/decisions.js'
import { skippedEntry } from '../state/skipped.js'
import type { HarnessState, Phase } from '../state/state.js'
import type { HarnessTools } from '../tools.js'

/**
 * Skip or reorder phases that have not begun; completed and running ones keep their place (docs/harness.md, "Settled
 * decisions").
 */
export async function reorder(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<void> {
  const open = openPhases(state)
  const items: ListItem[] = open.map(({ phase, index }) => ({
    id: phaseMark(phase, index),
    name: phase.name,
    choice: phase.complexity,
  }))
  if (items.length === 0) {
    await run.note('nothing-open', 'No phase is open that could be skipped or moved.')
    return
  }
  const answer = await run.ask('phases', qPhases(items))
  if (answer.value !== 'edit' || !answer.items) return
  const { items: order } = answer
  await run.update('reordered', (latest) => withOrder(latest, order, tools.now().toISOString()))
}

/** Phases that have not begun: what can be skipped or moved. */
export function openPhases(state: HarnessState): { phase: Phase; index: number }[] {
  const begun = state.currentState === 'ASSESS' ? -1 : state.currentPhase
  return state.phases.flatMap((phase, index) =>
    phase.status === 'pending' && index !== begun ? [{ phase, index }] : [],
  )
}

/** Versions up to 0.1.0 asked with the place of a phase instead of its label. */
function isOf({ id, name }: ListItem, phase: Phase, index: number): boolean {
  return phase.name === name && (phaseMark(phase, index) === id || String(index + 1) === id)
}

/** Puts the open phases into the places that open phases had, in the new order. */
export function withOrder(state: HarnessState, order: readonly ListItem[], at: string): HarnessState {
  const open = openPhases(state)
  const left = [...open]
  const moved = order.flatMap((draft) => {
    // Two phases of a spec may have the same label.
    const at = left.findIndex(({ phase, index }) => isOf(draft, phase, index))
    const [found] = at < 0 ? [] : left.splice(at, 1)
    if (!found) return []
    return [draft.dropped ? { ...found.phase, status: 'skipped' as const } : found.phase]
  })
  if (moved.length !== open.length) return state
  const places = open.map(({ index }) => index)
  const phases = state.phases.map((phase, index) => {
    const at = places.indexOf(index)
    return at < 0 ? phase : (moved[at] ?? phase)
  })
  const skipped = moved.flatMap((phase) => (phase.status === 'skipped' ? [phase.name] : []))
  const history = phases.flatMap((phase, index) =>
    places.includes(index) && phase.status === 'skipped' ? [skippedEntry(phase, index, at)] : [],
  )
  const next = phases.findIndex((phase) => phase.status === 'pending' || phase.status === 'in-progress')
  const changed = withDecision(
    { ...state, phases, history: [...state.history, ...history] },
    {
      phase: state.currentPhase,
      decision: 'phases_reordered',
      timestamp: at,
      choice: phases.map((phase) => phase.name).join(', '),
      ...(skipped.length > 0 ? { rationale: `skipped: ${skipped.join(', ')}` } : {}),
    },
  )
  if (state.currentState !== 'ASSESS') return changed
  if (next < 0) return { ...changed, currentState: 'FINAL_REVIEW' }
  return { ...changed, currentPhase: next }
}
