import { counted } from '../../../counted.js'
import { setCurrent } from '../../../documents/lifecycle-edit.js'
import { stepIdOf } from '../../../documents/lifecycle-state.js'
import { saysSomething } from '../../../documents/says-something.js'
import { readText } from '../../../project/text-files.js'
import type { Run } from '../../../run/run.js'
import { withListed } from '../../evidence/questions.js'
import { resolveStep } from '../flow/flow.js'
import { askInStep, enter } from '../opening/entry-checks.js'
import { beginStep, notePending } from '../opening/pending-commit.js'
import { endThread } from '../orders/thread.js'
import { qBlocked } from '../questions/begin.js'
import { qBoundary, qLoop } from '../questions/ends.js'
import { qName, qTold, qUnclear } from '../questions/position.js'
import { findings, firstOpen, type Position } from '../scan/detect.js'
import { evidenceLines, positionText } from '../scan/drift.js'
import { chooseFlow } from '../scan/flow-choice.js'
import type { Listing } from '../scan/listing.js'
import { knownOf } from '../scan/rows.js'
import { estimate, rowsWithoutFile, taskFiles } from '../scan/tasks.js'
import {
  atStep,
  begun,
  boundaryTitle,
  decided,
  movedTo,
  nextLoop,
  stepEnded,
  stepReset,
} from '../state/changes.js'
import { type LifecycleState, recordOf } from '../state/state.js'
import { summaryLines } from '../summary.js'
import type { LifecycleTools } from '../tools.js'
import { clock, type Leave, type LifecycleWork, leaving, look, type StepWork, stepWork } from '../work.js'
import { listedAt, listedSeen } from './listed.js'
import { skip } from './start-gates.js'

// The states around a step (docs/lifecycle.md, "States").

/** BOUNDARY: what lies ahead, and whether it begins in a fresh conversation. */
export async function boundary(
  state: LifecycleState,
  run: Run<LifecycleState>,
  tools: LifecycleTools,
): Promise<Leave> {
  const elsewhere = await enter({ run, tools }, state)
  if (elsewhere) return elsewhere
  const work = stepWork(state, { run, tools })
  const before = work.flow.steps[work.index - 1] ?? work.step
  const listed = await listedAt(work, 'boundary')
  const answer = await askInStep(work, 'boundary', async () =>
    qBoundary({
      title: boundaryTitle(before),
      lines: [...(await aheadLines(work)), ...withListed(listed)],
    }),
  )
  if (answer === 'drift') return { change: (latest) => latest }
  await listedSeen(work, 'boundary')
  if (answer.value === 'A') await run.step('fresh', () => endThread(work))
  const at = await clock(work, 'boundary')
  const said = answer.value === 'A' ? 'A, a new conversation' : 'B, the same conversation'
  return leaving(work, ({ text }) => ({
    text: decided(begun(text), at, 'Q-BOUNDARY', `${said} for ${work.step.id} ${work.step.name}`),
  }))
}

/** Files of open tasks that do not say what is to be done. */
async function wordless(tools: LifecycleTools, listing: Listing): Promise<string[]> {
  const files = taskFiles(listing, 'todo').slice(0, 200)
  const realOf = new Map(listing.docs.map(({ path, real = path }) => [path, real]))
  const texts = await Promise.all(
    files.map((path) => readText(tools, realOf.get(path) ?? path).catch(() => undefined)),
  )
  const empty = files.filter((_, at) => !saysSomething(texts[at] ?? ''))
  return empty
    .map((path) => `${path} has nothing in it but headings or places for what is to come.`)
    .slice(0, 5)
}

async function aheadLines({ tools, step }: StepWork): Promise<string[]> {
  const kind = /\btests?\b/i.test(step.name) ? 'test' : 'product'
  const listing = await look(tools)
  const ahead = estimate(listing, kind, tools.flows.batch)
  if (!ahead)
    return [`Next: ${step.id} ${step.name}`, 'There is no dependencies table, so nothing can be estimated.']
  return [
    `Next: ${step.id} ${step.name}`,
    `Tasks: ${ahead.tasks}`,
    `Estimated batches: ${ahead.batches}`,
    `Complexity points: ${ahead.points}`,
    ...ahead.warnings,
    ...rowsWithoutFile(listing),
    ...(await wordless(tools, listing)),
  ]
}

