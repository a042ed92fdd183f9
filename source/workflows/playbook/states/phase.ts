import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { RunHalted, settleFoundOpen } from '../circuit.js'
import type { RemediationMode } from '../decisions/remediation.js'
import { playbookFlags } from '../flags.js'
import { type Attempts, beginPass, type PassInput } from '../pass.js'
import { readFacts } from '../phase-facts.js'
import { publishPostMortem, scoredBy } from '../phase-records.js'
import type { PassResult } from '../phase-return.js'
import { runPhase } from '../phase-runner.js'
import { phaseBegins, phaseEnds } from '../progress.js'
import { qEvery } from '../questions/every.js'
import { splitPhase } from '../split/split-phase.js'
import { begunAgain, isStanding } from '../state/carry.js'
import { listedLines } from '../state/listed.js'
import { freshSteps, phaseOf, withPhase } from '../state/phases.js'
import type { PhaseRecord, PlaybookState } from '../state/schema.js'
import { preSpawn } from '../steps/pre-spawn.js'
import { failed } from '../steps/result.js'
import { showRecordedTasks } from '../task-loop/show-tasks.js'
import type { PlaybookTools } from '../tools.js'
import { type PhaseFacts, type PhaseWork, save, savePhase, under } from '../work.js'
import { completeRun, haltRun, settleFailure } from './after-phase.js'
import { explainLow } from './explain-low.js'
import { remediate } from './remediation.js'
import { settleDirectory } from './settle-directory.js'
import { takeBack } from './take-back.js'

/** PHASE: the next phase of the queue, from its first step to what follows from its result. */
export async function phase(
  state: PlaybookState,
  run: Run<PlaybookState>,
  tools: PlaybookTools,
): Promise<Transition<PlaybookState>> {
  const [id] = state._meta.queue
  if (id === undefined) throw new Error('no phase is left to be run')
  const { checkpointEvery: every } = playbookFlags(state._meta.flags)
  const processed = state._meta.total_phases_processed
  if (every !== undefined && processed > 0 && processed % every === 0)
    await run.ask('every', qEvery(processed, state._meta.queue, listedLines(state)))
  await settleDirectory({ run, tools }, id)
  const facts = (await run.step('facts', () => readFacts(tools, run.state, id))) as PhaseFacts
  const work: PhaseWork = { run, tools, facts, at: '', git: tools.git }
  const before = phaseOf(state, id)
  await settleFoundOpen(work, state)
  const begun = await begin(work, before)
  // Those of the phase before are over.
  await showRecordedTasks(work, id)
  await phaseBegins(work)
  const input = await passInput(work, before)
  try {
    const result = await workedThrough(work, { state, input, before })
    const ended = await recordResult(work, result)
    const ms = Date.parse(ended._meta.last_checkpoint) - Date.parse(begun._meta.last_checkpoint)
    return await settled(work, result, Math.max(0, ms))
  } catch (error) {
    if (!(error instanceof RunHalted)) throw error
    await leaveHalted(work, input, error)
    return haltRun(work, error)
  }
}

/** The pass over the phase, what is mended after it, and what is left of one that failed. */
async function workedThrough(
  work: PhaseWork,
  { state, input, before }: { state: PlaybookState; input: PassInput; before: PhaseRecord },
): Promise<PassResult> {
  const used = attemptsOf(before)
  await preSpawn(work)
  const passed = await runPhase(work, input, used)
  const { split } = passed
  const first = split === undefined ? passed : await splitPhase(work, input, { ...passed, split })
  await firstScore(work, first)
  const result = await remediate(work, { mode: modeOf(state), input, used, before: 0 }, first)
  if (result.returned.status !== 'failed') {
    await explainLow(work, first, result)
    return result
  }
  await takenBack(work, input, result)
  if (!isUserStop(result)) await tellWhy(work, result)
  return result
}

/** A phase that a bound of the run has ended in the middle is taken back and explained as any other that failed. */
async function leaveHalted(work: PhaseWork, input: PassInput, { message }: RunHalted): Promise<void> {
  const pass = under(beginPass(work, input), 'halted')
  const category = 'coordination_failure'
  pass.log.issues.push(message)
  pass.log.failures.push({ at: '', step: 'circuit breaker', failure: message, category })
  const result = await failed(pass, { ok: false, failure: message, category })
  await takenBack(work, input, result)
  await tellWhy(work, result)
}

const isUserStop = ({ returned }: PassResult) => returned.issues.includes('spec_hash_mismatch')

