import { counted } from '../../../counted.js'
import { failureText, projectChecks, redChecks } from '../checks.js'
import type { SplitPart } from '../decisions/split.js'
import type { PassInput } from '../pass.js'
import type { PassResult } from '../phase-return.js'
import type { PhaseWork } from '../work.js'
import { partsEnd, workInParts } from './in-parts.js'
import type { PhaseParts } from './plan-parts.js'
import { runPart } from './run-part.js'
import type { PartOutcome } from './work-parts.js'

// A phase in parts: each in a work tree of its own, merged in order, then checked as a whole.

/** Works a phase off in parts. What it comes to stands for one pass over the phase. */
export async function splitPhase(
  work: PhaseWork,
  input: PassInput,
  request: PassResult & { split: PhaseParts },
): Promise<PassResult> {
  const { parts, plan, details } = request.split
  const results = new Map<string, PassResult>()
  const board = { parts, atWork: new Map<string, string>() }
  const run = await workInParts<SplitPart>(work, {
    parts,
    reason: details.reason,
    work: async (own, part, base) => {
      const wish = { ...input, only: part.tasks, parts: board, checkpoint: base }
      const result = await runPart(own, wish, plan, part.tasks)
      results.set(part.id, result)
      const { status, alignment_score, issues } = result.returned
      return { status: status === 'split_request' ? 'failed' : status, alignment_score, issues }
    },
  })
  const red = redChecks(await projectChecks(work, 'split-check')).map(failureText)
  const completed = run.completed && red.length === 0
  await partsEnd(work, run, completed)
  return together(request, [...results.values()], { completed, score: run.score, red, outcomes: run.parts })
}

interface Whole {
  completed: boolean
  score: number | null
  /** Commands of the project that are red after the merges. */
  red: string[]
  outcomes: readonly PartOutcome[]
}

/** The results of the parts as that of the phase. */
function together(
  request: PassResult,
  results: readonly PassResult[],
  { completed, score, red, outcomes }: Whole,
): PassResult {
  const all = results.map(({ returned }) => returned)
  const waits = outcomes.some(({ status }) => status === 'needs_human_verification') && red.length === 0
  const isBroken = outcomes.some(({ status }) => status === 'failed') || red.length > 0
  const sum = (pick: 'tasks_completed' | 'tasks_failed') => ratio(all.map((one) => one[pick]))
  const justification = all.find((one) => one.human_verify_justification)?.human_verify_justification
  const [first] = all
  const issues = [...outcomes.flatMap((one) => one.issues.map((issue) => `${one.part}: ${issue}`)), ...red]
  return {
    deficiencies: results.flatMap((one) => one.deficiencies),
    failures: results.flatMap((one) => one.failures),
    fixes: results.flatMap((one) => one.fixes),
    failingChecks: results.flatMap((one) => one.failingChecks),
    returned: {
      ...request.returned,
      status: isBroken ? 'failed' : waits ? 'needs_human_verification' : completed ? 'completed' : 'failed',
      recommendation: isBroken ? 'halt' : 'proceed',
      alignment_score: score,
      tasks_completed: sum('tasks_completed'),
      tasks_failed: sum('tasks_failed'),
      commit_shas: all.flatMap((one) => one.commit_shas),
      automated_checks: first?.automated_checks ?? request.returned.automated_checks,
      issues,
      debug_attempts: all.reduce((count, one) => count + one.debug_attempts, 0),
      evidence: {
        files_checked: all.flatMap((one) => one.evidence.files_checked),
        commands_run: all.flatMap((one) => one.evidence.commands_run),
        git_diff_summary: all.map((one) => one.evidence.git_diff_summary).join('; '),
      },
      pipeline_steps: first?.pipeline_steps ?? request.returned.pipeline_steps,
      summary: `${counted(outcomes.length, 'part')}, ${outcomes.filter(({ merged }) => merged).length} merged`,
      ...(justification === undefined ? {} : { human_verify_justification: justification }),
    },
  }
}

function ratio(all: readonly string[]): string {
  const [done, total] = all.reduce(
    ([first, second], text) => {
      const [one = 0, other = 0] = text.split('/').map(Number)
      return [first + one, second + other]
    },
    [0, 0],
  )
  return `${done}/${total}`
}