/** BLOCKED: a failed step starts nothing. The person resets it, skips it where that may be, or stops. */
export async function blocked(
  state: LifecycleState,
  run: Run<LifecycleState>,
  tools: LifecycleTools,
): Promise<Leave> {
  const elsewhere = await enter({ run, tools }, state)
  if (elsewhere) return elsewhere
  const work = stepWork(state, { run, tools })
  await run.step('baseline', () => beginStep(work))
  const { answer } = await run.gate('blocked', async () => ({
    subject: null,
    question: qBlocked({
      step: work.step,
      lines: blockedLines(work, run.state),
      evidence: await evidenceOf(work, run.state),
    }),
  }))
  const at = await clock(work, 'blocked')
  const where = `${work.step.id} ${work.step.name}`
  if (answer.value === 'skip') {
    await run.update('unblocked', ({ text }) => ({
      text: stepReset(decided(text, at, 'Q-BLOCKED', `skip ${where}`)),
    }))
    // It is a step like any other again, and skipped as one.
    return skip({ ...work, stateName: 'STEP' }, answer.text ?? '')
  }
  return leaving(work, ({ text }) => ({ text: stepReset(decided(text, at, 'Q-BLOCKED', `reset ${where}`)) }))
}

function blockedLines({ tools }: StepWork, state: LifecycleState): string[] {
  const { current, blockers, retryLog } = recordOf(state)
  const most = tools.flows.maxAutoRetries
  return [
    ...blockers.map((line) => `Blocker: ${line}`),
    ...(current.retryCount < most
      ? [
          `It is called failed after ${current.retryCount} of ${counted(most, 'retry', 'retries')}: somebody stopped it.`,
        ]
      : []),
    ...retryLog.map(({ attempt, reason, timestamp }) => `Retry ${attempt}: ${reason} (${timestamp})`),
  ]
}

async function evidenceOf({ tools, flowName, index }: StepWork, state: LifecycleState): Promise<string[]> {
  const all = findings(
    tools.flows,
    flowName,
    await look(tools),
    knownOf(tools.flows, flowName, recordOf(state)),
  )
  const found = all[index]
  return found ? evidenceLines([found]) : []
}

/** LOOP: behind the last step. Another loop, or the end until next time. */
export async function loop(
  state: LifecycleState,
  run: Run<LifecycleState>,
  tools: LifecycleTools,
): Promise<Leave> {
  const work: LifecycleWork = { run, tools }
  const elsewhere = await enter(work, state)
  if (elsewhere) return elsewhere
  const answer = await askInStep(work, 'loop', () =>
    qLoop(summaryLines(state, tools.flows, tools.place.stateFile)),
  )
  if (answer === 'drift') return { change: (latest) => latest }
  if (answer.value === 'close') return { change: (latest) => latest, finished: true }
  const at = await clock(work, 'loop')
  await run.step('fresh', () => endThread(work))
  return { change: ({ text }) => ({ text: nextLoop(text, tools.flows, at) }) }
}

/** POSITION: number, name, status or flow are not to be trusted; the person says where to go on. */
export async function position(
  state: LifecycleState,
  run: Run<LifecycleState>,
  tools: LifecycleTools,
): Promise<Leave> {
  const work: LifecycleWork = { run, tools }
  const elsewhere = await enter(work, state, { withDrift: false })
  if (elsewhere) return elsewhere
  const { current } = recordOf(state)
  const flow = tools.flows.flows[current.flow]
  if (!flow) return unclear(work, state)
  const { index, byName, byNumber } = resolveStep(flow, String(current.step ?? ''), current.name)
  if (index === -1) return unclear(work, state)
  if (byName === byNumber) return over(work, state)
  const [named, numbered] = [flow.steps[byName], flow.steps[byNumber]]
  const text = (step: { id: string; name: string } | undefined) => step && `${step.id} ${step.name}`
  const about = {
    number: String(current.step ?? ''),
    name: current.name,
    byName: text(named),
    byNumber: text(numbered),
  }
  const answer = await run.ask('name', qName(about))
  const at = await clock(work, 'name')
  const chosen = answer.value === 'name' ? named : numbered
  if (!chosen) throw new Error('neither number nor name is of a step')
  return {
    change: (latest) => ({
      text: decided(
        setCurrent(latest.text, { step: stepIdOf(chosen.id), name: chosen.name }),
        at,
        'Q-NAME',
        `${answer.value}, ${chosen.id} ${chosen.name}`,
      ),
    }),
  }
}

