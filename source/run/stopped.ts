/** Thrown through a state function when the run is to end with its state saved. Never caught by a workflow. */
export class RunStopped extends Error {
  /** @param atWork an agent was at work, and what it has changed since is its own */
  constructor(
    readonly by: 'key' | 'gate',
    readonly atWork = false,
  ) {
    super(`stopped by ${by}`)
    this.name = 'RunStopped'
  }
}

/** The state file of another hand was accepted in the middle of a visit: the state functions start from it. */
export class StateAdopted extends Error {
  constructor() {
    super('the state file on disk was accepted')
    this.name = 'StateAdopted'
  }
}

/** The agent that asked has ended, so nobody needs the answer. */
export class QuestionWithdrawn extends Error {
  constructor() {
    super('the question was taken back')
    this.name = 'QuestionWithdrawn'
  }
}
