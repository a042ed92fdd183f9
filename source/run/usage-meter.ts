import type { Digest } from '../ledger/digest.js'
import { withPhaseUsage } from '../ledger/usage.js'
import { addUsage, noUsage, type Usage } from '../view/usage.js'
import type { LiveStore } from './live-store.js'

/** Counts what agents use while they work, on top of what the journal says of those that have ended. */
export interface UsageMeter {
  uses(dispatchId: string, phase: string, usage: Usage): void
  /** What a working dispatch used so far. */
  of(dispatchId: string): Usage
  /** It has ended, and the journal says what it used. */
  end(dispatchId: string): void
}

export function createUsageMeter(digest: Digest, live: Pick<LiveStore, 'patch'>): UsageMeter {
  const running = new Map<string, { phase: string; usage: Usage }>()

  function show(): void {
    let usage = digest.usage
    let phaseUsage = digest.usageByPhase
    for (const one of running.values()) {
      usage = addUsage(usage, one.usage)
      phaseUsage = withPhaseUsage(phaseUsage, one.phase, one.usage)
    }
    live.patch({ usage, phaseUsage: new Map(phaseUsage) })
  }

  return {
    uses(dispatchId, phase, usage) {
      running.set(dispatchId, { phase, usage })
      show()
    },
    of: (dispatchId) => running.get(dispatchId)?.usage ?? noUsage,
    end(dispatchId) {
      running.delete(dispatchId)
      show()
    },
  }
}
