import { readText, writeText } from '../../../project/text-files.js'
import type { LifecycleWork } from '../work.js'

// The conversation that chained steps share (docs/lifecycle.md, "Conversations"). It is beside the journal, since it is
// nothing that a person keeps.

export interface Thread {
  /** The next dispatch begins a conversation of its own. */
  fresh: boolean
  conversation?: string
  /** What was returned in it, oldest first. */
  earlier: { step: string; result: unknown }[]
}

const freshThread: Thread = { fresh: true, earlier: [] }
const mostEarlier = 5

const pathOf = ({ tools }: LifecycleWork) => `${tools.place.sessionDir}/conversation.json`

/** The conversation so far; a fresh one where nothing is known of it. */
export async function readThread(work: LifecycleWork): Promise<Thread> {
  const text = await readText(work.tools, pathOf(work))
  try {
    const value = JSON.parse(text ?? '') as Thread
    return typeof value.fresh === 'boolean' && Array.isArray(value.earlier) ? value : freshThread
  } catch {
    return freshThread
  }
}

export function continued(
  thread: Thread,
  step: string,
  result: unknown,
  conversation: string | undefined,
): Thread {
  const earlier = [...(thread.fresh ? [] : thread.earlier), { step, result }].slice(-mostEarlier)
  return { fresh: false, earlier, ...(conversation === undefined ? {} : { conversation }) }
}

export async function writeThread(work: LifecycleWork, thread: Thread): Promise<void> {
  await writeText(work.tools, pathOf(work), `${JSON.stringify(thread)}\n`)
}

/** The next dispatch begins anew. */
export function endThread(work: LifecycleWork): Promise<void> {
  return writeThread(work, freshThread)
}
