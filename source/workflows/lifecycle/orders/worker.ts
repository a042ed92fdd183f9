import type { AgentEvent } from '../../../agents/agent.js'
import type { ExpectedBooks } from '../../../documents/lifecycle-books.js'
import { setCurrent } from '../../../documents/lifecycle-edit.js'
import { judgeWorkerEdit } from '../../../documents/lifecycle-merge.js'
import { readLifecycleState, subStepOf } from '../../../documents/lifecycle-state.js'
import { saysNothing } from '../../../documents/says-something.js'
import { readText } from '../../../project/text-files.js'
import type { TaskView } from '../../../view/view.js'
import { lastWords, reasonOr } from '../../dispatch/last-words.js'
import { dispatchPersona } from '../../dispatch/persona.js'
import { watchTasks } from '../../dispatch/task-watch.js'
import type { FlowStep } from '../flow/flow.js'
import { lifecycleGrounds } from '../grounds.js'
import { workerPrompt } from '../personas/lifecycle-worker.js'
import { personas } from '../personas/personas.js'
import { qTouched } from '../questions/edits.js'
import { type StepResult, stepResult } from '../results.js'
import { decided, isOwnNote, sessionEnded } from '../state/changes.js'
import { decisionLog } from '../state/raises.js'
import { clock, type StepWork } from '../work.js'
import { briefFields, type OrderFacts, orderOf } from './order.js'
import { taskFilesOfStep } from './step-tasks.js'
import { subStepTasks } from './sub-step-tasks.js'
import { continued, readThread, type Thread, writeThread } from './thread.js'

/** One dispatch of the worker, and what it left in the state file (docs/lifecycle.md, "The worker"). */
export async function runWorker(
  work: StepWork,
  key: string,
  facts: Omit<OrderFacts, 'thread'>,
): Promise<StepResult> {
  const { run, tools, step, index } = work
  const thread = (await run.step(`${key}-thread`, () => readThread(work))) as Thread
  const order = orderOf(work, run.state.text, { ...facts, thread })
  const subSteps = liveSubSteps(work)
  const stopWatching = watchTasks(subSteps.look, (tasks) => run.tasks(tasks))
  const retry = facts.retry.attempt
  try {
    const done = await dispatchPersona(
      {
        run,
        tools,
        workflow: 'lifecycle',
        personas,
        decisions: decisionLog,
        grounds: lifecycleGrounds(work),
      },
      key,
      {
        persona: 'lifecycle-worker',
        title: `Step ${step.id}: ${step.name}${retry === 0 ? '' : ` (retry ${retry}/${tools.flows.maxAutoRetries})`}`,
        failedTitle: `Step ${step.id} ${step.name}: the worker did not come to an end`,
        phase: { id: step.id, number: index + 1 },
        attempt: order.attempt,
        access: 'full',
        ...(thread.fresh || thread.conversation === undefined ? {} : { conversation: thread.conversation }),
        prompt: (begin) => workerPrompt(order, begin),
        brief: briefFields(order),
        expects: stepResult,
        event: subSteps.take,
        ended: (at, reported) => settleEdit(work, at, reported),
        full: (at) => contextFull(work, at),
        remaining: () => remainingWork(step, run.state.text),
      },
    )
    stopWatching()
    const { result, sessionId } = done
    await run.step(`${key}-conversation`, () =>
      writeThread(work, continued(thread, `${step.id} ${step.name}`, result, sessionId)),
    )
    await settleSubStep(work, key, result)
    return result.status === 'failed' ? withReason(result, lastWords(done)) : result
  } finally {
    stopWatching()
  }
}

/** A failure with its cause: as it is told, else the worker's last words. */
function withReason(result: StepResult, words: string | undefined): StepResult {
  const told = [result.error, result.outcome].find((said = '') => !saysNothing(said))
  return { ...result, error: reasonOr(told, words) }
}

/**
 * What a try of the worker did to the state file: sub-step and additions stay, the rest is put back and asked about
 * (docs/lifecycle.md, "What a worker may change").
 */
