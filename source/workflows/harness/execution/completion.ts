import { readBaseline } from '../../commits/baseline.js'
import { gitEvidence } from '../../evidence/git-evidence.js'
import { qUnproven } from '../../evidence/questions.js'
import { sessionFiles } from '../artifacts/files.js'
import { findHandoff, writeSkillHandoff } from '../artifacts/handoff.js'
import { type ProgressReading, readProgress, writeProgress } from '../artifacts/task-state.js'
import type { ExecutionResult } from '../results.js'
import { withDecision } from '../state/decisions.js'
import type { Round } from './orders.js'
import type { PlanWork } from './plan-work.js'

/**
 * Is the phase finished, as the executor says? Its result, state.json and its handoff have to agree (docs/harness.md,
 * "Execution"). Records that it did not write are written from the result. Returns what contradicts, empty when
 * nothing does.
 */
export function checkCompletion(work: PlanWork, round: Round): Promise<string[]> {
  const { run, tools, tasks, phase } = work
  return run.step(`completion-${round.number}`, async () => {
    const fixing = round.order.kind === 'fix'
    const progress = await readProgress(tools, tasks, phase.number)
    const handoff = await findHandoff(tools, 'harness-execution', round.before.at)
    const said = handoff?.fresh && !fixing ? handoff.handoff : undefined
    const problems = [
      ...(fixing ? [] : taskProblems(work, round, progress)),
      ...progress.openBlockers.map((blocker) => `Open blocker in state.json: ${blocker}`),
      ...(said?.pending ?? []).map((pending) => `The handoff still lists as pending: ${pending}`),
      ...(said?.blockers ?? []).map((blocker) => `The handoff names a blocker: ${blocker}`),
    ]
    if (problems.length > 0) return problems
    if (!fixing)
      await writeProgress(
        tools,
        tasks.map((task) => task.id),
      )
    if (!handoff?.fresh) await writeExecutionHandoff(work, round.result)
    return []
  })
}

/** Tasks that are not reported complete, or that state.json has otherwise although the executor wrote it. */
function taskProblems(work: PlanWork, round: Round, progress: ProgressReading): string[] {
  const wrote = JSON.stringify(progress.byTask) !== round.before.progress
  return work.tasks.flatMap((task) => {
    const recorded = progress.byTask[task.id]
    if (!work.done.has(task.id) && recorded !== 'complete') {
      return [`Task ${task.id} (${task.title}) is not reported complete.`]
    }
    if (!wrote || recorded === undefined || recorded === 'complete') return []
    return [`Task ${task.id} (${task.title}) is reported complete, state.json says ${recorded}.`]
  })
}

function writeExecutionHandoff({ tools, phase, planPath }: PlanWork, result: ExecutionResult): Promise<void> {
  return writeSkillHandoff(tools, {
    timestamp: tools.now().toISOString(),
    fromSkill: 'harness-execution',
    phase: 'COMPLETE',
    summary: `${phase.label}: executed`,
    completed: result.completed,
    pending: [],
    concerns: [],
    decisions: [],
    blockers: [],
    contextKeywords: [],
    planPath,
  })
}

/** What git shows of the work; where it shows none, the person decides. */
export async function provenByGit(work: PlanWork, round: Round): Promise<boolean> {
  const { run, tools, phase } = work
  const { doubts, uncommitted } = await run.step(`evidence-${round.number}`, () => phaseEvidence(work))
  if (uncommitted.length > 0) {
    const names = uncommitted.slice(0, 5).join(', ')
    const text = `${uncommitted.length} changed file(s) are in no commit: ${names}`
    await run.note(`uncommitted-${round.number}`, text, 'warning')
  }
  if (doubts.length === 0) return true
  const answer = await run.ask(`unproven-${round.number}`, qUnproven(phase.label, doubts))
  if (answer.value !== 'accept') return false
  await run.update(`accepted-${round.number}`, (state) =>
    withDecision(state, {
      phase: phase.index,
      decision: 'accepted_unproven',
      timestamp: tools.now().toISOString(),
      rationale: doubts.join(' '),
    }),
  )
  return true
}

async function phaseEvidence({ tools, phase }: PlanWork) {
  const { planPath, startCommit } = phase.record
  return gitEvidence(tools.git, {
    baseline: await readBaseline(tools, sessionFiles(tools.sessionDir).baseline(phase.number)),
    ...(startCommit === undefined ? {} : { startCommit }),
    isRecord: (path) => path === planPath || path.startsWith('.harness/'),
  })
}
