import { membersOf, signalMembers } from './process-set.js'

const pollMs = 50
const rounds = 60

/** Ends every process of these runs: `politeRounds` times SIGTERM, then SIGKILL, until none is left. */
export async function endProcesses(runIds: readonly string[], politeRounds = 0): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const left = (await Promise.all(runIds.map((runId) => membersOf(runId)))).flat()
    if (left.length === 0) return
    signalMembers(left, round < politeRounds ? 'SIGTERM' : 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
