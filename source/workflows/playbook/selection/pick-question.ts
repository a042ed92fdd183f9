import { counted } from '../../../counted.js'
import { comparePhaseIds } from '../../../documents/playbook-id.js'
import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import { type SelectablePhase, selectPhases } from './select.js'

/** Asked where nothing says which phases to run. Values are selectors. */
export function pickQuestion(phases: readonly SelectablePhase[], wrong?: string): QuestionDraft {
  const none = { complete: false, quality: false, gaps: false, force: false }
  const all = selectPhases(phases, { kind: 'all' }, none).queue
  const [next] = selectPhases(phases, { kind: 'next' }, none).queue
  const nameOf = (id: string) => phases.find((phase) => phase.id === id)?.name ?? ''
  const count = (status: string) => phases.filter((phase) => phase.status === status).length
  return {
    gate: 'Q-PICK',
    title: 'Which phases?',
    body: [
      ...(wrong === undefined ? [] : [wrong, '']),
      `${counted(phases.length, 'phase')}: ${count('completed')} completed, ${count('failed')} failed, ${all.length} outstanding.`,
    ],
    options: [
      ...(all.length > 0 ? [{ value: 'all', label: 'all', consequence: `run ${all.join(', ')}` }] : []),
      ...(next === undefined
        ? []
        : [{ value: 'next', label: 'next', consequence: `only ${next} ${nameOf(next)}` }]),
      ...(phases.length > 0
        ? [
            {
              value: 'named',
              label: 'named',
              consequence: `some of ${phases
                .map(({ id }) => id)
                .sort(comparePhaseIds)
                .join(', ')}`,
              text: { label: 'Which? 3, 2.1, 3-7 or 3,5,8', required: true },
            },
          ]
        : []),
      stop,
    ],
  }
}
