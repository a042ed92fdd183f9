import type { LifecycleRecord } from '../../../documents/lifecycle-state.js'
import { askInStep, isProjectFile } from '../opening/entry-checks.js'
import { notePending } from '../opening/pending-commit.js'
import { qBrief, qDeploy, qOptional } from '../questions/begin.js'
import { briefOf, decided, stepEnded } from '../state/changes.js'
import { clock, type Leave, leaving, type StepWork, takesBrief } from '../work.js'
import { listedAt, listedSeen } from './listed.js'

// What is asked before a step starts (docs/lifecycle.md, "Questions").

export type Start = { kind: 'go'; prepareOnly: boolean } | { kind: 'leave'; leave: Leave }

/** The same state once more, which asks first about what the folders say now. */
const anew: Start = { kind: 'leave', leave: { change: (latest) => latest } }

export async function mayStart(work: StepWork, { current }: LifecycleRecord): Promise<Start> {
  const { run, step } = work
  if (step.optional && current.status === 'not_started') {
    const listed = await listedAt(work, 'optional')
    const answer = await askInStep(work, 'optional', () => qOptional(step, listed))
    if (answer === 'drift') return anew
    await listedSeen(work, 'optional')
    if (answer.value === 'skip') return { kind: 'leave', leave: await skip(work, answer.text ?? '') }
  }
  if ((await run.step('needs-brief', () => needsBrief(work))) && (await askBrief(work)) === 'drift')
    return anew
  if (!isDeploy(work)) return { kind: 'go', prepareOnly: false }
  const listed = await listedAt(work, 'deploy')
  const answer = await askInStep(work, 'deploy', () => qDeploy(step, listed))
  if (answer === 'drift') return anew
  await listedSeen(work, 'deploy')
  const at = await clock(work, 'deploy')
  const prepareOnly = answer.value === 'prepare'
  await run.update('deploy', ({ text }) => ({
    text: decided(
      text,
      at,
      'Q-DEPLOY',
      `${step.id} ${step.name}: ${prepareOnly ? 'prepare only' : 'deploy'}`,
    ),
  }))
  return { kind: 'go', prepareOnly }
}

/** A skipped row counts like a completed one, and is committed like it. */
export async function skip(work: StepWork, reason: string): Promise<Leave> {
  const { run, flow, step, index } = work
  const at = await clock(work, 'skipped')
  await run.step('commit-skipped', () => notePending(work, `[autopilot] Step ${step.id}: ${step.name}`))
  return leaving(work, ({ text }) => ({
    text: stepEnded(text, flow, index, { at, outcome: `skipped: ${reason}` }),
  }))
}

const isDeploy = ({ step }: StepWork) => step.name === 'Deploy' || step.skill === 'deploy'

/** The first step of a new product, and of each loop. */
function needsBrief(work: StepWork): boolean {
  return takesBrief(work) && briefOf(work.run.state.text) === undefined
}

async function askBrief(work: StepWork): Promise<'drift' | undefined> {
  const { run, step } = work
  let problem: string | undefined
  for (let round = 1; ; round += 1) {
    const about = problem
    const answer = await askInStep(work, `brief-${round}`, () => qBrief(step, about))
    if (answer === 'drift') return 'drift'
    const said = (answer.text ?? '').trim()
    const isFile = answer.value === 'file'
    const there = isFile
      ? await run.step(`brief-file-${round}`, () => isProjectFile(work, said))
      : said !== ''
    if (!there) {
      problem = isFile ? `There is no file ${said} in this project.` : 'Nothing was said.'
      continue
    }
    const at = await clock(work, 'brief')
    await run.update('brief', ({ text }) => ({
      text: decided(text, at, 'Q-BRIEF', isFile ? `the file ${said}` : said),
    }))
    return undefined
  }
}
