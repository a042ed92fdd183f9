import { readFileSync } from 'node:fs'
import { allCases } from '../cases/all.js'
import { onePhase } from '../sample.js'
import { type Dispatch, openJob } from './job.js'

// node agent.cjs <case> <folder of the test>: an agent that is honest but for what the case says. As a tool of another
// agent (`--tool`) it prints its result alone.

void lie()

async function lie(): Promise<void> {
  const [name = '', folder = ''] = process.argv.slice(2)
  const chosen = allCases.find((one) => one.name === name)
  if (!chosen) throw new Error(`no case is called ${name}`)

  const dispatch = JSON.parse(readFileSync(process.env.AUTOPILOT_DISPATCH ?? '', 'utf8')) as Dispatch
  const job = openJob(dispatch, chosen.phases ?? onePhase, folder)
  try {
    job.say(`lives in ${job.namespace()}`)
    const act = chosen.acts[job.persona]
    const result = act ? await act(job) : job.honest()
    // An act that has printed its own end says so by handing back nothing.
    if (result !== undefined) job.print({ type: 'end', result })
  } catch (error) {
    job.say(`broken: ${error instanceof Error ? error.stack : String(error)}`)
    process.exitCode = 99
  }
}
