import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { withEvents } from '../state/events.js'
import { phasesWith } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import type { PlaybookTools } from '../tools.js'

/** COMPLETION: what the run came to. */
export async function completion(
  state: PlaybookState,
  run: Run<PlaybookState>,
  tools: PlaybookTools,
): Promise<Transition<PlaybookState>> {
  const at = await run.step('completed-at', () => tools.now().toISOString())
  run.report(endLines(state))
  return {
    finished: true,
    change: (latest) => {
      const done = {
        ...latest,
        _meta: { ...latest._meta, status: 'completed' as const, current_step: null, last_checkpoint: at },
      }
      return withEvents(done, at, [
        { event: 'run_completed', details: { phases: latest._meta.total_phases } },
      ])
    },
  }
}

/** Counts, average and what is left, as the last page says them. */
export function endLines(state: PlaybookState): string[] {
  const completed = phasesWith(state, 'completed')
  const failed = phasesWith(state, 'failed')
  const scores = Object.values(state.phases).flatMap(({ alignment_score: score }) => score ?? [])
  const average =
    scores.length === 0 ? 'none' : (scores.reduce((sum, one) => sum + one, 0) / scores.length).toFixed(1)
  return [
    `${completed.length} phases completed, ${failed.length} failed; average score ${average}.`,
    ...(failed.length > 0 ? [`Failed: ${failed.join(', ')}.`] : []),
  ]
}
