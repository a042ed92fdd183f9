import { counted } from '../../../counted.js'
import type { QuestionDraft } from '../../../view/question.js'
import { withListed } from '../../evidence/questions.js'
import { stop } from '../../options.js'
import type { PhaseRecord } from '../state/schema.js'

/** What only a person can say of a phase. `beside`: what nobody was asked about, and should be seen. */
export function qVerdict(
  id: string,
  name: string,
  record: PhaseRecord,
  beside: readonly string[] = [],
): QuestionDraft {
  const { human_verify_justification: why, alignment_score: score } = record
  const issues = { label: 'What is wrong? One line each.', required: true }
  return {
    gate: 'Q-VERDICT',
    title: `Phase ${id} ${name} waits for your verdict`,
    body: [
      ...(why ? [`Task ${why.checkpoint_task_id}: ${why.task_description}`] : []),
      ...(why ? [`${why.auto_tasks_passed} of ${counted(why.auto_tasks_total, 'other task')} passed.`] : []),
      `Score: ${score === null ? 'none' : `${score.toFixed(1)}/10`}`,
      ...withListed(beside),
    ],
    options: [
      { value: 'pass', label: 'pass', consequence: 'the phase is completed' },
      {
        value: 'fail',
        label: 'fail',
        consequence: 'the phase is mended by what you say, and asked about again',
        text: issues,
      },
      {
        value: 'issues_found',
        label: 'issues',
        consequence: 'what you list is mended, and the phase is asked about again',
        text: issues,
      },
      stop,
    ],
  }
}
