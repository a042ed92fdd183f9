import { relative } from 'node:path'
import { parseDocument } from 'yaml'
import { yamlDepthFault } from '../../../documents/yaml.js'
import { lookup } from '../../../lookup.js'
import { readPlain } from '../../../project/snapshot/plain-read.js'
import { docsDir, usualStateFile } from '../places.js'
import { builtInFlows } from './built-in.js'
import { flowPaths, missing } from './paths.js'
import { type Flow, type FlowFile, type FlowStep, flowFileSchema } from './schema.js'

export type { Detector, Flow, FlowStep } from './schema.js'

// Where the flows of a project come from (docs/lifecycle.md, "Flow files").

export { docsDir }
export const builtInSource = 'built in'

/** The flows in force, each with the file that it comes from. */
export interface Flows {
  flows: Readonly<Record<string, Flow & { source: string }>>
  statePath: string
  maxAutoRetries: number
  planDoneMarker: 'strict' | 'loose'
  batch: { maxTasks: number; maxPoints: number }
  /** Files that were read, as they are shown; the built-in data alone where it is empty. */
  sources: string[]
}

/** A flow file that cannot be used, and what is wrong in it. */
export interface BrokenFlows {
  path: string
  lines: string[]
}

export type FlowReading = { flows: Flows; broken: BrokenFlows[] }

const largestFile = 256 * 1024

/** Reads all flow files. A broken one is told, and its flows and settings do not count. */
export async function readFlows(root: string, flag?: string): Promise<FlowReading> {
  const broken: BrokenFlows[] = []
  const found: { shown: string; file: FlowFile }[] = []
  for (const { path, required } of flowPaths(root, flag)) {
    const shown = shownPath(root, path)
    const bytes = await readPlain(path)
    if (bytes === undefined) {
      const code = await missing(path)
      if (required || code === undefined)
        broken.push({ path: shown, lines: [`It cannot be read (${code ?? 'it is no regular file'}).`] })
      continue
    }
    const read = parseFlowFile(bytes.toString('utf8'))
    if ('lines' in read) broken.push({ path: shown, lines: read.lines })
    else found.push({ shown, file: read.file })
  }
  return { flows: merged(found), broken }
}

function shownPath(root: string, path: string): string {
  const inside = relative(root, path)
  return inside.startsWith('..') ? path : inside
}

/** A flow file as data, or what is wrong in it, with lines where they are known. Pure. */
export function parseFlowFile(text: string): { file: FlowFile } | { lines: string[] } {
  if (text.length > largestFile) return { lines: [`It is longer than ${largestFile} characters.`] }
  const deep = yamlDepthFault(text)
  if (deep) return { lines: [`Line ${deep.line}: ${deep.fault}`] }
  const document = parseDocument(text, { maxAliasCount: 0 } as never)
  if (document.errors.length > 0)
    return {
      lines: document.errors.slice(0, 5).map(({ message, linePos }) => {
        const line = linePos?.[0].line
        return `${line === undefined ? '' : `Line ${line}: `}${message.split('\n')[0] ?? ''}`
      }),
    }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    return { lines: [error instanceof Error ? error.message : String(error)] }
  }
  const parsed = flowFileSchema.safeParse(value)
  if (parsed.success) return { file: parsed.data }
  const lineOf = (path: readonly PropertyKey[]) => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true) as
        | { range?: [number, number, number] }
        | undefined
      if (node?.range) return text.slice(0, node.range[0]).split('\n').length
    }
    return 1
  }
  return {
    lines: parsed.error.issues
      .slice(0, 5)
      .map(
        ({ path, message }) =>
          `Line ${lineOf(path)}: ${path.map(String).join('.') || 'the file'}: ${message}`,
      ),
  }
}

/** The first hit wins, flow by flow and setting by setting; a flow is replaced as a whole. */
function merged(found: readonly { shown: string; file: FlowFile }[]): Flows {
  const flows = new Map<string, Flow & { source: string }>()
  const files = [...found, { shown: builtInSource, file: builtInFlows as FlowFile }]
  for (const { shown, file } of files)
    for (const [name, flow] of Object.entries(file.flows))
      if (!flows.has(name)) flows.set(name, { ...flow, source: shown })
  const first = <Key extends keyof FlowFile>(key: Key) =>
    files.find(({ file }) => file[key] !== undefined)?.file[key]
  const batches = files.flatMap(({ file }) => file.batch ?? [])
  return {
    flows: lookup(Object.fromEntries(flows)),
    statePath: first('statePath') ?? usualStateFile,
    maxAutoRetries: first('maxAutoRetries') ?? 3,
    planDoneMarker: first('planDoneMarker') ?? 'strict',
    batch: {
      maxTasks: batches.find((batch) => batch.maxTasks !== undefined)?.maxTasks ?? 4,
      maxPoints: batches.find((batch) => batch.maxPoints !== undefined)?.maxPoints ?? 20,
    },
    sources: found.map(({ shown }) => shown),
  }
}

/** The flows that come with the program, for readings without a project. */
export const onlyBuiltIn: Flows = merged([])

/** What the summary says of where a flow comes from. */
export function sourceText(flows: Flows, flow: string): string {
  return flows.flows[flow]?.source ?? builtInSource
}

/** Place of a step in its flow by its id; -1 where there is none. */
export function indexOfStep(flow: Flow, id: string): number {
  return flow.steps.findIndex((step) => step.id === id)
}

/** The step that is meant by number and name: the name where it is unique in the flow, else the number. */
export function resolveStep(
  flow: Flow,
  id: string,
  name: string,
): { index: number; byName: number; byNumber: number } {
  const named = flow.steps.flatMap((step, index) => (step.name === name ? [index] : []))
  const byNumber = indexOfStep(flow, id)
  const [only, ...others] = named
  const unique = only !== undefined && others.length === 0 ? only : -1
  // Of several steps of one name the number says which is meant.
  const byName = unique >= 0 ? unique : named.includes(byNumber) ? byNumber : -1
  return { index: byName >= 0 ? byName : byNumber, byName: named.length === 0 ? -1 : byName, byNumber }
}

/** Place of the current step of a state file; the length of the flow behind the last one, -1 where there is none. */
export function indexOfCurrent(
  flow: Flow,
  { step, name }: { step: string | number | null; name: string },
): number {
  return String(step) === 'done' ? flow.steps.length : resolveStep(flow, String(step ?? ''), name).index
}

export function stepText(step: Pick<FlowStep, 'id' | 'name'>): string {
  return `${step.id} ${step.name}`
}
