import { type DispatchGround, type Ground, lies } from '../evidence/ground.js'
import { contracts } from './contracts.js'
import type { PlaybookPersona } from './personas/personas.js'

/** What of the run the ground of a dispatch depends on, beside its order. */
export interface GroundFacts {
  specPath: string
  roadmapPath: string
  /** Plans of all phases that were checked, repo-relative. */
  approvedPlans: readonly string[]
  /** Tests of tasks and records of the phases, as far as they are there: the program's own, or the planner's. */
  records: readonly string[]
  /** Scratchpad of the session; ends in `/`. */
  scratchpad: string
  /** What the tasks of the order name in their files field. */
  planned: readonly string[]
}

/**
 * What the words of a contract stand for in one dispatch, by its persona and the fields of its order. Pure. The tests
 * of the tasks belong to the plan: whoever works on the project finds them frozen.
 */
export function groundOf(
  persona: string,
  order: Readonly<Record<string, unknown>>,
  facts: GroundFacts,
): DispatchGround {
  const contract = contracts[persona as PlaybookPersona]
  if (contract === undefined) throw new Error(`the phase runner has no contract of ${persona}`)
  const phaseDir = textOf(order.phaseDir)
  const own = ownFiles(order, phaseDir)
  const places: Ground['places'] = {
    'its plan': own.writes,
    'ticks in its plan': own.plans,
    handoff: [`${phaseDir}/HANDOFF.md`],
    trace: [textOf(order.tracePath)],
    scratchpad: [facts.scratchpad],
    'its own record': own.record,
    'other documents': ['docs/'],
  }
  const frozen = [
    ...new Set([facts.specPath, facts.roadmapPath, ...facts.approvedPlans, ...facts.records, ...own.plans]),
  ]
  const mayWrite = [...own.writes, ...own.record]
  const planned = contract.may.includes('project files') ? facts.planned : []
  return {
    contract,
    ground: { places, planned, frozen: frozen.filter((path) => !lies(path, mayWrite)), ownRefs },
  }
}

/** Parts of a phase work beside each other, and each has tags and a branch (docs/playbook.md, "Task loop"). */
const ownRefs = ['refs/tags/autopilot-checkpoint-', 'refs/heads/autopilot/', 'refs/heads/autopilot-part/']

function ownFiles(order: Readonly<Record<string, unknown>>, phaseDir: string) {
  const { expects } = order
  const plans = textsOf(order.planPaths)
  const writes =
    expects === 'research'
      ? [textOf(order.researchPath)]
      : expects === 'plan'
        ? [textOf(order.planPath), `${textOf(order.testsDir) || `${phaseDir}/tests`}/`]
        : []
  const record = textOf(order.reportPath)
  return { plans, writes, record: record === '' ? [] : [record] }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
