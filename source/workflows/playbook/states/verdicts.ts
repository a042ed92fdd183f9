import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { qVerdict } from '../questions/verdict.js'
import { withEvents } from '../state/events.js'
import { phaseOf, phasesWith, withPhase } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import type { PlaybookTools } from '../tools.js'

/** VERDICTS: phases that wait for a person, one gate each, the first of the queue at a time. */
export async function verdicts(
  state: PlaybookState,
  run: Run<PlaybookState>,
  tools: PlaybookTools,
): Promise<Transition<PlaybookState>> {
  const [id] = phasesWith(state, 'needs_human_verification')
  if (id === undefined) throw new Error('no phase waits for a person')
  const answer = await run.ask('verdict', qVerdict(id, tools.outline.get(id)?.name ?? id, phaseOf(state, id)))
  const at = await run.step('verdict-at', () => tools.now().toISOString())
  const issues = (answer.text ?? '').split('\n').filter((line) => line.trim() !== '')
  const verdict = { verdict: answer.value as 'pass' | 'fail' | 'issues_found', timestamp: at, issues }
  return {
    change: (latest) => {
      const next = withPhase(latest, id, (record) => ({
        ...record,
        human_verdict: verdict,
        status: verdict.verdict === 'pass' ? 'completed' : 'failed',
        completed_at: at,
      }))
      return withEvents(next, at, [
        { event: 'human_verdict_recorded', phase: id, details: verdict },
        verdict.verdict === 'pass'
          ? { event: 'phase_completed', phase: id }
          : { event: 'phase_failed', phase: id },
      ])
    },
  }
}
