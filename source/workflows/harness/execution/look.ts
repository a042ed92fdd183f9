import { type WorkPlace, workPlace } from '../../commits/place.js'
import { changedSinceMark } from '../../evidence/claims/work-mark.js'
import { type LeftHandoff, leftHandoff } from '../artifacts/handoff.js'
import { readProgress, type TaskProgress } from '../artifacts/task-state.js'
import type { Round } from './orders.js'
import type { PlanWork } from './plan-work.js'
import { planTaskId } from './task-ids.js'

/** What one dispatch left behind, as code sees it. */
export interface RoundSeen {
  /** Tasks that its result or state.json calls complete. */
  complete: string[]
  /** Paths whose content is another one than before it. */
  changed: string[]
  handoff: LeftHandoff
  progress: Record<string, TaskProgress>
  openBlockers: string[]
  /** Where the work tree stands now. */
  place: WorkPlace
  /** Tasks that state.json had complete before and has not any more. */
  reopened: string[]
}

/** Paths that show no work: the plan, and records of the workflow. */
export function isRecord(work: PlanWork): (path: string) => boolean {
  const { planPath } = work.phase.record
  return (path) => path === planPath || path.startsWith('.harness/')
}

/** Looked at once, right after the dispatch. */
export async function lookAt(work: PlanWork, round: Round): Promise<RoundSeen> {
  const { run, tools, tasks, phase } = work
  const seen = (await run.step(`look-${round.number}`, async () => {
    const { before, result } = round
    const progress = await readProgress(tools, tasks, phase.number)
    const said = result.completed.flatMap((text) => planTaskId(text, tasks) ?? [])
    const isComplete = (id: string) => said.includes(id) || progress.byTask[id] === 'complete'
    const then = JSON.parse(before.progress) as Record<string, TaskProgress>
    return {
      complete: tasks.map((task) => task.id).filter(isComplete),
      changed: await changedSinceMark(tools.git, before.mark, isRecord(work)),
      handoff: await leftHandoff(tools, 'harness-execution', before.handoff),
      progress: progress.byTask,
      openBlockers: progress.openBlockers,
      place: await workPlace(tools.git),
      reopened: tasks
        .map((task) => task.id)
        .filter((id) => then[id] === 'complete' && progress.byTask[id] !== 'complete'),
    }
  })) as RoundSeen
  work.place = seen.place
  return seen
}
