import type { Run } from '../../../run/run.js'
import type { ListItem } from '../../../view/question.js'
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
    id: String(index + 1),
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

/** Puts the open phases into the places that open phases had, in the new order. */
export function withOrder(state: HarnessState, order: readonly ListItem[], at: string): HarnessState {
  const open = openPhases(state)
  const moved = order.flatMap((draft) => {
    const found = open.find(({ index }) => String(index + 1) === draft.id)
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
