import { docsDir, type Flow, type Flows } from '../flow/flow.js'
import { type Looked, type Scope, type Test, test } from './detectors.js'
import type { Listing } from './listing.js'

// Which flow the signs in a project speak for (docs/lifecycle.md, "Detection"). Pure.

/** Which flow a project without a state file follows, and why; `ask` where the signs do not say. */
export interface FlowChoice {
  flow: string
  ask: boolean
  why: string
  looked: Looked[]
}

/** The signs of each flow decide; existing code is looked for first. */
export function chooseFlow(flows: Flows, listing: Listing): FlowChoice {
  const { sources } = listing
  // The files of the program itself, and what a person does not see, make no documents.
  const docs = listing.docs.filter(
    ({ path }) => !/^\.|^_autopilot_/.test(path.slice(path.lastIndexOf('/') + 1)),
  )
  const scope: Scope = { listing, since: undefined }
  const [code, fresh] = ['existing-code', 'greenfield'].map((name) => signs(scope, flows.flows[name]))
  const seen: Looked[] = [
    {
      path: 'source files',
      found: sources.length > 0,
      ...(sources[0] === undefined ? {} : { note: sources.slice(0, 3).join(', ') }),
    },
    { path: `${docsDir}/`, found: docs.length > 0 },
    ...(code?.looked ?? []),
    ...(fresh?.looked ?? []),
  ]
  const choice = (flow: string, why: string, ask = false): FlowChoice => ({ flow, ask, why, looked: seen })
  if (docs.length === 0 && sources.length > 0)
    return choice('existing-code', `There is source and nothing in ${docsDir}/.`)
  if (docs.length === 0) return choice('greenfield', 'There is nothing at all yet.')
  const [isCode, isFresh] = [code?.holds === true, fresh?.holds === true]
  if (isCode && !isFresh) return choice('existing-code', 'Only signs of the existing-code flow are there.')
  if (isFresh && !isCode) return choice('greenfield', 'Only signs of the greenfield flow are there.')
  if (isCode) return choice('existing-code', 'There are signs of both flows.', true)
  if (sources.length > 0) return choice('existing-code', 'There is source, and no sign of either flow.', true)
  return choice('greenfield', `There is no source, and no sign of either flow in ${docsDir}/.`)
}

function signs(scope: Scope, flow: Flow | undefined): Test {
  const all = (flow?.discriminators ?? []).map((glob) => test(scope, { exists: glob }))
  return { holds: all.some(({ holds }) => holds), looked: all.flatMap((one) => one.looked) }
}
