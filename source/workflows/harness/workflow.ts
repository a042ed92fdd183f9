import { readSpec } from '../../documents/spec.js'
import type { Workflow } from '../workflow.js'
import { harnessMachine } from './harness.js'
import type { HarnessState } from './state/state.js'
import type { HarnessTools } from './tools.js'

/** The first and default workflow: a spec's Implementation Order. It takes every Markdown file, if need be by asking. */
export const harnessWorkflow: Workflow<HarnessState, HarnessTools> = {
  name: 'harness',
  stateFile: 'autopilot-state.json',
  recognise(path, text) {
    if (!path.toLowerCase().endsWith('.md')) return undefined
    const { reading } = readSpec(text)
    if (reading === 'literal') return { path, certainty: 'sure' }
    return { path, certainty: reading === 'none' ? 'possible' : 'likely' }
  },
  machine: harnessMachine,
}
