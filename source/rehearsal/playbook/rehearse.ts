import type { RehearsalStage } from '../rehearsal.js'
import { createRepository } from '../repository.js'
import { createVoice, paceOf } from '../voice.js'
import { debug, execute } from './building.js'
import { audit, compare, integrate, judge, rate, verify, verifyTask } from './checking.js'
import type { Delivery, Job } from './job.js'
import { readOrder } from './order.js'
import { ask, checkPlan, plan, research } from './planning.js'
import { phaseScript, runScript } from './scenario.js'

/** Who plays what is asked for. */
const roles: Readonly<Record<string, (job: Job) => Promise<Delivery>>> = {
  research,
  questions: ask,
  plan,
  'plan-check': checkPlan,
  execution: execute,
  'mini-verification': verifyTask,
  verification: verify,
  judgement: judge,
  'judgement-divergence': compare,
  rating: rate,
  debug,
  integration: integrate,
  audit,
}

/** One dispatch of a scripted role: it really writes, runs and commits what it says. */
export async function rehearse({ env, cwd, prompt, write }: RehearsalStage): Promise<void> {
  const path = env.AUTOPILOT_DISPATCH
  if (path === undefined || path === '')
    throw new Error('AUTOPILOT_DISPATCH is not set.\nStart the rehearsal agent through `autopilot demo`.')
  const order = await readOrder(path, cwd)
  const play = roles[order.expects]
  if (!play) throw new Error(`The rehearsal plays no role that answers with "${order.expects}".`)
  const voice = createVoice(write, paceOf(env.AUTOPILOT_REHEARSAL_PACE))
  voice.session(`rehearsal-${order.id}`)
  const promptChars = (await prompt).length
  const isWhole = order.expects === 'integration' || order.expects === 'audit'
  const script = isWhole ? runScript(order) : phaseScript(order.phase.name)
  const { result, summary } = await play({
    order,
    script,
    voice,
    repository: createRepository(order.projectDir),
  })
  voice.usage(promptChars)
  voice.end(result, summary)
}
