import { ensureIgnored } from '../../../project/gitignore.js'
import type { Run } from '../../../run/run.js'
import { loadContext } from '../opening/load-context.js'
import { readPhases } from '../opening/read-phases.js'
import { freshFinalReview, freshRetryBudget, type HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import type { HarnessWork } from '../work.js'

/**
 * INIT: read the spec, confirm its phases where the reading was tolerant, make the first state (docs/harness.md,
 * "Start of a session").
 */
export async function init(run: Run<HarnessState>, tools: HarnessTools): Promise<HarnessState> {
  const work: HarnessWork = { run, tools }
  await run.note('spec', tools.specPath)
  await run.step('gitignore', () => ensureIgnored(tools.root, '.harness', 'sessions'))
  const flags = await run.step('flags', () => tools.flags)
  if (JSON.stringify(flags) !== JSON.stringify(tools.flags))
    run.report(['Flags were read when this session began; those given now do not count.'])
  const startingCommit = await run.step('head', () => tools.git.head())
  const { phases, spec, confirmed } = await readPhases(work)
  if (phases.length === 1)
    await run.note('one-phase', 'The spec has one phase; this workflow is made for two or more.', 'warning')
  for (const [index, line] of (await loadContext(work)).entries()) await run.note(`context-${index}`, line)

  const now = await run.step('now', () => tools.now().toISOString())
  return {
    schemaVersion: 5,
    sessionDir: tools.sessionDir,
    specPath: tools.specPath,
    startingCommit,
    reviewPlans: flags.reviewPlans || flags.thorough,
    rigorLevel: flags.fast ? 'fast' : flags.thorough ? 'thorough' : 'standard',
    currentState: 'ASSESS',
    currentPhase: 0,
    awaitingInteractivePlan: false,
    phases,
    retryBudget: freshRetryBudget,
    history: [],
    decisions: confirmed
      ? [{ phase: 0, decision: 'phases_confirmed', timestamp: now, choice: confirmed }]
      : [],
    finalReview: freshFinalReview,
    approvedSpec: spec,
  }
}
