import { readdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Problem, problemLines } from '../problem.js'
import { readPlain } from '../project/snapshot/plain-read.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import {
  certainties,
  type Inspected,
  type InspectedFile,
  type Inspector,
  type Registry,
} from '../workflows/workflow.js'
import { type CommandOutput, printableJson } from './command-output.js'
import { closestPath } from './did-you-mean.js'

// `autopilot inspect <path>`: how a file, or the folder of a workflow, is read. Nothing is changed and nothing is started.

const noSuchFile = 'there is no such file'
const maximumBytes = 20 * 1024 * 1024

export interface InspectOptions {
  json: boolean
  /** Value of `--as`: read the file as this kind, whatever it seems to be. */
  as?: string | undefined
}

/** Reads one file and says how. Exit code 0 when it could be read, 1 when not, 2 without a file name. */
export async function inspect(
  registry: Registry,
  file: string | undefined,
  options: InspectOptions,
): Promise<CommandOutput> {
  if (file === undefined || file.trim() === '') return failure(2, missingArgument())
  const known = await kindsOf(registry)
  const wanted = options.as === undefined ? undefined : findKind(known, options.as)
  if (options.as !== undefined && !wanted) return failure(2, unknownKind(options.as, known))
  try {
    const folder = wanted ? undefined : await readFolder(registry, file)
    const { json, lines } = folder ?? readAs(await readDocument(file), known, wanted)
    if (options.json) return { exitCode: 0, output: printableJson(json) }
    return { exitCode: 0, output: lines.map(sanitizeLine).join('\n') }
  } catch (error) {
    return failure(1, error)
  }
}

function readAs(found: InspectedFile, known: readonly Kind[], wanted: Kind | undefined): Inspected {
  const inspector = wanted?.inspector ?? surest(known, found)
  if (!inspector) throw cannotRead(found.path, 'it is of no kind that a workflow reads')
  return inspector.inspect(found)
}

/** A folder that is a workflow's own; undefined for every other one and for files. */
async function readFolder(registry: Registry, path: string): Promise<Inspected | undefined> {
  const facts = await stat(path).catch(() => undefined)
  if (!facts?.isDirectory()) return undefined
  for (const entry of registry) {
    const found = await (await entry.load()).inspectFolder?.(resolve(path))
    if (found) return found
  }
  return undefined
}

interface Kind {
  workflow: string
  inspector: Inspector
}

async function kindsOf(registry: Registry): Promise<Kind[]> {
  const workflows = await Promise.all(registry.map((entry) => entry.load()))
  return workflows.flatMap(({ name, inspectors }) =>
    inspectors.map((inspector) => ({ workflow: name, inspector })),
  )
}

/** `plan` is the first that is called so, `<workflow>-plan` that of one workflow. */
function findKind(known: readonly Kind[], word: string): Kind | undefined {
  const name = word.trim()
  return (
    known.find(({ inspector }) => inspector.kind === name) ??
    known.find(({ workflow, inspector }) => `${workflow}-${inspector.kind}` === name)
  )
}

/** By name and content; of two that are as sure, the first. */
function surest(known: readonly Kind[], file: InspectedFile): Inspector | undefined {
  let best: { inspector: Inspector; rank: number } | undefined
  for (const { inspector } of known) {
    const certainty = inspector.matches(file)
    const rank = certainty === undefined ? -1 : certainties.indexOf(certainty)
    if (rank > (best?.rank ?? -1)) best = { inspector, rank }
  }
  return best?.inspector
}

function failure(exitCode: number, error: unknown): CommandOutput {
  return { exitCode, output: problemLines(error).map(sanitizeLine).join('\n') }
}

async function readDocument(file: string): Promise<InspectedFile> {
  const facts = await stat(file).catch(async (error: unknown) => {
    const why = reason(error)
    const near = why === noSuchFile ? await closestPath(process.cwd(), file) : undefined
    throw cannotRead(file, why, { cause: error, near })
  })
  if (!facts.isFile()) throw cannotRead(file, 'it is not a file')
  if (facts.size > maximumBytes) throw cannotRead(file, 'it is larger than 20 MB')
  const bytes = await readPlain(file)
  if (bytes === undefined) throw cannotRead(file, 'you may not read it')
  if (bytes.includes(0)) throw cannotRead(file, 'it is not a text file')
  const siblings = await readdir(dirname(resolve(file))).catch(() => [])
  return { path: resolve(file), text: bytes.toString('utf8'), changedAt: facts.mtime.toISOString(), siblings }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return noSuchFile
  if (code === 'EACCES' || code === 'EPERM') return 'you may not read it'
  return error instanceof Error ? error.message : String(error)
}

function cannotRead(
  file: string,
  why: string,
  more: { cause?: unknown; near?: string | undefined } = {},
): Problem {
  const { cause, near } = more
  return new Problem({
    code: why === noSuchFile ? 'not-found' : 'unreadable',
    what: `${file} cannot be read: ${why}.`,
    why: 'Without it there is nothing to inspect; nothing was changed.',
    todo: near
      ? `Did you mean ${near}?`
      : 'Check the path, and name a spec, a plan, a roadmap, a handoff.json or an autopilot-state.json.',
    cause,
  })
}

function missingArgument(): Problem {
  return new Problem({
    code: 'usage',
    what: 'No file was named.',
    why: '`autopilot inspect` shows how one file is read.',
    todo: 'Run: autopilot inspect <file> [--json]',
  })
}

function unknownKind(word: string, known: readonly Kind[]): Problem {
  return new Problem({
    code: 'usage',
    what: `--as ${word} names no kind of file.`,
    why: 'A file can only be read as something that a workflow knows.',
    todo: `Use one of: ${known.map(({ workflow, inspector }) => `${inspector.kind} (${workflow})`).join(', ')}.`,
  })
}
