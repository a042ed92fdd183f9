import type { AgentEvent } from '../../../agents/agent.js'
import { setCurrent } from '../../../documents/lifecycle-edit.js'
import { judgeWorkerEdit } from '../../../documents/lifecycle-merge.js'
import { readLifecycleState, type SubStep, subStepOf } from '../../../documents/lifecycle-state.js'
import { readText } from '../../../project/text-files.js'
import type { TaskView } from '../../../view/view.js'
import { dispatchPersona } from '../../dispatch/persona.js'
import { watchTasks } from '../../dispatch/task-watch.js'
import { lifecycleGrounds } from '../grounds.js'
import { workerPrompt } from '../personas/lifecycle-worker.js'
import { personas } from '../personas/personas.js'
import { qTouched } from '../questions.js'
import { type StepResult, stepResult } from '../results.js'
import { decisionLog } from '../state/raises.js'
import type { StepWork } from '../work.js'
import { briefFields, type OrderFacts, orderOf } from './order.js'
import { continued, readThread, type Thread, writeThread } from './thread.js'

/** One dispatch of the worker, and what it left in the state file (docs/lifecycle.md, "The worker"). */
export async function runWorker(
  work: StepWork,
  key: string,
  facts: Omit<OrderFacts, 'thread'>,
): Promise<StepResult> {
  const { run, tools, step, index } = work
  const thread = (await run.step(`${key}-thread`, () => readThread(work))) as Thread
  const before = await run.step(`${key}-text`, () => run.state.text)
  const order = orderOf(work, before, { ...facts, thread })
  const subSteps = liveSubSteps(work, before)
  const stopWatching = watchTasks(subSteps.look, (tasks) => run.tasks(tasks))
  const retry = facts.retry.attempt
  try {
    const { result, sessionId } = await dispatchPersona(
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
      },
    )
    stopWatching()
    await run.step(`${key}-conversation`, () =>
      writeThread(work, continued(thread, `${step.id} ${step.name}`, result, sessionId)),
    )
    await settleEdit(work, key, before, result)
    return result
  } finally {
    stopWatching()
  }
}

/** What the worker did to the state file: sub-step and additions stay, the rest is asked about. */
async function settleEdit(work: StepWork, key: string, before: string, result: StepResult): Promise<void> {
  const { run, tools } = work
  const { stateFile } = tools.place
  const found = await run.step(`${key}-found`, async () => (await readText(tools, stateFile)) ?? before)
  const { text, touched } = judgeWorkerEdit(before, found)
  let next = text
  if (touched.length > 0) {
    const answer = await run.ask(`${key}-touched`, qTouched(touched.slice(0, 30)))
    if (answer.value === 'keep') next = found
  }
  const told = result.subStep
  const moved = told ? setCurrent(next, { subStep: { id: told.id, name: told.name } }) : next
  if (found === before && moved === before) return
  // First the file as it is becomes ours, then what of it may stay.
  await run.update(`${key}-seen`, (latest) => latest)
  await run.update(`${key}-judged`, () => ({ text: moved }))
}

/** Sub-steps as the screen shows them while the worker is at it: by the state file, and by the plan it tells. */
function liveSubSteps({ tools, step }: StepWork, before: string) {
  let planned: TaskView[] | undefined
  const look = async (): Promise<TaskView[]> => {
    if (planned) return planned
    const text = (await readText(tools, tools.place.stateFile)) ?? before
    return subStepTasks(step.subSteps ?? [], readLifecycleState(text).current.subStep)
  }
  const take = (event: AgentEvent): void => {
    if (event.type !== 'plan') return
    planned = event.items.map(({ text, status }, at) => ({
      id: subStepOf(text)?.id ?? String(at + 1),
      title: text,
      status: planStatus(status),
      retries: 0,
      facts: [],
    }))
  }
  return { look, take }
}

function planStatus(status: string): TaskView['status'] {
  if (/^(?:completed?|done)$/i.test(status)) return 'complete'
  return /progress|active/i.test(status) ? 'in_progress' : 'pending'
}

/** The known sub-steps with the current one among them; those before it are done. */
export function subStepTasks(known: readonly SubStep[], current: SubStep | undefined): TaskView[] {
  const at = known.findIndex(({ id }) => id === current?.id)
  const all = current && at === -1 ? [...known, current] : known
  const place = at === -1 ? all.length - 1 : at
  return all.map(({ id, name }, index) => ({
    id,
    title: name === '' ? id : name,
    status: !current
      ? 'pending'
      : index === place
        ? 'in_progress'
        : at !== -1 && index < place
          ? 'complete'
          : 'pending',
    retries: 0,
    facts: [],
  }))
}
