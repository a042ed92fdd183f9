import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { readHandoff } from '../documents/handoff.js'
import { isObject, parseJson } from '../documents/json.js'
import { readPlan } from '../documents/plan.js'
import { readRoadmap } from '../documents/roadmap.js'
import { readSpec } from '../documents/spec.js'
import { Problem, problemLines } from '../problem.js'
import { sessionSlug, sessionsDir } from '../project/paths.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { type Inspection, inspectionLines } from '../workflows/harness/inspection.js'
import { migrate } from '../workflows/harness/state/migrate.js'
import { askLine } from '../workflows/harness/state/migration-ask.js'

// `autopilot inspect <file>`: how a file is read. Nothing is changed and nothing is started.

/** What a command leaves behind: exit code, and text for stdout (0) or stderr (otherwise) without final newline. */
export interface CommandOutput {
  exitCode: number
  output: string
}

const noSuchFile = 'there is no such file'
const maximumBytes = 20 * 1024 * 1024

/** Reads one file and says how. Exit code 0 when it could be read, 1 when not, 2 without a file name. */
export async function inspect(file: string | undefined, options: { json: boolean }): Promise<CommandOutput> {
  if (file === undefined || file.trim() === '') return failure(2, missingArgument())
  try {
    const { text, mtimeIso } = await readDocument(file)
    const inspection = inspectText(resolve(file), text, mtimeIso)
    if (options.json) return { exitCode: 0, output: printableJson(inspection) }
    return { exitCode: 0, output: inspectionLines(inspection).map(sanitizeLine).join('\n') }
  } catch (error) {
    return failure(1, error)
  }
}

function failure(exitCode: number, error: unknown): CommandOutput {
  return { exitCode, output: problemLines(error).map(sanitizeLine).join('\n') }
}

/** JSON that is safe on a terminal: control and direction characters are escaped, the value is the same. */
function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

async function readDocument(file: string): Promise<{ text: string; mtimeIso: string }> {
  const facts = await stat(file).catch((error: unknown) => {
    throw cannotRead(file, reason(error), error)
  })
  if (!facts.isFile()) throw cannotRead(file, 'it is not a file')
  if (facts.size > maximumBytes) throw cannotRead(file, 'it is larger than 20 MB')
  const bytes = await readFile(file).catch((error: unknown) => {
    throw cannotRead(file, reason(error), error)
  })
  if (bytes.includes(0)) throw cannotRead(file, 'it is not a text file')
  return { text: bytes.toString('utf8'), mtimeIso: facts.mtime.toISOString() }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return noSuchFile
  if (code === 'EACCES' || code === 'EPERM') return 'you may not read it'
  return error instanceof Error ? error.message : String(error)
}

/** Reads a text as what its name and its content say it is. `path` is absolute. */
export function inspectText(path: string, text: string, mtimeIso: string): Inspection {
  switch (kindOf(path, text)) {
    case 'state':
      return inspectState(path, text)
    case 'handoff':
      return inspectHandoff(path, text, mtimeIso)
    case 'roadmap':
      return inspectRoadmap(path, text)
    case 'plan':
      return inspectPlan(text)
    case 'spec':
      return inspectSpec(text)
    case undefined:
      throw cannotRead(path, 'it is JSON, but neither a state file nor a handoff')
  }
}

