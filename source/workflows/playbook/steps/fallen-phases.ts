import { readText } from '../../../project/text-files.js'
import { type FinishedPhase, fallenPhases } from '../../evidence/claims/earlier-phases.js'
import { qUnproven } from '../../evidence/questions.js'
import type { Pass } from '../pass.js'
import { isWork } from '../places.js'
import type { PhasePlan } from '../plans.js'
import { acceptedLosses, withAcceptedLosses } from '../state/decisions.js'
import { phaseIds, phaseOf } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import { rootOf } from '../work.js'
import { settleGone } from './gone.js'

// Work of earlier phases that a later one takes away (docs/playbook-checks.md, "Work that is gone").

/** Phases that are done, by the commits between which they worked. */
function finishedPhases(state: PlaybookState, except: string): FinishedPhase[] {
  return phaseIds(state).flatMap((id) => {
    const { status, started_at: startedAt, base_sha: base, checkpoint_sha: end } = phaseOf(state, id)
    if (id === except || (status !== 'completed' && status !== 'needs_human_verification')) return []
    if (typeof base !== 'string' || !base || !end) return []
    return [{ label: `Phase ${id}`, startedAt: startedAt ?? '', startCommit: base, endCommit: end }]
  })
}

/** What of the phases before is not there any more, and nobody has accepted. */
export async function settleFallenPhases(
  pass: Pass,
  { plan, isLast }: { plan: PhasePlan; isLast: boolean },
): Promise<string[]> {
  const { run, facts, at } = pass
  const lines = await run.step(`${at}fallen`, async () => {
    const accepted = new Set(acceptedLosses(run.state, facts.id))
    return (await fallenLines(pass, plan)).filter((line) => !accepted.has(line))
  })
  const label = `Phase ${facts.id}: ${facts.name}`
  return await settleGone(pass, lines, {
    key: 'fallen',
    isLast,
    question: qUnproven(label, [...lines], 'the phase goes on, and this counts as failed'),
    accepted: (state, time) => withAcceptedLosses(state, facts.id, [...lines], time),
  })
}

async function fallenLines(pass: Pass, plan: PhasePlan): Promise<string[]> {
  const { git, run, facts } = pass
  const phases = finishedPhases(run.state, facts.id)
  if (phases.length === 0) return []
  const read = (path: string) => readText(rootOf(pass), path)
  const texts = await Promise.all(plan.paths.map((path) => read(path).catch(() => undefined)))
  const text = texts.join('\n')
  return fallenPhases(git, phases, {
    later: () => [text],
    read,
    isWork,
  })
}
