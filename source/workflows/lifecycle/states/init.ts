import { newLifecycleState } from '../../../documents/lifecycle-edit.js'
import type { Run } from '../../../run/run.js'
import { type Flows, stepText } from '../flow/flow.js'
import { settleFlows } from '../opening/entry-checks.js'
import { prepareFiles } from '../opening/own-files.js'
import { qStart } from '../questions/position.js'
import { findings, firstOpen, type Position } from '../scan/detect.js'
import { evidenceLines } from '../scan/drift.js'
import { chooseFlow } from '../scan/flow-choice.js'
import { decided, movedTo } from '../state/changes.js'
import type { LifecycleState } from '../state/state.js'
import type { LifecycleTools } from '../tools.js'
import { clock, type LifecycleWork, look } from '../work.js'

/**
 * INIT: where a project without a state file stands, by its folders; the person agrees before anything is written
 * (docs/lifecycle.md, "Detection").
 */
export async function init(run: Run<LifecycleState>, tools: LifecycleTools): Promise<LifecycleState> {
  const work: LifecycleWork = { run, tools }
  await run.note('spec', tools.subject)
  await settleFlows(work, undefined)
  // What was shown is what is begun: the folders may change as long as the question is open.
  const { answer, subject: found } = await run.gate('start', async () => {
    const now = await detect(tools)
    const [first] = now
    return {
      subject: now,
      question: qStart({
        flow: first?.flow ?? '',
        step: first?.text ?? '',
        why: first?.why ?? '',
        others: now.slice(1).map(({ flow }) => flow),
        choose: first?.ask === true,
        looked: [...(first?.looked ?? []), ...(first?.lines ?? [])],
      }),
    }
  })
  const chosen = found.find(({ flow }) => answer.value === `flow:${flow}`) ?? found[0]
  if (!chosen) throw new Error('there is no flow at all')
  await run.step('own-files', () => prepareFiles(tools))
  const at = await clock(work, 'start')
  return { text: startText(tools, chosen.position as Position, at) }
}

interface Detected {
  flow: string
  ask: boolean
  why: string
  text: string
  position: Position
  looked: string[]
  lines: string[]
}

/** The flow that the signs speak for, then the others, each with the position that the folders give. */
async function detect(tools: LifecycleTools): Promise<Detected[]> {
  const { flows } = tools
  const listing = await look(tools)
  const choice = chooseFlow(flows, listing)
  const names = Object.keys(flows.flows)
  const order = [choice.flow, ...names.filter((name) => name !== choice.flow)].filter((name) =>
    names.includes(name),
  )
  return order.map((flow) => {
    const all = findings(flows, flow, listing, { rows: [], loopFrom: 0, rowsBefore: 0 })
    const position = firstOpen(flow, all)
    return {
      flow,
      ask: choice.ask,
      why: choice.why,
      text: beginText(flows, position),
      position,
      looked: choice.looked.map(
        ({ path, found, note }) => `${found ? 'found  ' : 'missing'} ${path}${note ? ` (${note})` : ''}`,
      ),
      lines: evidenceLines(all),
    }
  })
}

/** The step that the flow would begin at. */
function beginText(flows: Flows, { flow, index, status }: Position): string {
  const step = flows.flows[flow]?.steps[index]
  if (!step) return 'the end of the flow'
  return `step ${stepText(step)}${status === 'in_progress' ? ', which is under way' : ''}`
}

function startText(tools: LifecycleTools, position: Position, at: string): string {
  const flow = tools.flows.flows[position.flow]
  const [first] = flow?.steps ?? []
  const fresh = newLifecycleState(position.flow, first?.id ?? '1', first?.name ?? '')
  const moved =
    position.index === 0 && position.status === 'not_started'
      ? fresh
      : movedTo(fresh, tools.flows, position, at)
  return decided(moved, at, 'Q-START', `${position.flow}, from ${beginText(tools.flows, position)}`)
}
