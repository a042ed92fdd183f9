import { basename } from 'node:path'
import { readHandoff } from '../../documents/handoff.js'
import { isObject, parseJson } from '../../documents/json.js'
import { readPlan } from '../../documents/plan.js'
import { readRoadmap } from '../../documents/roadmap.js'
import { readSpec } from '../../documents/spec.js'
import { Problem } from '../../problem.js'
import type { InspectedFile, Inspector } from '../workflow.js'
import { type Inspection, inspectionLines } from './inspection.js'
import { sessionsDir } from './places.js'
import { sessionSlug } from './slug.js'
import { migrate } from './state/migrate.js'
import { askLine } from './state/migration-ask.js'

// Which files of this workflow `inspect` can read, and how each is read.

export const inspectors: readonly Inspector[] = [
  inspector('state', ({ path, text }) => inspectState(path, text)),
  inspector('handoff', inspectHandoff),
  inspector('roadmap', ({ path, text }) => inspectRoadmap(path, text)),
  inspector('plan', ({ text }) => inspectPlan(text)),
  inspector('spec', ({ text }) => inspectSpec(text)),
]

function inspector(kind: Inspection['kind'], read: (file: InspectedFile) => Inspection): Inspector {
  return {
    kind,
    matches({ path, text }) {
      if (kindOf(path, text) !== kind) return undefined
      // A spec is what nothing else claims to be.
      return kind === 'spec' ? 'possible' : 'likely'
    },
    inspect(file) {
      const inspection = read(file)
      return { json: inspection, lines: inspectionLines(inspection) }
    },
  }
}

/** One kind for every text but JSON of another hand. */
function kindOf(path: string, text: string): Inspection['kind'] | undefined {
  const name = basename(path).toLowerCase()
  if (/^autopilot-state\b.*\.json\b/.test(name)) return 'state'
  if (name === 'handoff.json') return 'handoff'
  if (name.endsWith('.json') || /^\uFEFF?\s*\{/.test(text)) return kindOfJson(text)
  if (name === 'roadmap.md' || /^\uFEFF?---\r?\n(?:(?!---)[^\n]*\n)*last_synced\s*:/.test(text))
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
  const { reading, section, phases, unused, warnings, unread, inComments, asks, askReasons } = readSpec(text)
  return {
    kind: 'spec',
    reading,
    section,
    phases: phases.map(({ description: _, ...phase }) => phase),
    unused,
    warnings,
    unread,
    inComments,
    asks,
    askReasons,
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
    asks: plan.asks,
    unread: plan.unread,
    duplicates: plan.duplicates,
    inComments: plan.inComments,
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

function inspectHandoff({ path, text, changedAt }: InspectedFile): Inspection {
  const read = readHandoff(text, changedAt)
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

function cannotRead(path: string, why: string): Problem {
  return new Problem({
    code: 'unreadable',
    what: `${path} cannot be read: ${why}.`,
    why: 'Without it there is nothing to inspect; nothing was changed.',
    todo: 'Check the path, and name a spec, a plan, a roadmap, a handoff.json or an autopilot-state.json.',
  })
}
