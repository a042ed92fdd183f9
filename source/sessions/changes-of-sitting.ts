import type { Machine } from '../run/machine.js'
import type { Evidence } from '../view/question.js'

const id = 'sitting-diff'

/** Whether something to read is what this sitting has changed, and not what its workflow speaks of. */
export const isOfSitting = (evidence: Evidence) => evidence.id === id

/**
 * What a sitting has changed can be read before a question is answered also where a workflow knows no beginning of anything
 * that could be compared: one that goes on as long as its project. `opened`: the commit with which this sitting began.
 */
export function withSitting<State extends object>(
  machine: Machine<State>,
  opened: string | null,
): Machine<State> {
  if (opened === null) return machine
  const changes: Evidence = { id, kind: 'diff', title: 'changes since this sitting began', since: opened }
  return {
    ...machine,
    view(state) {
      const view = machine.view(state)
      const { documents = [], phases } = view
      const isBegun = phases.some(({ status }) => status !== 'pending' && status !== 'waiting')
      if (!isBegun || documents.some(({ kind }) => kind === 'diff')) return view
      return { ...view, documents: [...documents, changes] }
    },
  }
}
