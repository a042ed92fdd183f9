import { anyWorkflow, type Workflow } from '../../source/workflows/workflow.js'
import { gardenMachine, personas, titleOf } from './machine.js'
import { gardenPlace, subject } from './places.js'
import { type GardenState, gardenCodec } from './state.js'

export const gardenWorkflow: Workflow<GardenState> = {
  name: 'garden',
  personas,
  place: () => gardenPlace,
  locate: async () => gardenPlace,
  codec: () => gardenCodec,
  adoption: () => ({ lines: ['A garden of another hand.'] }),
  describe: async (state) => {
    const dug = state.beds.filter(({ done }) => done).length
    const at = state.beds.findIndex(({ done }) => !done)
    const bed = state.beds[at]
    return {
      subject,
      title: state.title,
      state: state.state,
      phase: bed ? { id: bed.id, number: at + 1, name: `bed ${bed.id}`, total: state.beds.length } : null,
      progress: { phasesComplete: dug, phasesTotal: 2, tasksComplete: dug, tasksTotal: 2 },
      facts: [],
      rigor: null,
      phases: state.beds.map(({ id, done }, index) => ({
        id,
        number: index + 1,
        name: `bed ${id}`,
        status: done ? 'complete' : 'pending',
        facts: [],
      })),
    }
  },
  isDone: ({ state }) => state === 'DONE',
  doneReport: ({ watered }) => [`The garden is watered: ${watered}`],
  archiveDir: '.autopilot/archive',
  inspectors: [
    {
      kind: 'garden',
      matches: ({ text }) => (text.startsWith('# Garden:') ? 'sure' : undefined),
      inspect: ({ text }) => ({ json: { kind: 'garden', title: titleOf(text) }, lines: [titleOf(text)] }),
    },
  ],
  checks: async () => [{ name: 'spade', ok: true, text: 'in the shed' }],
  machine: async (tools) => gardenMachine(tools),
}

export const garden = anyWorkflow(gardenWorkflow)
