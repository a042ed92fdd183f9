import type { SubStep } from '../../../documents/lifecycle-state.js'
import type { TaskView } from '../../../view/view.js'

/** The known sub-steps with the current one among them; those before it are done. */
export function subStepTasks(known: readonly SubStep[], current: SubStep | undefined): TaskView[] {
  const at = known.findIndex(({ id }) => id === current?.id)
  const all = current && at === -1 ? [...known, current] : known
  const place = at === -1 ? all.length - 1 : at
  return all.map(({ id, name }, index) => ({
    id,
    title: name === '' ? id : name,
    status: !current
      ? 'pending'
      : index === place
        ? 'in_progress'
        : at !== -1 && index < place
          ? 'complete'
          : 'pending',
    retries: 0,
    facts: [],
  }))
}