/** Completed or skipped as the status of the current step, or a status that nobody knows. */
async function over({ run, tools }: LifecycleWork, state: LifecycleState): Promise<Leave> {
  const work = stepWork(state, { run, tools })
  const { status } = recordOf(state).current
  const { flow, index, step } = work
  if (status !== 'completed' && status !== 'skipped') return unclear(work, state)
  await run.step('baseline', () => beginStep(work))
  const lines = await run.step('told-evidence', () => evidenceOf(work, state))
  const answer = await run.ask('told', qTold(step, status, lines))
  if (answer.value === 'retry') return leaving(work, ({ text }) => ({ text: atStep(text, flow, index) }))
  const at = await clock(work, 'told')
  await run.step('commit-told', () => notePending(work, `[autopilot] Step ${step.id}: ${step.name}`))
  const outcome = status === 'skipped' ? 'skipped: told by the state file' : 'told by the state file'
  return leaving(work, ({ text }) => ({ text: stepEnded(text, flow, index, { at, outcome }) }))
}

interface Place {
  value: string
  text: string
  to: Position
}

async function unclear(work: LifecycleWork, state: LifecycleState): Promise<Leave> {
  const { run, tools } = work
  const record = recordOf(state)
  const { current } = record
  const places = await run.step('places', () => placesOf(work, state))
  const said = [
    `flow: ${current.flow === '' ? 'none' : current.flow}${tools.flows.flows[current.flow] ? '' : ' (there is no such flow)'}`,
    `step: ${current.step ?? 'none'} ${current.name}`,
    `status: ${current.status === '' ? 'none' : current.status}`,
    ...record.warnings.slice(0, 10),
  ]
  const answer = await run.ask(
    'unclear',
    qUnclear({ lines: said, places: [...places.list], looked: [...places.looked] }),
  )
  const at = await clock(work, 'unclear')
  const chosen = places.list.find(({ value }) => value === answer.value) as Place | undefined
  if (!chosen) throw new Error('no place was chosen')
  return {
    change: ({ text }) => {
      const to = chosen.to
      const flow = tools.flows.flows[to.flow]
      // A step of the same flow that cannot be found passes over nothing.
      const moved = flow
        ? movedTo(setCurrent(text, { flow: to.flow, step: idAt(flow.steps, to.index) }), tools.flows, to, at)
        : text
      return { text: decided(moved, at, 'Q-DRIFT', `folders (${chosen.text}; file: unclear)`) }
    },
  }
}

function idAt(steps: readonly { id: string }[], index: number) {
  return stepIdOf(steps[Math.min(index, steps.length - 1)]?.id ?? '1')
}

/** Where the folders are in the flow of the file, or in each flow where it names none. */
async function placesOf(
  { tools }: LifecycleWork,
  state: LifecycleState,
): Promise<{ list: Place[]; looked: string[] }> {
  const record = recordOf(state)
  const listing = await look(tools)
  const { flows } = tools
  const first = flows.flows[record.current.flow] ? record.current.flow : chooseFlow(flows, listing).flow
  const names = flows.flows[record.current.flow]
    ? [first]
    : [first, ...Object.keys(flows.flows).filter((name) => name !== first)]
  const list = names.map((name) => {
    const to = firstOpen(name, findings(flows, name, listing, knownOf(flows, name, record)))
    return { value: `flow:${name}`, text: positionText(flows, to), to }
  })
  return { list, looked: evidenceLines(findings(flows, first, listing, knownOf(flows, first, record))) }
}
