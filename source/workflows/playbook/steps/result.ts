import { counted } from '../../../counted.js'
import { deficienciesOfCard, fileIn } from '../decisions/remediation.js'
import type { AutomatedChecks } from '../opinions.js'
import type { Deficiency } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import type { PassResult, PhaseReturn } from '../phase-return.js'
import type { Recommendation } from '../results.js'
import type { PhaseParts } from '../split/plan-parts.js'
import { headOf } from '../task-loop/commits.js'
import { savePhase } from '../work.js'
import type { Assessed } from './assess.js'
import { citingNothing } from './citations.js'
import type { Executed } from './execute.js'
import type { Failure } from './failure.js'
import type { Preflight } from './preflight.js'

// RESULT: the artifacts of the phase are committed, and what the pass came to is told to the orchestrator.

const unknownChecks: AutomatedChecks = { compile: null, build: null, lint: null, test: null }

/** What was rated, judged and verified, as the return of the phase. */
export async function assessed(
  pass: Pass,
  opinion: Exclude<Assessed, { next: 're-plan' | 'failed' }>,
  executed: Executed,
): Promise<PassResult> {
  const { verified, score, judged } = opinion
  const base = await returnOf(pass, executed)
  const shared = {
    ...base,
    alignment_score: score,
    automated_checks: verified.automated,
    verification_duration_seconds: verified.seconds,
    autonomous_confidence: verified.result.autonomous_confidence,
  }
  const rest = {
    opinions: opinion,
    deficiencies: deficienciesOf(opinion),
    ...foundBy(pass),
    failingChecks: verified.failing,
  }
  if (opinion.next === 'rollback')
    return {
      ...rest,
      returned: {
        ...shared,
        status: 'failed',
        recommendation: opinion.recommendation,
        issues: [...base.issues, opinion.issue],
        summary: `Failed: ${opinion.issue}`,
      },
    }
  const summary = `${executed.completed}/${counted(executed.total, 'task')}; ${score === null ? 'not scored' : `${score.toFixed(1)}/10`}`
  if (opinion.next === 'complete') {
    await tellResolution(pass, executed, verified.result.autonomous_confidence)
    return {
      ...rest,
      returned: { ...shared, status: 'completed', recommendation: judged.recommendation, summary },
    }
  }
  const [task] = executed.deferred
  const { completed, failed, deferred } = executed
  return {
    ...rest,
    returned: {
      ...shared,
      status: 'needs_human_verification',
      recommendation: judged.recommendation,
      summary: `${summary}; waits for a person`,
      deferral_evidence: verified.result.deferral_evidence,
      ...(task
        ? {
            human_verify_justification: {
              checkpoint_task_id: task.id,
              task_description: deferred.map(({ title }) => title).join('; '),
              auto_tasks_passed: completed,
              auto_tasks_total: completed + failed,
            },
          }
        : {}),
    },
  }
}

/** What was meant for a person was decided without one: the verifier was sure enough. */
async function tellResolution(pass: Pass, { deferred }: Executed, confidence: number): Promise<void> {
  if (deferred.length === 0) return
  const details = { confidence, threshold: pass.input.confidence, tasks: deferred.map(({ id }) => id) }
  await savePhase(pass, 'resolved-alone', (phase) => phase, [
    { event: 'autonomous_resolution_success', step: 'verify', details },
  ])
}

/** A step could not be done. */
export async function failed(pass: Pass, failure: Failure): Promise<PassResult> {
  const base = await returnOf(pass, { deferred: [], ...counts(pass) })
  return {
    returned: { ...base, status: 'failed', recommendation: 'halt', summary: `Failed: ${failure.failure}` },
    deficiencies: [],
    ...foundBy(pass),
    failingChecks: [],
  }
}

/** The phase is too much for one piece of work: it is asked to be done in parts. Nothing was carried out. */
export async function splitRequest(pass: Pass, split: PhaseParts): Promise<PassResult> {
  const base = await returnOf(pass, { deferred: [], completed: 0, failed: 0, total: 0 })
  const count = split.parts.length
  return {
    returned: {
      ...base,
      status: 'split_request',
      recommendation: 'proceed',
      summary: `Phase scope too large. Recommending split into ${counted(count, 'sub-phase')}.`,
      split_details: split.details,
    },
    deficiencies: [],
    ...foundBy(pass),
    failingChecks: [],
    split,
  }
}

/** Nothing was begun. */
export async function preflightFailed(pass: Pass, { issues }: Preflight): Promise<PassResult> {
  const reason = issues.join('; ')
  const told = issues.includes('spec_hash_mismatch') ? [...issues] : [`Preflight failed: ${reason}`]
  pass.log.issues.push(...told)
  pass.log.failures.push({
    at: pass.log.clock,
    step: 'preflight',
    failure: told[0] ?? reason,
    category: 'coordination_failure',
  })
  return failed(pass, { ok: false, failure: `Preflight failed: ${reason}`, category: 'coordination_failure' })
}

const foundBy = ({ log }: Pass) => ({ failures: log.failures, fixes: log.fixes })

function counts({ log }: Pass): Omit<Executed, 'deferred'> {
  const all = [...log.tasks.values()]
  const count = (status: string) => all.filter((one) => one === status).length
  return { completed: count('completed'), failed: count('failed'), total: all.length }
}

async function returnOf(
  pass: Pass,
  { completed, failed: broken, total }: Omit<Executed, 'deferred'> & { deferred: unknown[] },
): Promise<PhaseReturn> {
  const { facts, log, input } = pass
  const head = await headOf(pass, 'checkpoint')
  const summary = await pass.run.step(`${pass.at}diff-summary`, async () => {
    const files = await pass.git.changedFiles(input.checkpoint)
    return files.length === 0
      ? ''
      : `${counted(files.length, 'file')} changed since ${input.checkpoint.slice(0, 7)}`
  })
  const said = [...new Set(log.filesChecked)]
  const made = await pass.run.step(`${pass.at}evidence-cited`, () => citingNothing(pass, said))
  return {
    phase: facts.id,
    status: 'failed',
    alignment_score: null,
    tasks_completed: `${completed}/${total}`,
    tasks_failed: `${broken}/${total}`,
    commit_shas: [...log.commits],
    automated_checks: unknownChecks,
    issues: [...log.issues],
    debug_attempts: log.debugs,
    replan_attempts: log.replans,
    recommendation: 'halt' as Recommendation,
    summary: '',
    checkpoint_sha: head === '' ? null : head,
    verification_duration_seconds: null,
    evidence: {
      files_checked: said.filter((line) => !made.includes(line)),
      commands_run: [...new Set(log.commandsRun)],
      git_diff_summary: summary,
    },
    pipeline_steps: log.steps,
  }
}

/** What would have to be better, from the largest gap on. */
function deficienciesOf({
  rated,
  judged,
  verified,
}: Exclude<Assessed, { next: 're-plan' | 'failed' }>): Deficiency[] {
  const rows = [...rated.card.rows].sort((one, other) => one.score - other.score)
  return [
    ...deficienciesOfCard(rows, 10),
    ...judged.concerns.map(
      (concern): Deficiency => ({
        criterion: 'judge',
        deficiency: concern,
        ...fileIn(concern),
        source: 'judge_report',
      }),
    ),
    ...verified.failures.map(
      (failure): Deficiency => ({
        criterion: 'verification',
        deficiency: failure,
        ...fileIn(failure),
        source: 'verification',
      }),
    ),
  ]
}
