import { basename, dirname } from 'node:path'
import { counted } from '../../counted.js'
import { type LifecycleRecord, readLifecycleState, subStepText } from '../../documents/lifecycle-state.js'
import { Problem } from '../../problem.js'
import { readRegularText } from '../../storage/read-file.js'
import type { Inspected } from '../workflow.js'
import { type Flows, readFlows, sourceText } from './flow/flow.js'
import { otherStateFiles } from './opening/entry-checks.js'
import { docsDir, readSettings } from './places.js'
import { type Finding, findings, firstOpen, type Position } from './scan/detect.js'
import { askedFor } from './scan/detectors.js'
import { type Comparison, compare, evidenceLines, positionText } from './scan/drift.js'
import { chooseFlow } from './scan/flow-choice.js'
import { type Listing, listProject } from './scan/listing.js'
import { estimate, type TaskEstimate, taskFiles } from './scan/tasks.js'
import { statePathOf } from './state-path.js'

/** A project by its folders, its state file beside them. */
interface Look {
  flows: Flows
  statePath: string
  /** It is there and cannot be read. */
  isUnread: boolean
  record: LifecycleRecord | undefined
  flow: string
  /** Where the flow is in doubt. */
  ask: boolean
  why: string
  steps: readonly Finding[]
  position: Position
  comparison: Comparison | undefined
  tasks: { todo: number; done: number; test: TaskEstimate | undefined; product: TaskEstimate | undefined }
  looked: string[]
  /** Of the state file as a whole: that it cannot be read, or that there are others. */
  warnings: string[]
}

/**
 * How `_docs/` is read (docs/lifecycle.md, "Inspecting"): where its folders are, where its state file is, whether the two
 * agree, and what lies ahead. Undefined for any other folder; plain reads, nothing is written.
 */
export async function inspectProject(path: string): Promise<Inspected | undefined> {
  if (basename(path) !== docsDir) return undefined
  const found = await lookAt(dirname(path))
  return { json: jsonOf(found), lines: linesOf(found) }
}

async function lookAt(root: string): Promise<Look> {
  const { flowFile } = await readSettings(root)
  const { flows } = await readFlows(root, flowFile)
  const statePath = await statePathOf(root)
  const { text, unread } = await readStateFile(root, statePath)
  const others = await otherStateFiles(root, statePath)
  const record = text === undefined ? undefined : readLifecycleState(text)
  const listing = await listProject(root, askedFor(flows))
  const choice = chooseFlow(flows, listing)
  const comparison = record && flows.flows[record.current.flow] ? compare(flows, record, listing) : undefined
  const flow = comparison && record ? record.current.flow : choice.flow
  const isKnown = comparison !== undefined && comparison.findings.length > 0
  const steps = isKnown
    ? comparison.findings
    : findings(flows, flow, listing, { rows: record?.completed ?? [], loopFrom: 0, rowsBefore: 0 })
  return {
    flows,
    statePath,
    isUnread: unread !== undefined,
    record,
    flow,
    ask: !comparison && choice.ask,
    why: comparison ? `The state file says ${flow}.` : choice.why,
    steps,
    position: comparison?.folders ?? firstOpen(flow, steps),
    comparison,
    tasks: tasksOf(listing, flows),
    looked: choice.looked.map(
      ({ path, found, note }) => `${found ? 'found  ' : 'missing'} ${path}${note ? ` (${note})` : ''}`,
    ),
    warnings: [
      ...(unread === undefined ? [] : [unread]),
      ...others.map((path) => `${path} looks like a state file too; only ${statePath} is read.`),
    ],
  }
}

/** What is there and cannot be read is told, not taken for nothing. */
async function readStateFile(root: string, path: string): Promise<{ text?: string; unread?: string }> {
  try {
    const text = await readRegularText(path, { root })
    if (text?.includes('\uFFFD')) return { unread: `${path} cannot be read: it is not UTF-8.` }
    return text === undefined ? {} : { text }
  } catch (error) {
    if (error instanceof Problem) return { unread: error.what }
    throw error
  }
}

function tasksOf(listing: Listing, { batch }: Flows): Look['tasks'] {
  return {
    todo: taskFiles(listing, 'todo').length,
    done: taskFiles(listing, 'done').length,
    test: estimate(listing, 'test', batch),
    product: estimate(listing, 'product', batch),
  }
}

function placeOf({ flows }: Look, position: Position | undefined) {
  if (!position) return null
  const { flow, index, status, subStep } = position
  const step = flows.flows[flow]?.steps[index]
  return { flow, step: step?.id ?? 'done', name: step?.name ?? '', status, ...(subStep ? { subStep } : {}) }
}

function jsonOf(found: Look): unknown {
  const { flows, statePath, record, flow, ask, why, steps, position, comparison, tasks } = found
  const { conflicts: _, ...state } = record ?? {}
  const ahead = (all: TaskEstimate | undefined) =>
    all ? { tasks: all.tasks, points: all.points, batches: all.batches } : null
  return {
    kind: 'lifecycle-project',
    flow: { name: flow, ask, why, source: sourceText(flows, flow) },
    folders: placeOf(found, position),
    stateFile: record ? { path: statePath, ...state } : null,
    stateFileUnread: found.isUnread ? statePath : null,
    file: placeOf(found, comparison?.file),
    drift: comparison?.drift ?? null,
    nameDiffers: comparison?.nameDiffers !== undefined,
    warnings: found.warnings,
    tasks: {
      todo: tasks.todo,
      done: tasks.done,
      test: ahead(tasks.test),
      product: ahead(tasks.product),
      warnings: tasks.product?.warnings ?? [],
    },
    steps: steps.map(({ id, name, state: said, by, looked }) => ({
      step: id,
      name,
      state: said,
      by,
      looked,
    })),
  }
}

function linesOf(found: Look): string[] {
  const { flows, record, flow, ask, why, steps, position, comparison, tasks, looked } = found
  const sub = position.subStep ? `, sub-step ${subStepText(position.subStep)}` : ''
  const ahead = (name: string, all: TaskEstimate | undefined) =>
    all
      ? [
          `  ${name.padEnd(13)} ${counted(all.tasks, 'task')}, ${counted(all.points, 'point')}, ${counted(all.batches, 'batch', 'batches')} ahead`,
        ]
      : []
  const drift = comparison?.drift ? `  drift         the folders are ${comparison.drift}` : undefined
  return [
    'Project lifecycle',
    `  flow          ${flow}${ask ? ' (in doubt)' : ''}: ${why}`,
    `  folders       ${positionText(flows, position)}${sub}`,
    `  state file    ${stateFileText(found)}`,
    ...(drift === undefined ? [] : [drift]),
    `  task files    ${tasks.todo} to do, ${tasks.done} done`,
    ...ahead('test tasks', tasks.test),
    ...ahead('other tasks', tasks.product),
    ...list('Warnings', [...found.warnings, ...(record?.warnings ?? []), ...(tasks.product?.warnings ?? [])]),
    ...list('What the flow was told by', looked),
    ...list('What was looked at', evidenceLines(steps)),
  ]
}

function stateFileText({ flows, statePath, isUnread, record, comparison }: Look): string {
  if (isUnread) return `${statePath} cannot be read, see the warnings`
  if (!record) return 'none'
  return comparison?.file ? positionText(flows, comparison.file) : `${statePath} does not say where it stands`
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `  ${item}`)]
}
