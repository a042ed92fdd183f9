import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import type { PlanIssue } from '../results.js'

const shown = 20

/** A plan that this run did not write does not pass its check. */
export function qPlan(phase: string, paths: readonly string[], issues: readonly PlanIssue[]): QuestionDraft {
  return {
    gate: 'Q-PLAN',
    title: `The plan of phase ${phase} is not this run's own, and does not pass its check`,
    body: issues
      .slice(0, shown)
      .map(({ severity, plan, description }) => `${severity}: ${plan}: ${description}`),
    evidence: paths.map((path, index) => ({ id: `plan-${index + 1}`, kind: 'plan', title: path, path })),
    options: [
      {
        value: 're-plan',
        label: 're-plan',
        consequence: 'a planner writes a new plan; the old one is kept beside it',
      },
      {
        value: 'run',
        label: 'run as it stands',
        consequence: 'work by this plan; what no command can show stays unproven',
      },
      stop,
    ],
  }
}
