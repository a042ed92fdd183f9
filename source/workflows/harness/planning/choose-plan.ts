import { qPlanFile } from '../questions/plan.js'
import type { PhaseWork } from '../work.js'
import { otherPlans, usablePlanPath } from './find-plan.js'

/** The file that a person named, repo-relative; null when it is no Markdown file of the project, or another phase's plan. Once per key. */
export function usablePath(
  { run, tools, state, phase }: PhaseWork,
  key: string,
  input: string,
): Promise<string | null> {
  return run.step(key, async () => {
    const path = await usablePlanPath(tools, input)
    return path === undefined || otherPlans(state, phase).has(path) ? null : path
  })
}

/** Several files, or one with only a similar name, could be the plan: the person says which. */
export async function choosePlan(
  work: PhaseWork,
  key: string,
  found: { candidates: string[]; sure: boolean },
): Promise<string> {
  const { run, phase } = work
  for (let round = 1; ; round += 1) {
    const question = qPlanFile(phase.label, found.candidates, found.sure)
    const answer = await run.ask(`${key}-${round}`, question)
    const input = answer.value === 'choose' ? (answer.text ?? '') : answer.value
    const path = await usablePath(work, `${key}-path-${round}`, input)
    if (path !== null) return path
    await run.note(`${key}-bad-${round}`, `${input} is not a Markdown file inside the project.`, 'warning')
  }
}