function kindOf(path: string, text: string): Inspection['kind'] | undefined {
  const name = basename(path).toLowerCase()
  if (/^autopilot-state\b.*\.json\b/.test(name)) return 'state'
  if (name === 'handoff.json') return 'handoff'
  if (name.endsWith('.json') || /^\uFEFF?\s*\{/.test(text)) return kindOfJson(text)
  if (name === 'roadmap.md' || /^\uFEFF?---\r?\n(?:(?!---).*\r?\n)*last_synced\s*:/.test(text))
    return 'roadmap'
  const inPlans = /[\\/]plans[\\/][^\\/]*$/.test(path)
  if (inPlans || /^\uFEFF?(?:---[\s\S]*?\n---\s*\n)?\s*# (?:implementation )?plan\b/i.test(text))
    return 'plan'
  const hasTasks = /^#{2,4}\s+Task\s+[A-Z]?\d/im.test(text) && readPlan(text).taskCount > 0
  return hasTasks && readSpec(text).section === null ? 'plan' : 'spec'
}

function kindOfJson(text: string): 'state' | 'handoff' | undefined {
  const parsed = parseJson(text)
  if (!('value' in parsed) || !isObject(parsed.value)) return undefined
  if ('fromSkill' in parsed.value) return 'handoff'
  return 'phases' in parsed.value || 'currentState' in parsed.value ? 'state' : undefined
}

function inspectSpec(text: string): Inspection {
  const { reading, section, phases, unused, warnings } = readSpec(text)
  return {
    kind: 'spec',
    reading,
    section,
    phases: phases.map(({ id, number, name, complexity, line }) => ({ id, number, name, complexity, line })),
    unused,
    warnings,
  }
}

function inspectPlan(text: string): Inspection {
  const plan = readPlan(text)
  return {
    kind: 'plan',
    taskCount: plan.taskCount,
    checkpointCount: plan.checkpointCount,
    rawCheckpointMarkers: plan.rawCheckpointMarkers,
    declaredTasks: plan.declaredTasks,
    tasks: plan.tasks.map(({ id, title, line, checkpoint }) => ({
      id,
      title,
      line,
      ...(checkpoint === undefined ? {} : { checkpoint }),
    })),
    warnings: plan.warnings,
  }
}

function inspectState(path: string, text: string): Inspection {
  const parsed = parseJson(text)
  if ('unreadable' in parsed) throw cannotRead(path, lower(parsed.unreadable))
  const migration = migrate(parsed.value, { sessionDir: sessionDirOf(path, parsed.value), head: null })
  return {
    kind: 'state',
    schemaVersion: migration.schemaVersion,
    ...(migration.migratedFrom === undefined ? {} : { migratedFrom: migration.migratedFrom }),
    normalised: migration.state,
    changes: migration.changes,
    unknownKeys: migration.unknownKeys,
    warnings: [...migration.warnings, ...migration.asks.map(askLine)],
  }
}

/** Where the session of a state file is: its own directory, or for the single file of version 1 that of its spec. */
function sessionDirOf(path: string, raw: unknown): string {
  const own = /[\\/](\.harness[\\/]sessions[\\/][^\\/]+)[\\/][^\\/]+$/.exec(path)?.[1]
  if (own !== undefined) return own.replaceAll('\\', '/')
  const spec = isObject(raw) && typeof raw.specPath === 'string' ? raw.specPath : ''
  try {
    return `${sessionsDir}/${sessionSlug(spec)}`
  } catch {
    return sessionsDir
  }
}

function inspectHandoff(path: string, text: string, mtimeIso: string): Inspection {
  const read = readHandoff(text, mtimeIso)
  if ('unreadable' in read) throw cannotRead(path, lower(read.unreadable))
  return { kind: 'handoff', ...read }
}

function inspectRoadmap(path: string, text: string): Inspection {
  const read = readRoadmap(text)
  if ('unreadable' in read) throw cannotRead(path, lower(read.unreadable))
  return {
    kind: 'roadmap',
    milestones: read.milestones.map((milestone) => milestone.name),
    features: read.features.map(({ name, status, spec, line }) => ({ name, status, spec, line })),
    warnings: read.warnings,
  }
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}

function cannotRead(file: string, why: string, cause?: unknown): Problem {
  return new Problem({
    code: why === noSuchFile ? 'not-found' : 'unreadable',
    what: `${file} cannot be read: ${why}.`,
    why: 'Without it there is nothing to inspect; nothing was changed.',
    todo: 'Check the path, and name a spec, a plan, a roadmap, a handoff.json or an autopilot-state.json.',
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
