import { readText } from '../../../project/text-files.js'
import { type FinishedPhase, fallenPhases } from '../../evidence/claims/earlier-phases.js'
import { qUnproven } from '../../evidence/questions.js'
import type { Pass } from '../pass.js'
import type { PhasePlan } from '../plans.js'
import { acceptedLosses, withAcceptedLosses } from '../state/decisions.js'
import { phaseIds, phaseOf } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import { rootOf, save } from '../work.js'

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

/**
 * What of the phases before is not there any more, as a check that failed: a debugger puts it back first. What is still gone then a
 * person is asked about; what they accept counts no more.
 */
export async function settleFallenPhases(
  pass: Pass,
  { plan, isLast }: { plan: PhasePlan; isLast: boolean },
): Promise<string[]> {
  const { run, facts, at, log } = pass
  const lines = await run.step(`${at}fallen`, async () => {
    const accepted = new Set(acceptedLosses(run.state, facts.id))
    return (await fallenLines(pass, plan)).filter((line) => !accepted.has(line))
  })
  const isTold = lines.every((line) => log.lostTests.has(line))
  for (const line of lines) log.lostTests.add(line)
  if (lines.length === 0 || !(isTold || isLast)) return [...lines]
  const label = `Phase ${facts.id}: ${facts.name}`
  const { value } = await run.ask(
    `${at}fallen-ask`,
    qUnproven(label, [...lines], 'the phase goes on, and this counts as failed'),
  )
  if (value !== 'accept') return [...lines]
  await save(pass, `${at}fallen-taken`, (state, time) =>
    withAcceptedLosses(state, facts.id, [...lines], time),
  )
  return []
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
    isWork: (path) => !path.startsWith('.planning/') && !path.startsWith('.autopilot/'),
  })
}
