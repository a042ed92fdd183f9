import { readPlaybookRoadmap } from '../../documents/playbook-roadmap.js'
import { readText } from '../../project/text-files.js'
import { plainFact } from '../../view/facts.js'
import type { StateSummary } from '../../view/summary.js'
import { phaseIds, phaseOf } from './state/phases.js'
import type { PlaybookState } from './state/schema.js'
import { nameOfState } from './states/name-of-state.js'
import { scoreFacts } from './view.js'

/** What a state of this workflow says to lists. Names come from the roadmap. */
export async function describe(state: PlaybookState, { root }: { root: string }): Promise<StateSummary> {
  const text = await readText({ root }, state.roadmap_path).catch(() => undefined)
  const names = new Map(readPlaybookRoadmap(text ?? '').phases.map(({ id, name }) => [id, name]))
  const ids = phaseIds(state)
  const { current_phase: current, total_phases: total } = state._meta
  const records = ids.map((id) => phaseOf(state, id))
  const tasks = records.flatMap(({ steps }) => Object.values(steps.execute.tasks))
  return {
    subject: state.roadmap_path,
    title: 'Roadmap',
    state: nameOfState(state),
    phase:
      current === null
        ? null
        : { id: current, number: numberOf(state, current), name: names.get(current) ?? current, total },
    progress: {
      phasesComplete: records.filter(({ status }) => status === 'completed').length,
      phasesTotal: ids.length,
      tasksComplete: tasks.filter(({ status }) => status === 'completed').length,
      tasksTotal: tasks.length,
    },
    facts: [plainFact(state._meta.status), plainFact(`threshold ${state._meta.pass_threshold.toFixed(1)}`)],
    rigor: null,
    phases: ids.map((id, index) => {
      const record = phaseOf(state, id)
      return {
        id,
        number: index + 1,
        name: names.get(id) ?? id,
        status: record.status,
        facts: scoreFacts(record),
        tasks: Object.entries(record.steps.execute.tasks).map(([task, { status }]) => ({
          id: task,
          facts: [plainFact(status)],
        })),
      }
    }),
  }
}

function numberOf({ _meta: { total_phases: total, queue } }: PlaybookState, id: string): number {
  const at = queue.indexOf(id)
  return Math.max(1, at === -1 ? total - queue.length : total - queue.length + at + 1)
}
