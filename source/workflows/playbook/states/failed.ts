import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { closedBreaker } from '../breaker/breaker.js'
import { skippedByPerson } from '../decision-views.js'
import { qResume } from '../questions/resume.js'
import { withEvents } from '../state/events.js'
import { freshSteps, phasesWith, withPhase } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import { giveBack, givenBack } from '../steps/put-aside.js'
import type { PlaybookTools } from '../tools.js'

/** FAILED: nothing goes on before a person says how. */
export async function failedRun(
  state: PlaybookState,
  run: Run<PlaybookState>,
  tools: PlaybookTools,
): Promise<Transition<PlaybookState>> {
  const id = state._meta.current_phase ?? phasesWith(state, 'failed').at(-1) ?? ''
  const answer = await run.ask('resume', qResume(id, state))
  const at = await run.step('resumed-at', () => tools.now().toISOString())
  if (answer.value === 'new') {
    await giveBack({ run, tools }, 'give-back')
    return { finished: true, change: (latest) => ended(latest, at) }
  }
  return {
    change: (latest) => {
      const resumed = {
        ...latest,
        _meta: { ...latest._meta, status: 'running' as const, last_checkpoint: at },
      }
      // What the breaker ended is gone on with by the word of a person, who is not asked about the same once more.
      const wasOpen = latest.circuit_breaker.state !== 'closed'
      const closed = { ...latest.circuit_breaker, ...closedBreaker }
      const breaker = { ...closed, error_counts: latest.circuit_breaker.error_counts }
      const told = withEvents(wasOpen ? { ...resumed, circuit_breaker: breaker } : resumed, at, [
        { event: 'run_resumed', phase: id, details: { by: answer.value } },
        ...(wasOpen ? [{ event: 'circuit_breaker_closed' as const, phase: id }] : []),
      ])
      return answer.value === 'retry' ? retried(told, id) : skipped(told, id, at)
    },
  }
}

/** Nothing of it goes on: it is archived as it is. */
function ended(state: PlaybookState, at: string): PlaybookState {
  return { ...state, _meta: { ...state._meta, last_checkpoint: at, [givenBack]: true } }
}

/** The phase at the head of the queue again, from zero. */
function retried(state: PlaybookState, id: string): PlaybookState {
  const { queue: left, total_phases_processed: processed } = state._meta
  const queue = [id, ...left.filter((one) => one !== id)]
  // One that had come to its end was counted then, and is counted when it comes to it again.
  const counted = left.includes(id) ? processed : Math.max(0, processed - 1)
  const next = withPhase(state, id, (phase) => ({
    ...phase,
    status: 'not_started',
    steps: freshSteps(),
    debug_attempts: 0,
    replan_attempts: 0,
    commit_shas: [],
  }))
  return { ...next, _meta: { ...next._meta, queue, total_phases_processed: counted } }
}

function skipped(state: PlaybookState, id: string, at: string): PlaybookState {
  const next = {
    ...state,
    _meta: { ...state._meta, queue: state._meta.queue.filter((one) => one !== id), current_phase: null },
  }
  return withEvents(next, at, [{ event: 'phase_skipped', phase: id, details: { reason: skippedByPerson } }])
}
