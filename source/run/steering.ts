import { randomUUID } from 'node:crypto'
import type { JournalRecord } from './journal.js'
import type { LiveStore } from './live-store.js'
import type { PaneLine } from './panes.js'
import type { Saver } from './saver.js'
import type { Said } from './view.js'

/** What keys can do to the agent that is working. Parts are missing until its conversation is open. */
export interface RunningAgent {
  /** Sends a message into its conversation. */
  say?(text: string): 'sent' | 'queued' | 'unsupported'
  /** Suspends or continues its processes. */
  suspend?(on: boolean): void
  /** Ends its turn; the conversation can go on later. */
  interrupt?(): void
  /** Writes a line into its pane. */
  show(line: PaneLine): void
}

/** The agent that works right now, if any, and whether the person suspended it. */
export interface AgentSlot {
  agent?: RunningAgent
  suspended: boolean
}

/** What the person tells an agent while it works, or before the next one begins. */
export interface Steering {
  /** `kept`: the running agent cannot take it (or none runs), so it is in the journal for the next dispatch. */
  say(text: string): Said
  /** What was kept since the last dispatch, for the one that begins now. */
  take(): Promise<string[]>
}

const keptKey = 'steer-'
const saidKey = 'said-'

/** Messages that no dispatch has taken yet, oldest first: what was kept after the last one began. */
export function keptMessages(records: readonly JournalRecord[]): string[] {
  const kept: string[] = []
  for (const record of records.toReversed()) {
    if (record.type === 'dispatched') break
    if (record.type === 'note' && record.key?.startsWith(keptKey)) kept.unshift(record.text)
  }
  return kept
}

/** What the timeline says of a note, where it is a message of the person. */
export function messageText(record: Extract<JournalRecord, { type: 'note' }>): string | undefined {
  if (record.key?.startsWith(keptKey)) return `for the next agent: ${record.text}`
  if (record.key?.startsWith(saidKey)) return `told the agent: ${record.text}`
  return undefined
}

export function createSteering(parts: {
  slot: AgentSlot
  saver: Pick<Saver<unknown>, 'append'>
  live: LiveStore
  records(): readonly JournalRecord[]
}): Steering {
  const { slot, saver, live } = parts
  const writing = new Set<Promise<unknown>>()

  function write(prefix: string, text: string): void {
    const key = `${prefix}${randomUUID().slice(0, 8)}`
    const saved = saver
      .append({ type: 'note', key, kind: 'note', text })
      .catch(() => live.patch({ banner: 'The message to the agent could not be saved.' }))
    writing.add(saved)
    void saved.then(() => writing.delete(saved))
  }

  return {
    say(text) {
      const said = slot.agent?.say?.(text) ?? 'unsupported'
      write(said === 'unsupported' ? keptKey : saidKey, text)
      if (said === 'unsupported') return 'kept'
      slot.agent?.show({ kind: 'note', text: `you: ${text.replace(/\s*\n\s*/g, ' ')}` })
      return said
    },
    async take() {
      // A message on its way to the disk was written before this dispatch, so it belongs to it.
      await Promise.all(writing)
      return keptMessages(parts.records())
    },
  }
}
