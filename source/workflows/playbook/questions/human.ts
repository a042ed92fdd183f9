import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import type { PlanTask } from '../plans.js'

/** A task that only a person can do, or decide. */
export function qHuman(phase: string, task: PlanTask): QuestionDraft {
  const isDecision = task.type === 'decision'
  const options = task.options.map(({ id, name, text }) => ({
    value: `option:${id}`,
    label: name === '' ? id : name,
    consequence: text === '' ? 'the plan goes on with this' : text,
  }))
  return {
    gate: 'Q-HUMAN',
    title: `Task ${task.id} of phase ${phase} is yours: ${task.title}`,
    body: task.action === '' ? ['The plan says no more about it.'] : task.action.split('\n').slice(0, 30),
    options: [
      ...options,
      isDecision
        ? {
            value: 'done',
            label: 'decide in words',
            consequence: 'what you say goes to every agent of this phase',
            text: { label: 'Your decision', required: true },
          }
        : { value: 'done', label: 'done', consequence: 'the task is complete; work goes on' },
      {
        value: 'defer',
        label: 'defer',
        consequence: 'the phase goes on without it and asks for your verdict at the end',
      },
      stop,
    ],
  }
}
