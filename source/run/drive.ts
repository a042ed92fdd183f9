import { isFinished } from '../ledger/finished.js'
import type { Ledger } from '../ledger/ledger.js'
import { stateAtVisitStart } from '../ledger/visit.js'
import type { DrivenRun } from './durable-run.js'
import type { Machine } from './machine.js'
import { StateAdopted } from './stopped.js'

/** Whether the person asked for the menu of open phases since the last state. */
export interface ReorderRequest {
  take(): boolean
}

/**
 * Runs the states of a workflow until it is finished. A stop and every failure come out as exceptions; what was
 * reached is on disk then, and calling this again goes on there.
 */
export async function drive<State extends object>(
  machine: Machine<State>,
  ledger: Ledger<State>,
  run: DrivenRun<State>,
  reorder: ReorderRequest,
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
    if (!run.midVisit && reorder.take()) {
      await run.enter('REORDER')
      await machine.reorder(state, run)
      await run.leave('REORDER', run.state, false)
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
