import type { Contract } from '../evidence/contract.js'
import type { LifecyclePersona } from './personas/personas.js'

/**
 * What a worker may change (docs/lifecycle.md, "What a worker may change"). The state file is compared line by line
 * beside this.
 */
export const contracts: Readonly<Record<LifecyclePersona, Contract>> = {
  'lifecycle-worker': {
    may: ['project files', 'commits', 'trace', 'scratchpad'],
    noted: ['new refs'],
  },
}
