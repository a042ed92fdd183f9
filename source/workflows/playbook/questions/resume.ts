import type { QuestionDraft } from '../../../view/question.js'
import { typedFlag } from '../../flags.js'
import { stop } from '../../options.js'
import type { Typed } from '../../workflow.js'
import { phaseOf } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'

/** The run has failed: it goes on only as a person says. */
export function qResume(phase: string, state: PlaybookState): QuestionDraft {
  const failed = state.event_log.findLast(({ event, phase: of }) => event === 'phase_failed' && of === phase)
  const told = Array.isArray(failed?.details.issues) ? failed.details.issues.map(String) : []
  // Each round tells again what it found.
  const issues = [...new Set(told)]
  const { queue } = state._meta
  return {
    gate: 'Q-RESUME',
    title: `The run failed in phase ${phase}`,
    body: [
      ...issues,
      ...(issues.length > 0 ? [''] : []),
      `Phase ${phase}: ${phaseOf(state, phase).status.replaceAll('_', ' ')}.`,
      queue.length === 0 ? 'No other phase is left.' : `Phases that are left: ${queue.join(', ')}.`,
    ],
    options: [
      {
        value: 'retry',
        label: 'retry phase',
        consequence: `phase ${phase} begins anew`,
      },
      { value: 'skip', label: 'skip', consequence: 'the phase stays failed; the others go on' },
      {
        value: 'new',
        label: 'new run',
        consequence: 'this run goes to the archive, and another one begins; completed phases stay completed',
      },
      stop,
    ],
  }
}

/** A run is under way, and what was typed is about another one. */
export function qAnother({ _meta }: PlaybookState, typed: readonly string[]): QuestionDraft {
  const { status, current_phase: phase, current_step: step, queue } = _meta
  const at = [phase === null ? undefined : `in phase ${phase}`, step?.toUpperCase().replaceAll('_', '-')]
  const where = [status, ...at].filter((word) => word !== undefined && word !== null)
  return {
    gate: 'Q-RESUME',
    title: 'A run is under way already',
    body: [
      `It is ${where.join(', ')}.`,
      queue.length === 0 ? 'No phase of it is left.' : `Phases that are left: ${queue.join(', ')}.`,
      `It was not begun with ${typed.join(' ')}.`,
    ],
    options: [
      {
        value: 'resume',
        label: 'go on with it',
        consequence: 'exactly where it stands; what you typed is left out',
      },
      {
        value: 'new',
        label: 'new run',
        consequence:
          'this run goes to the archive as it is, its commits stay, and another one begins as you typed it',
      },
      stop,
    ],
  }
}

/** A run has begun and no phase of it yet, and what was typed is not what it was begun with. */
export function qAsTyped(begun: Typed, typed: readonly string[]): QuestionDraft {
  const flags = Object.entries(begun.flags).map(([name, value]) =>
    value === true ? typedFlag(name) : `${typedFlag(name)} ${value}`,
  )
  const words = [...begun.selectors, ...flags]
  return {
    gate: 'Q-RESUME',
    title: 'A run has been begun already',
    body: [
      words.length === 0
        ? 'It was begun without selectors, and no phase of it has begun.'
        : `It was begun with ${words.join(' ')}, and no phase of it has begun.`,
      `Now you typed ${typed.join(' ')}.`,
    ],
    options: [
      {
        value: 'resume',
        label: 'go on with it',
        consequence: 'as it was begun; what you typed now is left out',
      },
      {
        value: 'new',
        label: 'as typed now',
        consequence: 'it begins with what you typed now',
      },
      stop,
    ],
  }
}
