import type { Ledger } from '../ledger/ledger.js'
import { isFileProblem } from '../problem.js'
import type { DrivenRun } from './durable-run.js'
import type { Machine } from './machine.js'
import { StateAdopted } from './stopped.js'
import { TrustChanged } from './trust-changed.js'

/** The interlude that the person asked for since the last state, if any. */
export interface InterludeRequest {
  take(): string | undefined
}

/**
 * Runs the states of a workflow until it is finished. A stop and every failure come out as exceptions; what was
 * reached is on disk then, nothing of the run is under way any more, and calling this again goes on there.
 */
export async function drive<State extends object>(
  machine: Machine<State>,
  ledger: Ledger<State>,
  run: DrivenRun<State>,
  interlude: InterludeRequest,
): Promise<State> {
  try {
    await run.settleRevision()
    await untilSettled(run, () => begin(machine, ledger, run))
    let left = !ledger.digest.finished || machine.reopens === true
    while (left) {
      await untilSettled(run, () => next(machine, ledger, run, interlude))
      left = !ledger.digest.finished
    }
    return run.state
  } finally {
    // Where several agents worked at once, the first failure leaves the others behind.
    await run.abandon()
  }
}

/** The first state of a fresh session, or a look at the stored one. */
async function begin<State extends object>(
  machine: Machine<State>,
  ledger: Ledger<State>,
  run: DrivenRun<State>,
): Promise<void> {
  if (ledger.state !== undefined) {
    ledger.visit.restart()
    await machine.resume(ledger.state, run)
    return
  }
  await run.enter('INIT')
  const made = await machine.open(run)
  await run.leave('INIT', () => made, false)
}

/** What is executed, or a file that is read, is not what it has to be: the person puts it right, and it begins again. */
async function untilSettled<State extends object>(
  run: DrivenRun<State>,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TrustChanged) && !isFileProblem(error)) throw error
      await run.abandon()
      await (error instanceof TrustChanged ? run.settleTrust(error) : run.settleFile(error))
    }
  }
}

/** One state, or the interlude that comes before it. */
async function next<State extends object>(
  machine: Machine<State>,
  ledger: Ledger<State>,
  run: DrivenRun<State>,
  interlude: InterludeRequest,
): Promise<void> {
  try {
    const asked = run.interlude() ?? (run.midVisit() ? undefined : await between(machine, run, interlude))
    const visitBetween = asked === undefined ? undefined : machine.interludes[asked]
    if (asked !== undefined && visitBetween) {
      await run.enter(asked, true)
      await visitBetween(startState(ledger, run), run)
      await run.leave(asked, () => run.state, false)
      return
    }
    const name = machine.nameOf(run.state)
    const visit = machine.states[name]
    if (!visit) throw new Error(`the workflow has no state ${name}`)
    await run.enter(name)
    const transition = await visit(startState(ledger, run), run)
    await run.leave(name, () => transition.change(run.state), transition.finished === true)
  } catch (error) {
    if (!(error instanceof StateAdopted)) throw error
    await run.abandon()
    run.reset()
  }
}

/** What comes before the next state: what is due, else what the person asked for. */
async function between<State extends object>(
  machine: Machine<State>,
  run: DrivenRun<State>,
  interlude: InterludeRequest,
): Promise<string | undefined> {
  return (await machine.due?.(run.state)) ?? interlude.take()
}

/** The state with which the visit began, also when it is gone on with: what a state function is called with again. */
function startState<State extends object>(ledger: Ledger<State>, run: DrivenRun<State>): State {
  return (ledger.visit.startState as State | undefined) ?? run.state
}
