import { readText } from '../../project/text-files.js'
import { type FinishedPhase, fallenPhases } from '../evidence/claims/earlier-phases.js'
import { planOfPhase } from './execution/plan-work.js'
import { phaseTitle } from './phases.js'
import { knownDecisions } from './state/decisions.js'
import type { HarnessState } from './state/state.js'
import type { PhaseWork } from './work.js'

// Which claims are checked in which state of this workflow (docs/evidence.md, "Claims"):
//   EXECUTE       tasks, fixes, checkpoints, commits, one handoff, tests, earlier phases
//   VERIFY        a pass without gaps that has run something, or our tests
//   REVIEW        the assessment agrees with the findings
//   FINAL_REVIEW  the same, and every phase's work is there

/** Phases that are over, by the commits between which they worked. Those of 0.1.0 have no end and are not compared. */
export function finishedPhases(state: HarnessState, before = state.phases.length): FinishedPhase[] {
  return state.phases.flatMap((phase, index) => {
    const { status, startCommit, endCommit } = phase
    if (index === before || status !== 'complete' || !startCommit || !endCommit) return []
    const { startedAt = '' } = phase
    return [{ label: phaseTitle(phase, index), startedAt, startCommit, endCommit }]
  })
}

/** What of the phases before this one is not there any more, though no plan since speaks of it. */
export async function earlierPhaseDoubts({ tools, run, phase }: PhaseWork): Promise<string[]> {
  return fallenWork(tools, run.state, phase.index)
}

/**
 * Without those of a clone that was told to lack commits: a person has chosen another base since (Q-BASE), and there is nothing
 * left to compare with.
 */
async function comparable(
  { git }: PhaseWork['tools'],
  state: HarnessState,
  phases: FinishedPhase[],
): Promise<FinishedPhase[]> {
  const chosen = knownDecisions(state).flatMap(({ decision, timestamp }) =>
    decision === 'starting_commit_chosen' ? [timestamp] : [],
  )
  const last = chosen.sort().at(-1)
  if (last === undefined) return phases
  const there = await Promise.all(
    phases.map(
      async ({ startedAt, startCommit, endCommit }) =>
        startedAt > last || ((await git.exists(startCommit)) && (await git.exists(endCommit))),
    ),
  )
  return phases.filter((_, index) => there[index])
}

/** The same for all finished phases but one (0-based). */
export async function fallenWork(
  tools: PhaseWork['tools'],
  state: HarnessState,
  except?: number,
): Promise<string[]> {
  const phases = await comparable(tools, state, finishedPhases(state, except))
  if (phases.length === 0) return []
  const plans = await Promise.all(
    state.phases.map(async (one, index) => ({
      startedAt: one.startedAt ?? '',
      text: (await planOfPhase(tools, state, index)) ?? '',
    })),
  )
  return fallenPhases(tools.git, phases, {
    later: (phase) => plans.filter(({ startedAt }) => startedAt > phase.startedAt).map(({ text }) => text),
    read: (path) => readText(tools, path),
  })
}
