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
  /** Parts of the phase are at work beside this dispatch, in work trees of their own. */
  isPart: boolean
}

/** The part of the judge's report that is written last, and anew where it was broken off. */
const comparing = /^#{1,6}[^\n]*\bdivergence\b/im

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
  const own = ownFiles(order, phaseDir, facts.approvedPlans)
  const builds = contract.may.includes('project files')
  const places: Ground['places'] = {
    'its plan': own.writes,
    'a commit of its plan': [`${phaseDir}/`],
    'ticks in its plan': own.plans,
    handoff: [`${phaseDir}/HANDOFF.md`],
    trace: [textOf(order.tracePath)],
    scratchpad: [facts.scratchpad],
    'its own record': own.record,
    'other documents': ['docs/', ...own.documents],
  }
  // What the judge has said knowing nothing of the verifier stays as it is.
  const grows = order.expects === 'judgement-divergence' ? own.record : []
  const frozen = [
    ...new Set([
      facts.specPath,
      facts.roadmapPath,
      ...facts.approvedPlans,
      ...facts.records,
      ...own.plans,
      ...grows,
    ]),
  ]
  const mayWrite = [...own.writes, ...(grows.length > 0 ? [] : own.record)]
  return {
    contract,
    ground: {
      places,
      planned: builds ? facts.planned : [],
      frozen: frozen.filter((path) => !lies(path, mayWrite)),
      ...(grows.length > 0 ? { grows: grows.map((path) => ({ path, freeFrom: comparing })) } : {}),
      ownSubjects,
      ...(builds ? { kept } : {}),
      ...(order.expects === 'plan' ? { mayAdd: [plansIn(phaseDir)] } : {}),
      ...(facts.isPart ? { ownRefs } : {}),
    },
  }
}

/** Plans, research, tests of tasks, settings, and what was found about the phases: those who build hand in none of it. */
const kept = [
  /^\.planning\/config\.json$/,
  /^\.planning\/phases\/(?:[^/]+\/){1,3}(?:[\w.-]+-)?(?:PLAN|RESEARCH|EXECUTION-LOG|VERIFICATION|JUDGE-REPORT|SCORECARD)\.md$/,
  /^\.planning\/phases\/(?:[^/]+\/){1,3}tests\/task-[\w.-]+\.sh$/,
  /^\.planning\/phases\/(?:[^/]+\/){1,3}(?:TRIAGE\.json|(?:[\w-]+-)?trace\.jsonl)$/i,
]

/** A phase may have several plans: `01-02-PLAN.md`. */
const plansIn = (phaseDir: string) =>
  new RegExp(`^${phaseDir.replace(/[^\w/-]/g, '\\$&')}/(?:[\\w.-]+-)?PLAN\\.md$`)

/** Commits that the program makes itself (docs/playbook-checks.md, "Orders"). */
const ownSubjects = [/^docs\(phase-[^)]{1,40}\): artifacts$/, /^rollback: revert to phase /]

/** Parts of a phase work beside each other, and each has tags and a branch (docs/playbook.md, "Task loop"). */
const ownRefs = ['refs/tags/autopilot-checkpoint-', 'refs/heads/autopilot/', 'refs/heads/autopilot-part/']

function ownFiles(
  order: Readonly<Record<string, unknown>>,
  phaseDir: string,
  approvedPlans: readonly string[],
) {
  const { expects } = order
  const plans = textsOf(order.planPaths)
  const writes =
    expects === 'research'
      ? [textOf(order.researchPath)]
      : expects === 'plan'
        ? [
            textOf(order.planPath),
            `${textOf(order.testsDir) || `${phaseDir}/tests`}/`,
            // What was planned before is planned again.
            ...approvedPlans.filter((path) => path.startsWith(`${phaseDir}/`)),
          ]
        : []
  const record = textOf(order.reportPath)
  const documents = expects === 'plan' ? [`${phaseDir}/RESEARCH.md`] : []
  return { plans, writes, documents, record: record === '' ? [] : [record] }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
