import { isBound, type Raise } from '../../dispatch/budgets.js'
import type { DecisionLog } from '../../dispatch/tools.js'
import { decided } from './changes.js'
import { type LifecycleState, recordOf } from './state.js'

const scopeText = (raise: Raise) =>
  'id' in raise.scope ? `${raise.scope.kind} ${raise.scope.id}` : raise.scope.kind

/** Budgets that a person raised are lines of Key Decisions, like every other decision. */
export const decisionLog: DecisionLog<LifecycleState> = {
  raises: (state) => recordOf(state).decisions.flatMap((line) => raiseIn(line) ?? []),
  withRaise: ({ text }, raise, at) => ({
    text: decided(text, at, 'Q-BUDGET', `${raise.bound} doubled for ${scopeText(raise)}`),
  }),
}

function raiseIn(line: string): Raise | undefined {
  const [, bound, kind, id] =
    / Q-BUDGET: (\w{1,20}) doubled for (dispatch|phase|run)(?: (\S{1,100}))?$/.exec(line) ?? []
  if (!isBound(bound)) return undefined
  if (kind === 'run') return { bound, scope: { kind } }
  return (kind === 'phase' || kind === 'dispatch') && id !== undefined
    ? { bound, scope: { kind, id } }
    : undefined
}