async function tellWhy(work: PhaseWork, result: PassResult): Promise<void> {
  const trouble = await publishPostMortem(work, result)
  if (trouble !== null) result.returned.issues.push(`the post-mortem could not be written: ${trouble}`)
}

/** The score with which the phase came out of its first pass. */
async function firstScore(work: PhaseWork, { returned }: PassResult): Promise<void> {
  const { alignment_score: score } = returned
  if (score === null) return
  const flag = work.run.state._meta.flags.force === true ? 'force' : 'initial'
  await savePhase(work, 'first-score', (record, at) => ({
    ...record,
    score_history: [...record.score_history, { score, timestamp: at, flag, cycle: 0 }],
  }))
}

const attemptsOf = (record: PhaseRecord): Attempts => ({
  debugs: record.debug_attempts,
  replans: record.replan_attempts,
  respawns: { ...record.respawns },
})

/** What its return says of how it was taken back. */
async function takenBack(
  work: PhaseWork,
  { checkpoint }: PassInput,
  { returned }: PassResult,
): Promise<void> {
  const back = await takeBack(work, checkpoint, returned.commit_shas)
  if (back === undefined) return
  returned.rollback_performed = back.performed
  if (back.branch !== null) returned.diagnostic_branch = back.branch
}

function modeOf({ _meta: { flags } }: PlaybookState): RemediationMode {
  return flags.gaps === true ? 'gaps' : flags.quality === true ? 'quality' : 'standard'
}

/** A phase that was begun before keeps what stands of it. */
async function begin(work: PhaseWork, before: PhaseRecord): Promise<PlaybookState> {
  const { facts } = work
  const again = before.status === 'in_progress'
  return save(
    work,
    'phase-started',
    (state, at) => {
      const next = withPhase(state, facts.id, (record) => ({
        ...begunAgain(record),
        phase_type: facts.type,
        status: 'in_progress',
        started_at: again ? (record.started_at ?? at) : at,
        completed_at: null,
        base_sha: again && typeof record.base_sha === 'string' ? record.base_sha : state.last_checkpoint_sha,
        worked_from:
          again && typeof record.worked_from === 'number'
            ? record.worked_from
            : work.run.times.workMs / 60_000,
        steps: again ? record.steps : freshSteps(),
      }))
      return { ...next, _meta: { ...next._meta, current_phase: facts.id, current_step: 'preflight' } }
    },
    [
      { event: 'phase_started', phase: facts.id, details: { name: facts.name, number: facts.number } },
      ...(!again && work.run.state._meta.flags.force === true
        ? [
            {
              event: 'force_reexecution_started' as const,
              phase: facts.id,
              details: { old_score: before.alignment_score },
            },
          ]
        : []),
    ],
  )
}

async function passInput(work: PhaseWork, before: PhaseRecord): Promise<PassInput> {
  const { run, tools } = work
  const known = await run.step('pass-input', async () => {
    const { _meta } = run.state
    return {
      threshold: _meta.pass_threshold,
      confidence: _meta.autonomous_confidence_threshold,
      force: _meta.flags.force === true,
      raises: _meta.flags.quality === true || _meta.flags.gaps === true,
      checkpoint: run.state.last_checkpoint_sha ?? (await tools.git.head()) ?? '',
    }
  })
  const wasDone = before.status === 'completed' || isStanding(before) || (known.raises && work.facts.isDone)
  const isRaised = wasDone && !known.force
  return {
    existingPlan: !known.force,
    ...(isRaised ? { isRaised, isApproved: before.human_verdict?.verdict === 'pass' } : {}),
    mayShortcut: !known.force,
    skipResearch: tools.settings.workflow.research === false,
    threshold: known.threshold,
    confidence: known.confidence,
    checkpoint: known.checkpoint,
    ...(before.status === 'in_progress' ? { before } : {}),
  }
}

/** What the phase came to, in its record. */
async function recordResult(work: PhaseWork, result: PassResult): Promise<PlaybookState> {
  const { returned } = result
  return savePhase(work, 'result', (record) => ({
    ...scoredBy(record, result),
    human_verify_justification: returned.human_verify_justification
      ? { ...returned.human_verify_justification }
      : null,
  }))
}

/** The table of results: what the orchestrator does with each. */
async function settled(
  work: PhaseWork,
  { returned }: PassResult,
  ms: number,
): Promise<Transition<PlaybookState>> {
  const { status, alignment_score: score } = returned
  if (status === 'failed') {
    await phaseEnds(work, { reason: returned.issues.at(-1) ?? returned.summary })
    return settleFailure(work, returned)
  }
  await phaseEnds(work, { score, ms, waits: status === 'needs_human_verification' })
  return completeRun(work, returned)
}
