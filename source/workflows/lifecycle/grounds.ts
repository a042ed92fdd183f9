import { isAbsolute, relative } from 'node:path'
import { baselineOfFile, stillDirty } from '../commits/baseline.js'
import type { DispatchGrounds } from '../dispatch/tools.js'
import { contracts } from './contracts.js'
import { flowPaths } from './flow/paths.js'
import { baselinePath, rememberChoice } from './opening/pending-commit.js'
import type { LifecyclePersona } from './personas/personas.js'
import { touchedLog } from './state/accepted.js'
import type { LifecycleState } from './state/state.js'
import type { LifecycleTools } from './tools.js'
import type { LifecycleWork } from './work.js'

/** What the dispatches of this workflow may change (docs/lifecycle.md, "What a worker may change"). */
export function lifecycleGrounds(work: LifecycleWork): DispatchGrounds<LifecycleState> {
  const { run, tools } = work
  const { sessionDir } = tools.place
  return {
    async of(persona) {
      const contract = contracts[persona as LifecyclePersona]
      if (contract === undefined) throw new Error(`the lifecycle workflow has no contract of ${persona}`)
      const places = {
        trace: [`${sessionDir}/trace/`, `${sessionDir}/trace.md`, `${sessionDir}/trace.jsonl`],
        scratchpad: [`${sessionDir}/scratchpad/`],
      }
      return { contract, ground: { places, frozen: flowFiles(tools), planned: [] } }
    },
    beforehand: async () => stillDirty(tools, await baselineOfFile(tools, baselinePath(tools))),
    handOver: (key, paths) => run.step(key, () => rememberChoice(work, paths, 'include')),
    log: touchedLog,
  }
}

/** Wherever a flow file of the project is or would be looked for: it says what is done, and in which order. */
function flowFiles({ root, flowFile }: LifecycleTools): string[] {
  return flowPaths(root, flowFile)
    .map(({ path }) => relative(root, path))
    .filter((path) => !path.startsWith('..') && !isAbsolute(path))
}
