import type { WorkflowView } from './view.js'

/** The view of a session that has no state yet: it is in INIT, and nothing of it is known but what it is about. */
export function notBegun(about: Omit<WorkflowView, 'facts' | 'state' | 'phases' | 'steps'>): WorkflowView {
  return {
    ...about,
    facts: [],
    state: 'INIT',
    phases: [],
    steps: [{ id: 'INIT', name: 'INIT', status: 'current' }],
  }
}
