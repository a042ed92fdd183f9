import { estimateTokens, estimateWarning } from '../estimate.js'
import { plansIn } from '../plans.js'
import { tell } from '../progress.js'
import { refreshRepoMap } from '../refresh-repo-map.js'
import { type PhaseWork, rootOf, savePhase } from '../work.js'

/** Before anybody is sent for a phase: what it will take, what it lacks, and a map of the code as it is now. */
export async function preSpawn(work: PhaseWork): Promise<void> {
  const { run, facts, tools, git, at } = work
  const estimate = await run.step(`${at}estimate`, async () => {
    const { tasks } = await plansIn(rootOf(work).root, facts.dir, facts.id)
    return estimateTokens(facts.type, tasks)
  })
  await savePhase(work, 'estimated', (phase) => ({ ...phase, estimated_tokens: estimate }))
  const warning = estimateWarning(estimate, tools.settings.circuit_breaker.cost_cap_tokens_per_phase)
  if (warning !== undefined) await tell(work, 'estimate-says', warning, 'warning')
  const lacks = lackingOf(work)
  if (lacks.length > 0)
    await tell(
      work,
      'lacks-says',
      `The phase has ${lacks.join(', ')}. Questions about it can be gathered first (--map).`,
      'warning',
    )
  const trouble = await run.step(`${at}repo-map`, async () => {
    try {
      await refreshRepoMap(tools, git, tools.now().toISOString())
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })
  if (trouble !== null) await tell(work, 'repo-map-says', `The map of the code could not be made: ${trouble}`)
}

const stubGoal = /^(?:tbd|todo|\[.*\]|n\/a|-|\.{3})?$/i

/** What nobody can plan well without. */
export function lackingOf({ facts, tools }: PhaseWork): string[] {
  const hasCommand = Object.values(tools.commands()).some((command) => command !== null)
  return [
    ...(stubGoal.test(facts.goal.trim()) ? ['no goal'] : []),
    ...(facts.requirements.length === 0 && facts.criteria.length === 0 ? ['no requirements'] : []),
    ...(hasCommand ? [] : ['no project command that checks it']),
  ]
}
