import { counted } from '../../../counted.js'
import { type MendingPart, splitIssues, tooManyIssues } from '../decisions/split.js'
import { beginPass, type Pass, type PassLog } from '../pass.js'
import type { PhasePlan } from '../plans.js'
import { phaseOf } from '../state/phases.js'
import { type Executed, execute, mendingTask } from '../steps/execute.js'
import type { Outcome } from '../steps/failure.js'
import { testsAtStart } from '../steps/lost-tests.js'
import { partsEnd, workInParts } from './in-parts.js'

// A cycle with too much to mend: what hangs together is mended in a work tree of its own, then all of it is verified,
// judged and rated as any cycle is.

/** The parts of the cycle that this pass is; undefined where it is none, or one piece. */
export async function mendingPartsOf(
  pass: Pass,
): Promise<{ parts: MendingPart[]; reason: string } | undefined> {
  const { run, facts, input, tools, at } = pass
  if (input.remediation === undefined) return undefined
  const { feedback } = input.remediation
  const reason = tooManyIssues(feedback)
  if (reason === undefined) return undefined
  // As it was at the beginning: the parts of this cycle are in the record soon after.
  const before = await run.step(`${at}parts-before`, async () =>
    phaseOf(run.state, facts.id).sub_phases.map(({ sub_phase_id: id }) => id),
  )
  const parts = splitIssues(facts.id, feedback, [...tools.outline.keys(), ...before])
  return parts && { parts, reason }
}

/** 6 EXECUTE of such a cycle. A part that failed is left out; what is there then is looked at as a whole. */
export async function mendInParts(
  pass: Pass,
  plan: PhasePlan,
  { parts, reason }: { parts: readonly MendingPart[]; reason: string },
): Promise<Outcome<{ executed: Executed }>> {
  const { input, log } = pass
  const { cycle } = input.remediation ?? { cycle: 1 }
  await testsAtStart(pass)
  const taskOf = (part: string) => mendingTask({ cycle, part })
  const board = {
    parts: parts.map(({ id }) => ({ id, tasks: [taskOf(id)] })),
    atWork: new Map<string, string>(),
  }
  const ended = new Map<string, { log: PassLog; executed?: Executed }>()
  const merges: string[] = []
  const run = await workInParts<MendingPart>(pass, {
    parts,
    reason,
    details: { cycle },
    work: async (own, { id, feedback }, base) => {
      const one = beginPass(own, {
        ...input,
        remediation: { cycle, feedback, part: id },
        parts: board,
        checkpoint: base,
      })
      const came = await execute(one, plan)
      ended.set(id, { log: one.log, ...(came.ok ? { executed: came.executed } : {}) })
      const failed = !came.ok || came.executed.failed > 0
      return { status: failed ? 'failed' : 'completed', alignment_score: null, issues: one.log.issues }
    },
    merged: (sha) => merges.push(sha),
  })
  await partsEnd(pass, run, run.completed)
  // In the order of the parts, whichever was through first.
  for (const { id } of parts) takeOver(log, ended.get(id)?.log)
  log.commits.push(...merges)
  const failed = run.parts.filter(({ status }) => status !== 'completed').length
  log.steps.execute.agent_spawned = true
  log.steps.execute.status = failed > 0 ? 'partial' : 'completed'
  if (failed > 0)
    log.issues.push(
      `${counted(failed, 'part')} of ${parts.length} in remediation cycle ${cycle} came to nothing`,
    )
  const deferred = [...ended.values()].find(({ executed }) => executed)?.executed?.deferred ?? []
  const executed = { deferred, completed: parts.length - failed, failed, total: parts.length }
  return { ok: true, executed }
}

/** What a part has done is done in the cycle. */
function takeOver(log: PassLog, part: PassLog | undefined): void {
  if (part === undefined) return
  log.commits.push(...part.commits)
  log.issues.push(...part.issues)
  log.failures.push(...part.failures)
  log.fixes.push(...part.fixes)
  log.filesChecked.push(...part.filesChecked)
  log.commandsRun.push(...part.commandsRun)
  log.executorEvidence.push(...part.executorEvidence)
  for (const [task, status] of part.tasks) log.tasks.set(task, status)
}
