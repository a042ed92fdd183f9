import { randomUUID } from 'node:crypto'
import { inOneLine } from '../documents/edit.js'
import { keptKey, saidKey } from '../ledger/messages.js'
import type { PaneLine } from '../view/panes.js'
import type { Said } from '../view/view.js'
import type { AgentsAtWork } from './agents-at-work.js'
import type { RunContext } from './run-context.js'

/** What the person tells agents while they work, or before the next one begins. */
export interface Steering {
  /**
   * To the agent of a pane, or to all that work. `kept`: none of them can take it (or none works), so it is in the
   * journal for the next dispatch.
   */
  say(text: string, paneId?: string): Said
  /**
   * What was kept since the last dispatch, for the one that begins now; `begin` has to record that it began, and no
   * other dispatch takes anything in between.
   */
  take(begin: (messages: string[]) => Promise<unknown>): Promise<string[]>
}

/** A message of the person as a line of a pane. */
export function messageLine(text: string): PaneLine {
  return { kind: 'note', text: `you: ${inOneLine(text)}` }
}

export function createSteering<State extends object>(
  { ledger, saver, live }: RunContext<State>,
  atWork: AgentsAtWork,
): Steering {
  const writing = new Set<Promise<unknown>>()
  let taking: Promise<unknown> = Promise.resolve()

  function write(prefix: string, text: string): void {
    const key = `${prefix}${randomUUID().slice(0, 8)}`
    const saved = saver
      .append({ type: 'note', key, kind: 'note', text })
      .catch(() => live.patch({ banner: 'The message to the agent could not be saved.' }))
    writing.add(saved)
    void saved.then(() => writing.delete(saved))
  }

  return {
    say(text, paneId) {
      const said = atWork.chosen(paneId).flatMap((agent) => {
        const how = agent.say?.(text) ?? 'unsupported'
        if (how === 'unsupported') return []
        agent.show(messageLine(text))
        return [how]
      })
      write(said.length === 0 ? keptKey : saidKey, text)
      if (said.length === 0) return 'kept'
      return said.includes('queued') ? 'queued' : 'sent'
    },
    take(begin) {
      const taken = taking.then(async () => {
        // A message on its way to the disk was written before this dispatch, so it belongs to it.
        await Promise.all(writing)
        const messages = [...ledger.digest.messages]
        await begin(messages)
        return messages
      })
      taking = taken.catch(() => undefined)
      return taken
    },
  }
}
