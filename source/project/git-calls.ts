import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { endMarked } from '../processes/end-processes.js'
import { membersMarked, runMarker } from '../processes/process-set.js'
import { readCommandLine } from '../processes/process-stat.js'
import type { Mark } from '../processes/start-process.js'

// Calls of git that are under way: named while they take long, and ended with all that they started (docs/durability.md,
// "Calls to git").

/** What one call is told. */
export interface GitCall {
  /** In the environment of git and of every hook and filter that it starts. */
  mark: Mark
  /** All marks: of this call, and of the run. */
  marks: Readonly<Record<string, string>>
  /** Aborts when the call is to end. */
  signal: AbortSignal
}

export interface SlowCall {
  /** Such as `git commit, hook pre-commit`. */
  name: string
  seconds: number
}

export interface GitCalls {
  during<Result>(name: string, action: (call: GitCall) => Promise<Result>): Promise<Result>
  /** The one that runs longest, if that is `ms` or more. */
  slowest(ms: number): Promise<SlowCall | undefined>
  /** Ends those that run for `ms` or more, with their hooks and filters; they fail. */
  end(ms: number): void
  /** True once a call was ended. */
  ended(): boolean
}

const callMarker = 'AUTOPILOT_GIT_CALL'

interface OpenCall {
  name: string
  since: number
  mark: Mark
  controller: AbortController
}

/**
 * @param runId marks all calls as part of that run, so that nothing of them outlives it
 * @param now in milliseconds
 */
export function openGitCalls(runId?: string, now: () => number = () => performance.now()): GitCalls {
  const open = new Set<OpenCall>()
  let wasEnded = false
  const lasting = (ms: number) => [...open].filter((call) => now() - call.since >= ms)

  return {
    async during(name, action) {
      const mark = { name: callMarker, value: randomUUID() }
      const call: OpenCall = { name, since: now(), mark, controller: new AbortController() }
      const marks = { [mark.name]: mark.value, ...(runId === undefined ? {} : { [runMarker]: runId }) }
      open.add(call)
      try {
        return await action({ mark, marks, signal: call.controller.signal })
      } finally {
        open.delete(call)
      }
    },
    async slowest(ms) {
      const [first] = lasting(ms).sort((a, b) => a.since - b.since)
      if (first === undefined) return undefined
      const hook = await hookOf(first.mark)
      return {
        name: `git ${first.name}${hook === undefined ? '' : `, hook ${hook}`}`,
        seconds: Math.floor((now() - first.since) / 1000),
      }
    },
    end(ms) {
      for (const call of lasting(ms)) {
        if (call.controller.signal.aborted) continue
        wasEnded = true
        call.controller.abort()
        void endMarked([call.mark], 20)
      }
    },
    ended: () => wasEnded,
  }
}

const hookNames = new Set([
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
  'post-rewrite',
])

/** The hook that runs for this call, where the system tells what processes were started as. */
async function hookOf(mark: Mark): Promise<string | undefined> {
  for (const { pid } of await membersMarked(mark)) {
    const hook = readCommandLine(pid)
      .map((word) => basename(word))
      .find((name) => hookNames.has(name))
    if (hook !== undefined) return hook
  }
  return undefined
}
