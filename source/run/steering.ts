import { randomUUID } from 'node:crypto'
import type { JournalRecord } from '../ledger/journal.js'
import { keptKey, keptMessages, saidKey } from '../ledger/messages.js'
import type { Said } from '../view/view.js'
import type { LiveStore } from './live-store.js'
import type { AgentSlot } from './running-agent.js'
import type { Saver } from './saver.js'

/** What the person tells an agent while it works, or before the next one begins. */
export interface Steering {
  /** `kept`: the running agent cannot take it (or none runs), so it is in the journal for the next dispatch. */
  say(text: string): Said
  /** What was kept since the last dispatch, for the one that begins now. */
  take(): Promise<string[]>
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
