import { readFileSync } from 'node:fs'
import { allCases } from '../cases/all.js'
import { lifeCases } from '../lifecycle/cases.js'
import { type LifeDispatch, openLifeJob } from '../lifecycle/job.js'
import { onePhase } from '../sample.js'
import type { Hands } from './hands.js'
import { type Dispatch, openJob } from './job.js'

// node agent.cjs <case> <folder of the test>: an agent that is honest but for what the case says. As a tool of another
// agent (`--tool`) it prints its result alone.

void lie()

async function lie(): Promise<void> {
  const [name = '', folder = ''] = process.argv.slice(2)
  const order = JSON.parse(readFileSync(process.env.AUTOPILOT_DISPATCH ?? '', 'utf8')) as {
    workflow?: string
  }
  if (order.workflow === 'lifecycle') return live(name, folder, order as LifeDispatch)
  const chosen = allCases.find((one) => one.name === name)
  if (!chosen) throw new Error(`no case is called ${name}`)

  const dispatch = order as unknown as Dispatch
  const job = openJob(dispatch, chosen.phases ?? onePhase, folder)
  const act = chosen.acts[job.persona]
  await hand(job, () => (act ? act(job) : job.honest()))
}

/** The same for a worker of the lifecycle. */
async function live(name: string, folder: string, dispatch: LifeDispatch): Promise<void> {
  const chosen = lifeCases.find((one) => one.name === name)
  if (!chosen) throw new Error(`no case of the lifecycle is called ${name}`)
  const job = openLifeJob(dispatch, folder)
  const act = chosen.acts[job.stepName]
  await hand(job, () => (act ? act(job) : job.end()))
}

async function hand(job: Hands, act: () => unknown): Promise<void> {
  try {
    job.say(`lives in ${job.namespace()}`)
    const result = await act()
    // An act that has printed its own end says so by handing back nothing.
    if (result !== undefined) job.print({ type: 'end', result })
  } catch (error) {
    job.say(`broken: ${error instanceof Error ? error.stack : String(error)}`)
    process.exitCode = 99
  }
}
