import { isFinished } from '../ledger/finished.js'
import type { Ledger } from '../ledger/ledger.js'
import { stateAtVisitStart } from '../ledger/visit.js'
import type { DrivenRun } from './durable-run.js'
import type { Machine } from './machine.js'
import { StateAdopted } from './stopped.js'

/** The interlude that the person asked for since the last state, if any. */
export interface InterludeRequest {
  take(): string | undefined
}

/**
 * Runs the states of a workflow until it is finished. A stop and every failure come out as exceptions; what was
 * reached is on disk then, and calling this again goes on there.
 */
export async function drive<State extends object>(
  machine: Machine<State>,
  ledger: Ledger<State>,
  run: DrivenRun<State>,
  interlude: InterludeRequest,
): Promise<State> {
  if (ledger.state === undefined) {
    await run.enter('INIT')
    const first = await machine.open(run)
    await run.leave('INIT', first, false)
  } else {
    await machine.resume(ledger.state, run)
  }
  for (;;) {
    const state = run.state
    if (isFinished(ledger.records)) return state
    const name = machine.nameOf(state)
    const states = machine.states[name]
    if (!states) throw new Error(`the workflow has no state ${name}`)
    const asked = run.interlude ?? (run.midVisit ? undefined : interlude.take())
    const between = asked === undefined ? undefined : machine.interludes[asked]
    if (asked !== undefined && between) {
      await run.enter(asked, true)
      await between(state, run)
      await run.leave(asked, run.state, false)
      continue
    }
    try {
      await run.enter(name)
      const transition = await states(stateAtVisitStart<State>(ledger.records) ?? state, run)
      await run.leave(name, transition.change(run.state), transition.finished === true)
    } catch (error) {
      if (!(error instanceof StateAdopted)) throw error
      run.reset()
    }
  }
}
