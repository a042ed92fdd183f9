import { setTimeout as sleep } from 'node:timers/promises'
import type { Search } from './process-marker.js'
import { type Member, membersMarked, runMarker, signalMembers } from './process-set.js'
import type { Mark } from './start-process.js'

const pollMs = 50
const rounds = 100

/**
 * Ends every process of these runs: `politeRounds` times SIGTERM (a round takes about 50 ms), then SIGKILL, until a scan
 * finds nobody.
 */
export async function endProcesses(runIds: readonly string[], politeRounds = 0): Promise<void> {
  const marks = runIds.map((value) => ({ name: runMarker, value }))
  await endMarked(marks, politeRounds)
}

/** Ends every process that carries one of these marks. Returns what could not be ended, normally nothing. */
export async function endMarked(
  marks: readonly Mark[],
  politeRounds = 0,
  search: Search = {},
): Promise<Member[]> {
  const scan = async () => (await Promise.all(marks.map((mark) => membersMarked(mark, search)))).flat()
  let left = await scan()
  for (let round = 0; round < rounds && left.length > 0; round += 1) {
    signalMembers(left, round < politeRounds ? 'SIGTERM' : 'SIGKILL')
    await sleep(pollMs)
    left = await scan()
  }
  return left
}
