import type { LifeAct } from './case.js'
import type { LifeJob } from './job.js'

// How the acts of the cases are put together.

/** The whole step, and a lie beside it. */
export const after =
  (lie: (job: LifeJob) => void): LifeAct =>
  (job) => {
    const result = job.honest()
    job.lie(() => lie(job))
    return result
  }
/** Nothing but the lie, called complete. */
export const only =
  (lie: (job: LifeJob) => void): LifeAct =>
  (job) => {
    job.lie(() => lie(job))
    return job.complete()
  }
/** The whole step, and something more. */
export const and =
  (deed: (job: LifeJob) => void): LifeAct =>
  (job) => {
    const result = job.honest()
    deed(job)
    return result
  }
/** Does this, and calls it complete. */
export const does =
  (deed: (job: LifeJob) => void): LifeAct =>
  (job) => {
    deed(job)
    return job.complete()
  }

export const research = { flow: 'greenfield', step: 'Research' } as const
export const plan = { flow: 'greenfield', step: 'Plan' } as const
export const design = { flow: 'greenfield', step: 'UI Design' } as const
export const decompose = { flow: 'greenfield', step: 'Decompose' } as const
export const implement = { flow: 'greenfield', step: 'Implement' } as const
export const implementTests = { flow: 'existing-code', step: 'Implement Tests' } as const
export const testSpec = { flow: 'existing-code', step: 'Test Spec' } as const
