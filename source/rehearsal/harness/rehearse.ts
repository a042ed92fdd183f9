import type { RehearsalStage } from '../rehearsal.js'
import { createRepository } from '../repository.js'
import { createVoice, paceOf } from '../voice.js'
import { type Brief, type Expects, readBrief } from './brief.js'
import { execute } from './execute.js'
import type { Delivery, Job } from './job.js'
import { plan } from './plan.js'
import { openRecords } from './records.js'
import { review } from './review.js'
import { verify } from './verify.js'

const personas: Record<Expects, (job: Job) => Promise<Delivery>> = {
  plan,
  execution: execute,
  verification: verify,
  review,
}

/** One dispatch of the scripted agent: reads its brief, really does the work, ends with the result. */
export async function rehearse({ env, cwd, prompt, write }: RehearsalStage): Promise<void> {
  const path = env.AUTOPILOT_DISPATCH
  if (path === undefined || path === '') {
    throw new Error(
      'AUTOPILOT_DISPATCH is not set.\nThe rehearsal agent reads there what it is to do.\nStart it through `autopilot demo` or `--agent rehearsal`.',
    )
  }
  const brief: Brief = await readBrief(path, cwd, env.AUTOPILOT_PERSONA)
  const voice = createVoice(write, paceOf(env.AUTOPILOT_REHEARSAL_PACE))
  voice.session(`rehearsal-${brief.id}`)
  const promptChars = (await prompt).length
  const repository = createRepository(brief.projectDir)
  const job: Job = { brief, voice, repository, records: await openRecords(brief) }
  const { result, summary } = await personas[brief.expects](job)
  voice.usage(promptChars)
  voice.end(result, summary)
}
