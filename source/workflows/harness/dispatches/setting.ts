import type { DispatchSetting } from '../../dispatch/tools.js'
import { harnessGrounds } from '../grounds.js'
import { personas } from '../personas/personas.js'
import { decisionLog } from '../state/decisions.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessWork } from '../work.js'

/** The same work as the dispatch room sees it. */
export function dispatchSetting({ run, tools }: HarnessWork): DispatchSetting<HarnessState> {
  const grounds = harnessGrounds({ run, tools })
  return { run, tools, workflow: 'harness', personas, decisions: decisionLog, grounds }
}
