import { counted } from '../../counted.js'
import type { HandoffReading } from '../../documents/handoff.js'
import type { PlanReading, PlanTask } from '../../documents/plan.js'
import type { RoadmapFeature } from '../../documents/roadmap.js'
import type { SpecPhase, SpecReading } from '../../documents/spec.js'
import { shown } from '../../documents/spec-unread.js'
import { phaseMark } from './phases.js'
import type { HarnessState } from './state/state.js'

interface SpecInspection
  extends Pick<
    SpecReading,
    'reading' | 'section' | 'unused' | 'warnings' | 'unread' | 'inComments' | 'asks' | 'askReasons'
  > {
  kind: 'spec'
  phases: Omit<SpecPhase, 'description'>[]
}

interface PlanInspection extends Omit<PlanReading, 'name' | 'tasks'> {
  kind: 'plan'
  tasks: Pick<PlanTask, 'id' | 'title' | 'line' | 'checkpoint'>[]
}

interface StateInspection {
  kind: 'state'
  /** As found in the file. */
  schemaVersion: number
  migratedFrom?: number
  /** The state as it would be used. */
  normalised: HarnessState
  changes: string[]
  unknownKeys: string[]
  warnings: string[]
}

interface HandoffInspection extends HandoffReading {
  kind: 'handoff'
}

interface RoadmapInspection {
  kind: 'roadmap'
  milestones: string[]
  features: Pick<RoadmapFeature, 'name' | 'status' | 'spec' | 'line'>[]
  warnings: string[]
}

/** What `autopilot inspect --json` prints: how one file is read. */
export type Inspection =
  | SpecInspection
  | PlanInspection
  | StateInspection
  | HandoffInspection
  | RoadmapInspection

/** The same for people. The lines still hold what the file says, so they are to be sanitised. */
export function inspectionLines(inspection: Inspection): string[] {
  return [...contentLines(inspection), ...list('Warnings', inspection.warnings)]
}

function contentLines(inspection: Inspection): string[] {
  switch (inspection.kind) {
    case 'spec':
      return specLines(inspection)
    case 'plan':
      return planLines(inspection)
    case 'state':
      return stateLines(inspection)
    case 'handoff':
      return handoffLines(inspection)
    case 'roadmap':
      return roadmapLines(inspection)
  }
}

function list(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `  ${item}`)]
}

function at(line: number): string {
  return `line ${line}`.padEnd(10)
}

function specLines(spec: SpecInspection): string[] {
  const section = spec.section === null ? 'no section' : `"${spec.section.title}", line ${spec.section.line}`
  return [
    `Spec, reading: ${spec.reading} (${section})`,
    ...list(
      'Phases',
      spec.phases.map(
        (phase) =>
          `${at(phase.line)}${phase.number}  [${phase.id}] ${shown(phase.name)} (${phase.complexity})${phase.on ? '' : `, off: ${phase.reason}`}`,
      ),
    ),
    ...list(
      'Unused lines',
      spec.unused.map((unused) => `${at(unused.line)}${unused.text}`),
    ),
    ...list(
      'Look like phases, not read',
      spec.unread.map((unread) => `${at(unread.line)}${unread.text} (${unread.reason})`),
    ),
    ...list(
      'In comments, not phases',
      spec.inComments.map((line) => `${at(line.line)}${line.text}`),
    ),
  ]
}

function planLines(plan: PlanInspection): string[] {
  const declared = plan.declaredTasks === null ? '' : `, ${plan.declaredTasks} declared`
  return [
    `Plan: ${counted(plan.taskCount, 'task')}${declared}, ${counted(plan.checkpointCount, 'checkpoint')} (${counted(plan.rawCheckpointMarkers, 'marker')})`,
    ...list(
      'Tasks',
      plan.tasks.map((task) => {
        const checkpoint = task.checkpoint === undefined ? '' : ` [${task.checkpoint}]`
        return `${at(task.line)}Task ${task.id}: ${task.title}${checkpoint}`
      }),
    ),
  ]
}

function stateLines(state: StateInspection): string[] {
  const { normalised } = state
  return [
    `State file, version ${state.schemaVersion}${state.migratedFrom === undefined ? '' : ', read as version 5'}`,
    `Spec: ${normalised.specPath}`,
    `Session: ${normalised.sessionDir}`,
    `State: ${normalised.currentState}, phase ${normalised.currentPhase + 1} of ${normalised.phases.length}`,
    ...list(
      'Phases',
      normalised.phases.map(
        (phase, index) =>
          `${phaseMark(phase, index)}  ${shown(phase.name)} (${phase.complexity}): ${phase.status}`,
      ),
    ),
    ...list('Changes', state.changes),
    ...list('Unknown keys, kept', state.unknownKeys),
  ]
}

function handoffLines(handoff: HandoffInspection): string[] {
  const { normalised } = handoff
  return [
    `Handoff from ${normalised.fromSkill || 'an unknown skill'}, ${handoff.strict ? 'strict' : 'not strict'}`,
    `Time: ${normalised.timestamp}`,
    `Phase: ${normalised.phase}`,
    `Summary: ${normalised.summary}`,
    ...(normalised.planPath === undefined ? [] : [`Plan: ${normalised.planPath}`]),
    ...(normalised.verdict === undefined ? [] : [`Verdict: ${normalised.verdict}`]),
    ...list('Completed', normalised.completed),
    ...list('Pending', normalised.pending),
    ...list('Concerns', normalised.concerns),
    ...list('Blockers', normalised.blockers),
    ...list(
      'Decisions',
      normalised.decisions.map(({ what, why }) => (why === '' ? what : `${what}: ${why}`)),
    ),
  ]
}

function roadmapLines(roadmap: RoadmapInspection): string[] {
  return [
    `Roadmap: ${counted(roadmap.milestones.length, 'milestone')}, ${counted(roadmap.features.length, 'feature')}`,
    ...list('Milestones', roadmap.milestones),
    ...list(
      'Features',
      roadmap.features.map(
        (feature) =>
          `${at(feature.line)}${feature.name}: ${feature.status}${feature.spec === null ? '' : `, ${feature.spec}`}`,
      ),
    ),
  ]
}
