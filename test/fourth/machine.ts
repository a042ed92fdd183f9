import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Machine, Transition } from '../../source/run/machine.js'
import type { Run } from '../../source/run/run.js'
import { plainFact } from '../../source/view/facts.js'
import type { WorkflowView } from '../../source/view/view.js'
import { dispatchPersona } from '../../source/workflows/dispatch/persona.js'
import type { DispatchGrounds } from '../../source/workflows/dispatch/tools.js'
import type { SessionTools } from '../../source/workflows/tools.js'
import type { PersonaSpec } from '../../source/workflows/workflow.js'
import { firstState, type GardenState } from './state.js'

export const personas = {
  'garden-digger': { writes: true, wallMinutes: 10 },
  'garden-sower': { writes: true, wallMinutes: 10 },
} as const satisfies Record<string, PersonaSpec>

const workers = Object.keys(personas) as (keyof typeof personas)[]
const grown = z.object({ grew: z.string() })

/** Two beds dug at once, each in a folder of its own; one gate; one effect. */
export function gardenMachine(tools: SessionTools): Machine<GardenState> {
  return {
    workflow: 'garden',
    revisions: { INIT: 1, DIG: 1, WATER: 1, DONE: 1 },
    async open(run) {
      await run.note('spec', tools.subject)
      const title = await run.step('title', async () => titleOf(await readText(tools, tools.subject)))
      return firstState(title)
    },
    resume: async () => undefined,
    states: {
      DIG: (state, run) => dig(state, run, tools),
      WATER: (state, run) => water(state, run, tools),
      DONE: leave,
    },
    nameOf: ({ state }) => state,
    view: (state) => viewOf(state, tools),
    withQuestion: (state, question) => ({ ...state, question: question?.gate ?? '' }),
    interludes: {},
  }
}

/** Whoever digs may change anything in the bed, and nothing of what it is told about is for this workflow to keep. */
const grounds: DispatchGrounds<GardenState> = {
  of: async () => ({
    contract: { may: ['project files'], noted: [] },
    ground: { places: {}, frozen: [], planned: [] },
  }),
  beforehand: async () => [],
  handOver: async () => undefined,
  log: {
    withAccepted: (state) => state,
    putsBackAlways: () => false,
    withPutBackAlways: (state) => state,
  },
}

/** Two who write at once need a work tree each, so a bed is a repository. */
async function layOut(tools: SessionTools, cwd: string): Promise<void> {
  await mkdir(join(tools.root, cwd), { recursive: true })
  const made = await tools.command(['git', 'init', '-q', cwd], { timeoutMs: 10_000, outputCap: 1_000 })
  if (made.code !== 0) throw new Error(`${cwd} did not become a repository: ${made.stderr}`)
}

async function dig(
  state: GardenState,
  run: Run<GardenState>,
  tools: SessionTools,
): Promise<Transition<GardenState>> {
  const grew = await Promise.all(
    state.beds.map(async ({ id }, index) => {
      const persona = workers[index] ?? 'garden-digger'
      const cwd = `beds/${id}`
      await run.step(`bed-${id}`, () => layOut(tools, cwd))
      const { result } = await dispatchPersona(
        {
          run,
          tools,
          workflow: 'garden',
          personas,
          decisions: { raises: () => [], withRaise: (latest) => latest },
          grounds,
        },
        `dig-${id}`,
        {
          persona,
          title: `Bed ${id}`,
          failedTitle: `Bed ${id} was not dug`,
          phase: { id, number: index + 1 },
          cwd,
          access: 'edit',
          prompt: () => 'Dig the bed you stand in.',
          brief: { bed: id, beds: state.beds.length },
          expects: grown,
        },
      )
      return result.grew
    }),
  )
  return {
    change: (latest) => ({
      ...latest,
      state: 'WATER',
      beds: latest.beds.map((bed, index) => ({ ...bed, done: true, by: grew[index] ?? '' })),
    }),
  }
}

async function water(
  state: GardenState,
  run: Run<GardenState>,
  tools: SessionTools,
): Promise<Transition<GardenState>> {
  const answer = await run.ask('water', {
    gate: 'Q-WATER',
    title: 'Water the beds?',
    body: state.beds.map(({ id, by }) => `${id}: ${by}`),
    options: [
      { value: 'yes', label: 'water', consequence: 'one can of water', recommended: true },
      { value: 'stop', label: 'stop', consequence: 'save the state and exit', stops: true },
    ],
  })
  const watered = await run.effect('can', {
    prepare: async () => ({ said: answer.value }),
    apply: async ({ said }, effectId) => {
      const before = await readText(tools, 'water.txt')
      await writeFile(join(tools.root, 'water.txt'), `${before}${effectId} ${said}\n`)
      return effectId
    },
    recover: async (_, effectId) => {
      const text = await readText(tools, 'water.txt')
      return text.includes(`${effectId} `) ? effectId : undefined
    },
  })
  run.report([`The garden is watered: ${watered}`])
  return { change: (latest) => ({ ...latest, state: 'DONE', watered }) }
}

const leave = async (): Promise<Transition<GardenState>> => ({ change: (latest) => latest, finished: true })

function viewOf(state: GardenState | undefined, tools: SessionTools): WorkflowView {
  const current = state?.beds.find(({ done }) => !done)?.id
  return {
    workflow: 'garden',
    subject: tools.subject,
    title: state?.title ?? 'Garden',
    session: tools.place.slug,
    facts: [plainFact('spring')],
    state: state?.state ?? 'INIT',
    phases: (state?.beds ?? []).map(({ id, done }) => ({
      id,
      name: `bed ${id}`,
      status: done ? 'complete' : 'in-progress',
      facts: [],
    })),
    ...(current === undefined ? {} : { currentPhase: current }),
    steps: ['DIG', 'WATER', 'DONE'].map((name) => ({
      id: name,
      name,
      status: name === state?.state ? 'current' : 'todo',
    })),
    interludes: [],
  }
}

export function titleOf(text: string): string {
  return /^# Garden: (.*)$/m.exec(text)?.[1] ?? 'unnamed'
}

async function readText(tools: SessionTools, path: string): Promise<string> {
  return readFile(join(tools.root, path), 'utf8').catch(() => '')
}
