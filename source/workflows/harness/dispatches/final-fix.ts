import { dispatchPersona, type PersonaDone } from '../../dispatch/persona.js'
import { sessionFiles } from '../artifacts/files.js'
import { specForAgents } from '../artifacts/spec.js'
import { fixFinding } from '../findings.js'
import { finalFixPrompt } from '../personas/task-executor.js'
import { type ExecutionResult, executionResultSchema } from '../results.js'
import type { Finding, HarnessState } from '../state/state.js'
import type { PhaseWork } from '../work.js'
import { commonBrief, phaseOf, sessionFields } from './briefs.js'
import { dispatchSetting } from './setting.js'

/** One fix cycle of the final review: 1-based, of so many. */
export interface FixCycle {
  cycle: number
  maxCycles: number
  findings: readonly Finding[]
  /** What was doubted of the dispatch before. */
  doubts?: readonly string[]
}

/** Sends the executor to fix the findings of the final review, one commit each. */
export async function dispatchFinalFix(
  work: PhaseWork,
  round: number,
  fix: FixCycle,
): Promise<PersonaDone<ExecutionResult>> {
  const { state, tools } = work
  const { cycle, maxCycles, findings, doubts = [] } = fix
  const spec = await specForAgents(work)
  const setting = dispatchSetting(work)
  return dispatchPersona<HarnessState, ExecutionResult>(setting, `fix-${round}`, {
    persona: 'harness-task-executor',
    title: `Fix final review findings (cycle ${cycle} of ${maxCycles})`,
    attempt: round,
    phase: phaseOf(work),
    expects: executionResultSchema,
    access: 'full',
    failedTitle: 'Fixing the final review findings did not succeed',
    brief: {
      ...commonBrief(work, spec),
      expects: 'execution',
      final: true,
      findings,
      ...(doubts.length > 0 ? { note: ['What was doubted:', ...doubts].join('\n') } : {}),
      ...(state.startingCommit ? { diffBase: state.startingCommit } : {}),
    },
    prompt: (begin) =>
      finalFixPrompt({
        ...sessionFields(work, spec, begin),
        statePath: sessionFiles(tools.sessionDir).taskState,
        findings: findings.map(fixFinding),
        cycle,
        maxCycles,
        doubts,
      }),
  })
}
