import { readConflicts } from '../../../documents/merge-conflicts.js'
import type { Run } from '../../../run/run.js'
import { qConflict } from '../questions/edits.js'
import type { LifecycleState } from '../state/state.js'
import type { LifecycleTools } from '../tools.js'
import type { Leave } from '../work.js'

/**
 * EDITED: the marks of an unfinished merge are in the state file. The person takes one side; before that nothing of it
 * is acted on (docs/lifecycle.md, "Edits of others").
 */
export async function edited(
  state: LifecycleState,
  run: Run<LifecycleState>,
  tools: LifecycleTools,
): Promise<Leave> {
  const answer = await run.ask('conflict', qConflict(tools.place.stateFile, readConflicts(state.text)))
  const side = answer.value === 'theirs' ? 'theirs' : 'ours'
  return {
    change: ({ text }) => {
      const now = readConflicts(text)
      return { text: now.kind === 'conflicts' ? now.take(side) : text }
    },
  }
}
