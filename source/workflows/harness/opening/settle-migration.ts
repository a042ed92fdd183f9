import { isOpen, phaseTitle } from '../phases.js'
import { qOddState } from '../questions/session.js'
import type { MigrationAsk } from '../state/migration-ask.js'
import { type HarnessState, type StateName, stateNames } from '../state/state.js'
import type { HarnessWork } from '../work.js'

/**
 * Asks what a file of another version or hand left open (docs/harness.md, "State migrations"): the state it is
 * in.
 */
export async function settleMigration(work: HarnessWork, state: HarnessState): Promise<void> {
  const { run } = work
  const asks = (state.migrationAsks ?? []) as unknown as MigrationAsk[]
  if (asks.length > 0) {
    const names: StateName[] = []
    for (const [index, ask] of asks.entries()) {
      const answer = await run.ask(`migration-${index}`, oddState(state, ask))
      if (isStateName(answer.value)) names.push(answer.value)
    }
    await run.update('migration', (latest) => {
      const { migrationAsks: _settled, ...rest } = latest
      const settled = { ...rest, currentState: names.at(-1) ?? latest.currentState } as HarnessState
      const open = settled.phases.findIndex(isOpen)
      return settled.currentState === 'ASSESS' && open >= 0 ? { ...settled, currentPhase: open } : settled
    })
  }
}

function isStateName(value: string): value is StateName {
  return (stateNames as readonly string[]).includes(value)
}

function oddState(state: HarnessState, ask: MigrationAsk) {
  const goOn = (value: StateName, consequence: string) => ({ value, label: value, consequence })
  switch (ask.kind) {
    case 'open-phases-but-complete': {
      const open = ask.open.map((index) => phaseTitle(state.phases[index] ?? { name: '' }, index))
      return qOddState(
        ['The state file says that all is complete, but these phases are open:', ...open],
        [
          goOn('ASSESS', 'work on the first open phase'),
          goOn('FINAL_REVIEW', 'leave them open and review the whole'),
        ],
      )
    }
    case 'outcome-eval':
      return qOddState(
        ['The session was left in a state after the final review, which this version does not have.'],
        [goOn('DONE', 'finish the session'), goOn('FINAL_REVIEW', 'review the whole again')],
      )
    case 'unknown-state':
      return qOddState(
        [`The state file says ${JSON.stringify(ask.found)}, which no version of this workflow has.`],
        [ask.suggested, ...stateNames.filter((name) => name !== ask.suggested)].map((name) => ({
          ...goOn(name, 'go on there'),
          ...(name === ask.suggested ? { recommended: true } : {}),
        })),
      )
    case 'base-commit':
      return qOddState([], [goOn(state.currentState, 'go on')])
  }
}
