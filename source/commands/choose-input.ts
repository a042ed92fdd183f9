import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closest } from '../closest.js'
import { Problem } from '../problem.js'
import { toRepoPath } from '../project/paths.js'
import { readPlain } from '../project/snapshot/plain-read.js'
import { type GivenFlags, typedFlag } from '../workflows/flags.js'
import {
  certainties,
  type Input,
  type Recognition,
  type Registry,
  type WorkflowEntry,
} from '../workflows/workflow.js'
import { commandTable } from './command-table.js'
import { closestPath } from './did-you-mean.js'

/** What to work on: a subject, and the workflow that it is for. */
export interface Chosen {
  entry: WorkflowEntry
  subject: string
}

const largestText = 20 * 1024 * 1024

/** What a person named, and from where. */
export interface Typed {
  typed: string
  cwd: string
  /** The list of what there is to choose from is on the screen. */
  isBesideList?: boolean
}

/** The workflow that is surest to take what a person named. Throws a Problem where none does. */
export async function chooseInput(entries: Registry, root: string, named: Typed): Promise<Chosen> {
  const input = await lookAt(root, toRepoPath(root, named.typed, named.cwd))
  const chosen = await recogniseInput(entries, root, input)
  if (chosen) return chosen
  throw await nobodyTakes(named, input)
}

/** True where some workflow takes what a person named. Throws what a workflow has against it. */
export async function isTaken(entries: Registry, root: string, typed: string, cwd: string): Promise<boolean> {
  const input = await lookAt(root, toRepoPath(root, typed, cwd))
  return (await recogniseInput(entries, root, input)) !== undefined
}

async function recogniseInput(entries: Registry, root: string, input: Input): Promise<Chosen | undefined> {
  let best: { chosen: Chosen; rank: number } | undefined
  for (const entry of entries) {
    const finder = await entry.finder()
    const recognition: Recognition | undefined = await finder.recognise(input, { root })
    const rank = recognition ? certainties.indexOf(recognition.certainty) : -1
    if (recognition && rank > (best?.rank ?? -1))
      best = { chosen: { entry, subject: recognition.subject }, rank }
  }
  return best?.chosen
}

async function lookAt(root: string, path: string): Promise<Input> {
  const absolute = join(root, path)
  const info = await stat(absolute).catch(() => undefined)
  if (info?.isDirectory()) return { path, kind: 'folder' }
  if (!info?.isFile()) return { path, kind: 'missing' }
  if (info.size > largestText) return { path, kind: 'file' }
  const text = (await readPlain(absolute))?.toString('utf8')
  return { path, kind: 'file', ...(text === undefined ? {} : { text }) }
}

async function nobodyTakes({ typed, cwd, isBesideList = false }: Typed, input: Input): Promise<Problem> {
  const list = isBesideList
    ? 'choose what is in the list'
    : 'start autopilot without one to choose from a list'
  const missing = input.kind === 'missing'
  return new Problem({
    code: 'usage',
    what: missing ? `There is no spec at ${typed}.` : `${typed} is not a file.`,
    why: 'A run works through the phases of a spec file.',
    todo:
      (missing ? await meantInstead(typed, cwd) : undefined) ??
      `Give the path of an approved spec, or ${list}.`,
  })
}

/** The command or path that a mistyped word probably stands for. */
async function meantInstead(typed: string, cwd: string): Promise<string | undefined> {
  const names = commandTable.map(({ name }) => name).filter((name) => name !== '')
  const command = /^[a-z]+$/i.test(typed) ? closest(typed, names) : undefined
  if (command !== undefined) return `Did you mean the command: autopilot ${command}`
  const path = await closestPath(cwd, typed)
  return path && `Did you mean ${path}?`
}

/** Throws a Problem ('usage') for a flag that another workflow takes, and for flags that exclude each other. */
export function checkFlags(entry: WorkflowEntry, registry: Registry, given: GivenFlags): void {
  for (const name of Object.keys(given)) {
    if (name in entry.flags) continue
    const owners = registry.filter((other) => name in other.flags).map((other) => other.name)
    throw foreignFlag(name, owners, entry.name)
  }
  entry.checkFlags?.(given)
}

/** The same before a workflow is chosen: flags that no workflow can take together are told before the screen opens. */
export function checkFlagsEarly(registry: Registry, given: GivenFlags): void {
  const takers = registry.filter((entry) => Object.keys(given).every((name) => name in entry.flags))
  const [only, ...others] = takers
  if (only && others.length === 0) only.checkFlags?.(given)
  if (only) return
  const [first] = Object.keys(given)
  const owner = registry.find((entry) => first !== undefined && first in entry.flags)
  if (owner) checkFlags(owner, registry, given)
}

function foreignFlag(name: string, owners: readonly string[], chosen: string): Problem {
  const flag = typedFlag(name)
  return new Problem({
    code: 'usage',
    what: `${flag} belongs to the ${owners.join(' and the ')} workflow, and this is a run of the ${chosen} workflow.`,
    why: 'A flag that has no effect would let you believe that it has one.',
    todo: `Start again without ${flag}, or name something that the ${owners[0] ?? 'other'} workflow takes.`,
  })
}
