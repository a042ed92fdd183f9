import { guardTimes, walkLadder } from './ladder.js'
import { membersOf } from './process-set.js'

// The guard: a process of its own that outlives autopilot. It reads a pipe that only autopilot holds the other end
// of. When the pipe ends without the word `release`, autopilot died, and the guard ends every process of the run.

const releaseWord = 'release'

async function guard(runId: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  if (await wasReleased()) return
  await walkLadder({ members: () => membersOf(runId) }, guardTimes)
}

async function wasReleased(): Promise<boolean> {
  let heard = ''
  try {
    for await (const chunk of process.stdin) {
      heard = (heard + String(chunk)).slice(-releaseWord.length)
      if (heard === releaseWord) return true
    }
  } catch {
    // A broken pipe means the same as its end.
  }
  return false
}

const runId = process.argv[2]
if (runId) {
  await guard(runId)
  process.exit(0)
}
process.exit(2)
