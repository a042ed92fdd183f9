import { isAbsolute, relative } from 'node:path'
import { baselineOfFile, stillDirty } from '../commits/baseline.js'
import type { DispatchGrounds } from '../dispatch/tools.js'
import { contracts } from './contracts.js'
import type { Detector } from './flow/flow.js'
import { docsDir } from './flow/flow.js'
import { flowPaths } from './flow/paths.js'
import { matchesGlob } from './flow/patterns.js'
import { baselinePath, rememberChoice } from './opening/pending-commit.js'
import type { LifecyclePersona } from './personas/personas.js'
import { touchedLog } from './state/accepted.js'
import type { LifecycleState } from './state/state.js'
import type { LifecycleTools } from './tools.js'
import { look, opensProduct, type StepWork, takesBrief } from './work.js'

/** What the dispatches of this workflow may change (docs/lifecycle.md, "What a worker may change"). */
export function lifecycleGrounds(work: StepWork): DispatchGrounds<LifecycleState> {
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
      const wanted = await wantedFiles(work)
      const frozen = [...flowFiles(tools), ...wanted.files]
      return { contract, ground: { places, frozen, given: wanted.folders, planned: [] } }
    },
    beforehand: async () => stillDirty(tools, await baselineOfFile(tools, baselinePath(tools))),
    handOver: (key, paths) => run.step(key, () => rememberChoice(work, paths, 'include')),
    log: touchedLog,
  }
}

/**
 * Documents in which a person says what is wanted, and the folders that hold some: they hold as they are, but for the steps
 * that ask for it.
 */
async function wantedFiles(work: StepWork): Promise<{ files: string[]; folders: string[] }> {
  if (takesBrief(work)) return { files: [], folders: [] }
  const { tools } = work
  const first = Object.values(tools.flows.flows).flatMap(({ steps: [step] }) =>
    step && opensProduct(step, 0) ? placesOf(step.done) : [],
  )
  if (first.length === 0) return { files: [], folders: [] }
  const { docs } = await look(tools)
  const inDocs = (path: string) => path.slice(docsDir.length + 1)
  const files = docs.flatMap(({ path }) =>
    first.some((place) => matchesGlob(place, inDocs(path)) || inDocs(path).startsWith(`${place}/`))
      ? [path]
      : [],
  )
  const folders = new Set(files.map((path) => `${path.slice(0, path.lastIndexOf('/'))}/`))
  return { files, folders: [...folders].filter((folder) => folder !== `${docsDir}/`) }
}

function placesOf(detector: Detector): string[] {
  if ('all' in detector) return detector.all.flatMap(placesOf)
  if ('any' in detector) return detector.any.flatMap(placesOf)
  if ('exists' in detector) return [detector.exists]
  return 'filled' in detector ? [detector.filled] : []
}

/** Wherever a flow file of the project is or would be looked for: it says what is done, and in which order. */
function flowFiles({ root, flowFile }: LifecycleTools): string[] {
  return flowPaths(root, flowFile)
    .map(({ path }) => relative(root, path))
    .filter((path) => !path.startsWith('..') && !isAbsolute(path))
}