async function settleEdit(work: StepWork, key: string, reported: StepResult | undefined): Promise<void> {
  const { run, tools, step } = work
  const { stateFile } = tools.place
  const {
    before,
    found,
    at: foundAt,
    gone,
  } = await run.step(`${key}-found`, async () => {
    const { text: saved } = run.state
    const now = await readText(tools, stateFile)
    const gone = now === undefined ? { gone: true as const } : {}
    return { before: saved, found: now ?? saved, at: tools.now().toISOString(), ...gone }
  })
  if (found === before && !gone) return
  // Journals of before do not have the time.
  const expected = reported && foundAt ? expectedBooks(work, reported, foundAt) : undefined
  const edit = judgeWorkerEdit(before, found, expected)
  const { text, touched } = gone ? { text: before, touched: [`${stateFile} was deleted.`] } : edit
  // First the file as it is becomes ours, then what of it may stay.
  await run.update(`${key}-seen`, (latest) => latest)
  await run.update(`${key}-judged`, () => ({ text }))
  if (touched.length === 0) return
  const answer = await run.ask(`${key}-touched`, qTouched(step, touched.slice(0, 30)))
  if (answer.value === 'put-back') return
  const at = await clock(work, `${key}-touched`)
  const what = `accepted of lifecycle-worker (${step.id} ${step.name}): ${stateFile}`
  await run.update(`${key}-kept`, () => ({
    text: answer.value === 'accept' ? decided(found, at, 'Q-TOUCHED', what) : found,
  }))
}

/** What the program would enter into the file, if it is as the worker reports. */
function expectedBooks({ flow, step, index }: StepWork, { status }: StepResult, at: string): ExpectedBooks {
  const next = flow.steps[index + 1]
  const day = (shift: number) => new Date(Date.parse(at) + shift * 86_400_000).toISOString().slice(0, 10)
  return {
    step,
    next,
    ended: status,
    boundary: step.boundaryAfter === true && next !== undefined,
    days: [day(-1), day(0), day(1)],
    isOwnNote,
  }
}

/** The step goes on in another conversation, and Last Session says why (docs/lifecycle.md, "Conversations"). */
async function contextFull(work: StepWork, key: string): Promise<void> {
  const at = await clock(work, `${key}-full`)
  await work.run.update(`${key}-full`, ({ text }) => ({
    text: sessionEnded(text, work.step, { at, reason: 'context limit' }),
  }))
}

/** Sub-steps that are over and those that are left, as far as the state file says. */
function remainingWork({ subSteps = [] }: FlowStep, text: string): string {
  const { subStep } = readLifecycleState(text).current
  const tasks = subStepTasks(subSteps, subStep)
  const named = (status: TaskView['status']) =>
    tasks.filter((task) => task.status === status).map(({ title }) => title)
  return [
    ...named('complete').map((title) => `- done: ${title}`),
    ...named('in_progress').map((title) => `- under way: ${title}`),
    ...named('pending').map((title) => `- to do: ${title}`),
    'What lies in the folders says how far it has come.',
  ].join('\n')
}

/** Where the worker says that it is. */
async function settleSubStep({ run }: StepWork, key: string, { subStep }: StepResult): Promise<void> {
  const told = await run.step(`${key}-told`, () => {
    const now = readLifecycleState(run.state.text).current.subStep
    return subStep && (subStep.id !== now?.id || subStep.name !== now.name) ? subStep : null
  })
  if (told) await run.update(`${key}-sub-step`, ({ text }) => ({ text: setCurrent(text, { subStep: told }) }))
}

/**
 * What the screen shows while the worker is at it: the tasks of a step that works through their files; else sub-steps, by
 * the plan that the worker tells, and by the state file. Of the two the one that moved last says where it is.
 */
function liveSubSteps({ run, tools, step }: StepWork) {
  let planned: TaskView[] | undefined
  let seen: string | undefined
  let isByFile = false
  const look = async (): Promise<TaskView[]> => {
    const text = (await readText(tools, tools.place.stateFile)) ?? run.state.text
    const { subStep } = readLifecycleState(text).current
    const now = JSON.stringify(subStep ?? null)
    if (seen !== undefined && seen !== now) isByFile = true
    seen = now
    const files = await taskFilesOfStep(tools, step)
    if (files.length > 0) return files
    if (planned && !isByFile) return planned
    const known = planned?.map(({ id, title }) => ({ id, name: title })) ?? step.subSteps ?? []
    return subStepTasks(known, subStep)
  }
  const take = (event: AgentEvent): void => {
    if (event.type !== 'plan') return
    isByFile = false
    planned = event.items.map(({ text, status }, at) => ({
      ...namedSubStep(text, at),
      status: planStatus(status),
      retries: 0,
      facts: [],
    }))
  }
  return { look, take }
}

/** Id and title of a line of a worker's plan; its place where it has no id of its own. */
function namedSubStep(text: string, at: number): Pick<TaskView, 'id' | 'title'> {
  const found = subStepOf(text)
  if (found === undefined) return { id: String(at + 1), title: text }
  return { id: found.id, title: found.name === '' ? text : found.name }
}

function planStatus(status: string): TaskView['status'] {
  if (/^(?:completed?|done)$/i.test(status)) return 'complete'
  return /progress|active/i.test(status) ? 'in_progress' : 'pending'
}
