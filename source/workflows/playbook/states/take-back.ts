import { withoutStanding } from '../state/carry.js'
import { phaseOf } from '../state/phases.js'
import { type RolledBack, rollBack } from '../steps/rollback.js'
import { type PhaseWork, savePhase } from '../work.js'

/**
 * A phase that failed leaves nothing of its commits behind (docs/playbook-checks.md, "Rollback"). `more`: commits that its
 * record does not name yet. Undefined where it has none.
 */
export async function takeBack(
  work: PhaseWork,
  checkpoint: string,
  more: readonly string[] = [],
): Promise<RolledBack | undefined> {
  const commits = await work.run.step(
    'commits-of-phase',
    () => phaseOf(work.run.state, work.facts.id).commit_shas,
  )
  const all = [...new Set([...commits, ...more])]
  if (all.length === 0) return undefined
  const back = await rollBack(work, 'rollback', { commits: all, checkpoint })
  // With its commits still there, the phase is not what an earlier run has completed.
  if (back.refused !== undefined) await savePhase(work, 'not-back', withoutStanding)
  return back
}
