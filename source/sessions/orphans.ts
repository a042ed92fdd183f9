import { endProcesses } from '../processes/end-processes.js'
import { membersOf } from '../processes/process-set.js'
import type { Question } from '../view/question.js'
import type { AskFirst } from './open-session.js'

// Processes that a run of before has left (docs/durability.md, "Processes"): found by its marker, ended only if
// the person says so.

/** The guard of a killed run needs this long to end its agents politely. */
const guardMs = 6000
const pollMs = 100

/**
 * True when the session may go on: nothing of an earlier run is left, or the person leaves it alone. `runIds` are the
 * last ones; older runs were looked for when the session was opened then. `patienceMs` is how long the guard of a killed
 * run has for ending its agents before anybody is asked.
 */
export async function settleOrphans(
  runIds: readonly string[],
  slug: string,
  ask: AskFirst,
  patienceMs = guardMs,
): Promise<boolean> {
  const left = await leftovers(runIds, patienceMs)
  if (left.length === 0) return true
  const answer = await ask(orphanQuestion(left.map((member) => member.pid)), slug)
  if (answer === 'quit' || answer.value === 'close') return false
  if (answer.value === 'end') await endProcesses(runIds, 40)
  return true
}

async function scan(runIds: readonly string[]) {
  return (await Promise.all(runIds.map((runId) => membersOf(runId)))).flat()
}

/** What is still there after the guard has had its time. */
async function leftovers(runIds: readonly string[], patienceMs: number) {
  for (let waited = 0; ; waited += pollMs) {
    const left = await scan(runIds)
    if (left.length === 0 || waited >= patienceMs) return left
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Agents of a run that is over are still at work. */
export function orphanQuestion(pids: readonly number[]): Question {
  return {
    id: `orphans-${pids.join('-')}`,
    gate: 'Q-ORPHANS',
    title: 'Processes of an earlier run are still alive',
    body: [
      `Process ids: ${pids.join(', ')}`,
      'They were started by this session and may still change files and cost money.',
    ],
    options: [
      { value: 'end', label: 'end them', consequence: 'then go on', safe: true },
      { value: 'leave', label: 'leave them', consequence: 'go on beside them' },
      { value: 'close', label: 'close', consequence: 'start nothing' },
    ],
    askedAt: new Date().toISOString(),
  }
}
