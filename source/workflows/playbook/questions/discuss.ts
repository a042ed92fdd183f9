import type { QuestionDraft, QuestionOption } from '../../../view/question.js'
import { stop } from '../../options.js'
import type { OpenQuestion } from '../records/talks.js'

/** Where a question stands among those of its phase. */
export interface Place {
  phase: { id: string; name: string }
  /** 1-based. */
  number: number
  total: number
}

const mostOptions = 6

/** One thing that only a person can say of a phase. Values of offered choices are `option:<index>`. */
export function qDiscuss({ phase, number, total }: Place, asked: OpenQuestion): QuestionDraft {
  const { question, why, options, recommendation = '' } = asked
  const offered = options.slice(0, mostOptions).map((label, index): QuestionOption => {
    const isRecommended = isMeant(recommendation, label)
    const consequence = 'what you say goes to the agents of this phase'
    return {
      value: `option:${index}`,
      label,
      consequence,
      ...(isRecommended ? { recommended: true } : {}),
    }
  })
  return {
    gate: 'Q-DISCUSS',
    title: `Phase ${phase.id} ${phase.name}: question ${number} of ${total}`,
    body: [
      ...question.split('\n'),
      ...(why.trim() === '' ? [] : ['', `What depends on it: ${why}`]),
      ...(recommendation.trim() === '' ? [] : [`Whoever asks would take: ${recommendation}`]),
    ],
    options: [
      ...offered,
      {
        value: 'own',
        label: 'in your words',
        consequence: 'what you say goes to the agents of this phase',
        text: { label: 'Your answer', required: true },
      },
      { value: 'open', label: 'leave open', consequence: 'the agents decide, and are told that they may' },
      { value: 'enough', label: 'enough', consequence: 'nothing more is asked about this phase' },
      stop,
    ],
  }
}

/** Whether a recommendation, with its reason behind it, is this option. */
function isMeant(recommendation: string, option: string): boolean {
  const [said, meant] = [recommendation, option].map((text) => text.trim().toLowerCase())
  if (said === undefined || meant === undefined || meant === '' || !said.startsWith(meant)) return false
  return !/^[\p{L}\p{N}]/u.test(said.slice(meant.length))
}

/** Nobody could find out what has to be asked about a phase. */
export function qNoQuestions(phase: { id: string; name: string }, message: string): QuestionDraft {
  return {
    gate: 'Q-DISCUSS',
    title: `Phase ${phase.id} ${phase.name}: nobody could say what has to be asked`,
    body: [message, 'You wanted to be asked before work begins.'],
    options: [
      { value: 'retry', label: 'try again', consequence: 'somebody else looks into the phase' },
      { value: 'without', label: 'go on', consequence: 'nothing is asked about this phase' },
      stop,
    ],
  }
}
