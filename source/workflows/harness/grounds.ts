import { readPlan } from '../../documents/plan.js'
import { readText } from '../../project/text-files.js'
import { stillDirty } from '../commits/baseline.js'
import type { DispatchGrounds } from '../dispatch/tools.js'
import { isChecking } from '../evidence/contract.js'
import type { DispatchGround, Ground } from '../evidence/ground.js'
import { ownRecords, sessionFiles } from './artifacts/files.js'
import { contracts } from './contracts.js'
import { decide, phaseBaseline } from './execution/commit-phase.js'
import type { HarnessPersona } from './personas/personas.js'
import { currentPhase } from './phases.js'
import { touchedLog } from './state/decisions.js'
import type { HarnessState } from './state/state.js'
import type { HarnessTools } from './tools.js'
import type { HarnessWork } from './work.js'

/** What the dispatches of this workflow may change, by their personas and the paths of their dispatch files. */
export function harnessGrounds({ run, tools }: HarnessWork): DispatchGrounds<HarnessState> {
  return {
    async of(persona, brief): Promise<DispatchGround> {
      const contract = contracts[persona as HarnessPersona]
      if (contract === undefined) throw new Error(`the harness workflow has no contract of ${persona}`)
      const plan = typeof brief.planPath === 'string' ? brief.planPath : undefined
      const ground = groundOf(tools, run.state, plan, contract.may.includes('its plan'))
      const planned = contract.may.includes('project files') ? await plannedFiles(tools, plan) : []
      const since = isChecking(contract) ? checkedSince(run.state, brief) : null
      return { contract, ground: { ...ground, planned }, ...(since ? { checksSince: since } : {}) }
    },
    beforehand: async () => {
      const dirty = await stillDirty(tools, await phaseBaseline(tools, run.state, run.state.currentPhase))
      // What autopilot has put there itself is nobody's uncommitted work: an agent may commit all that there is.
      return dirty.filter((path) => !ownRecords.includes(path))
    },
    log: touchedLog,
    handOver: (key, paths) => decide({ run, tools, phase: currentPhase(run.state) }, key, paths, 'include'),
  }
}

/** Start of the phase, or of the whole run where that is what is judged. */
function checkedSince(state: HarnessState, brief: Record<string, unknown>): string | null | undefined {
  return brief.final === true ? state.startingCommit : currentPhase(state).record.startCommit
}

function groundOf(
  tools: HarnessTools,
  state: HarnessState,
  plan: string | undefined,
  writesPlan: boolean,
): Ground {
  const { sessionDir, specPath } = tools
  const files = sessionFiles(sessionDir)
  const approved = state.phases.flatMap(({ planPath }) => (planPath === null ? [] : [planPath]))
  const own = plan === undefined ? [] : [plan]
  const frozen = [...new Set([specPath, ...approved, ...own])].filter(
    (path) => !(writesPlan && path === plan),
  )
  return {
    frozen,
    planned: [],
    places: {
      'its plan': own,
      'ticks in its plan': own,
      handoff: [files.handoff, `${sessionDir}/HANDOFF.md`],
      trace: [`${sessionDir}/trace/`, `${sessionDir}/trace.md`, `${sessionDir}/trace.jsonl`],
      scratchpad: [`${files.scratchpad}/`],
      'task state': [files.taskState],
      'session learnings': [files.learnings],
      'its own record': [],
      'other documents': ['docs/'],
    },
  }
}

async function plannedFiles(tools: HarnessTools, plan: string | undefined): Promise<string[]> {
  const text = plan === undefined ? undefined : await readText(tools, plan)
  return text === undefined ? [] : readPlan(text).tasks.flatMap((task) => task.files ?? [])
}
