import type { Ledger } from '../ledger/ledger.js'
import { Problem } from '../problem.js'
import type { Machine } from './machine.js'
import type { RunStopped } from './stopped.js'

/**
 * Puts on record that the run was stopped, with what a stop leaves in the state. An edit of another hand is taken in
 * only where the workflow can tell what of it may stay; else it waits for the next opening, which asks.
 */
export async function recordStop<State extends object>(
  machine: Pick<Machine<State>, 'stopped'>,
  ledger: Ledger<State>,
  stop: { by: RunStopped; now: Date },
): Promise<void> {
  const fact = { type: 'interrupted', text: stop.by.by } as const
  const { state } = ledger
  if (!machine.stopped || state === undefined || ledger.behind || stop.by.by !== 'key') {
    await ledger.append(fact).catch((error: unknown) => {
      // Who stopped at a gate for it knows that nothing can be written; the next start tells what is missing.
      if (stop.by.by !== 'gate' || !(error instanceof Problem) || error.code !== 'foreign-edit') throw error
    })
    return
  }
  const edit = await ledger.foreignEdit()
  const isReadable = edit === undefined || edit.kind === 'foreign-edit'
  const found = edit?.kind === 'foreign-edit' ? { found: edit.found } : {}
  const left = isReadable
    ? machine.stopped(state, {
        now: stop.now,
        worked: ledger.visit.worked,
        byAgent: stop.by.atWork,
        ...found,
      })
    : undefined
  if (left === undefined) {
    await ledger.append(fact)
    return
  }
  if (edit?.kind !== 'foreign-edit') {
    await ledger.saveImage(fact, left)
    return
  }
  await edit.resolve('merge', left)
  await ledger.append(fact)
}
