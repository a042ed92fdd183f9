import type { LiveStore } from './live-store.js'
import type { RunningAgent } from './running-agent.js'

/** An agent that works now, under the id of its dispatch, which is that of its pane. */
interface AtWork {
  id: string
  agent: RunningAgent
  suspended: boolean
}

/** The agents that work right now. Without an id a word of the person is for all of them. */
export interface AgentsAtWork {
  begin(id: string, agent: RunningAgent): void
  end(id: string): void
  /** Parts that an agent can do once its conversation is open. */
  control(id: string, parts: Pick<RunningAgent, 'say' | 'suspend' | 'interrupt'>): void
  chosen(id?: string): readonly RunningAgent[]
  /** Suspends or continues them; false if none works. */
  suspend(on: boolean, id?: string): boolean
  /** True if that agent, or without an id every one that works, is suspended. */
  suspended(id?: string): boolean
  /** Ends their turns; false if there is none that can be ended. */
  interrupt(id?: string): boolean
}

export function createAgentsAtWork(live: Pick<LiveStore, 'setPane'>): AgentsAtWork {
  const all = new Map<string, AtWork>()
  const chosen = (id: string | undefined): AtWork[] =>
    [...all.values()].filter((one) => id === undefined || one.id === id)

  function setSuspended(one: AtWork, on: boolean): void {
    if (one.suspended === on) return
    one.suspended = on
    one.agent.suspend?.(on)
    live.setPane(one.id, { status: on ? 'suspended' : 'running' })
  }

  return {
    begin: (id, agent) => void all.set(id, { id, agent, suspended: false }),
    end: (id) => void all.delete(id),
    control(id, parts) {
      const one = all.get(id)
      if (!one) return
      Object.assign(one.agent, parts)
      // Its conversation opened while the person had it suspended.
      if (one.suspended) one.agent.suspend?.(true)
    },
    chosen: (id) => chosen(id).map(({ agent }) => agent),
    suspend(on, id) {
      const ones = chosen(id)
      for (const one of ones) setSuspended(one, on)
      return ones.length > 0
    },
    suspended: (id) => chosen(id).length > 0 && chosen(id).every((one) => one.suspended),
    interrupt(id) {
      const ones = chosen(id).filter(({ agent }) => agent.interrupt)
      for (const one of ones) {
        // A suspended process would not hear of it.
        setSuspended(one, false)
        one.agent.interrupt?.()
      }
      return ones.length > 0
    },
  }
}
