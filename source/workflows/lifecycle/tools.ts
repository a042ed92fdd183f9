import type { SessionTools } from '../tools.js'
import type { BrokenFlows, Flows } from './flow/flow.js'

/** What the states of this workflow work with. */
export interface LifecycleTools extends SessionTools {
  flows: Flows
  /** Flow files that cannot be used. */
  broken: readonly BrokenFlows[]
  /** A flow file that was named when the session began. */
  flowFile: string | undefined
}
