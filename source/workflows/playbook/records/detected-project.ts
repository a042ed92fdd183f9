import { isObject, parseJson } from '../../../documents/json.js'
import type { ProjectCommands } from '../orders/fields.js'

// What was detected of a project, as `.planning/config.json` keeps it (docs/playbook.md, "Project commands").

export interface Detected {
  type: string
  manifest: string | null
  commands: ProjectCommands
}

export const autoDetected = 'auto-detected'
export const userOverride = 'user-override'
const names = ['compile', 'test', 'lint', 'build'] as const

/**
 * The configuration with what was detected in it; every other key stays. Undefined where nothing is to be written: all
 * four commands are there, or the file is none that can be added to. Pure.
 */
export function withDetected(text: string | undefined, detected: Detected): string | undefined {
  const read = text === undefined || text.trim() === '' ? { value: {} } : parseJson(text)
  if (!('value' in read) || !isObject(read.value)) return undefined
  const config = read.value
  const project = isObject(config.project) ? config.project : {}
  const own = isObject(project.commands) ? project.commands : {}
  const isOwn = names.some((name) => name in own) && project.commands_source !== autoDetected
  if (names.every((name) => (isOwn ? name in own : typeof own[name] === 'string'))) return undefined
  const next = {
    ...config,
    project: {
      ...project,
      type: project.type ?? detected.type,
      manifest: project.manifest ?? detected.manifest,
      // A person's commands are theirs, also those that they left out.
      ...(isOwn
        ? { commands_source: userOverride }
        : { commands: { ...detected.commands, ...saidIn(own) }, commands_source: autoDetected }),
    },
  }
  const made = `${JSON.stringify(next, null, indentOf(text ?? ''))}\n`
  return JSON.stringify(next) === JSON.stringify(config) ? undefined : made
}

/** What was detected before, and is a command. */
function saidIn(own: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(own).filter(([, value]) => typeof value === 'string'))
}

const indentOf = (text: string) => /^\{\r?\n([ \t]{1,8})"/.exec(text)?.[1] ?? '  '

/**
 * The command of a project: what a person says goes before what its manifest shows, also where they say that there is no
 * such command; what was detected before only where it is one. Pure.
 */
export function commandOf(
  said: string | null | undefined,
  detected: string | null,
  source: string | undefined,
): string | null {
  if (said === undefined) return detected
  return said === null && source === autoDetected ? detected : said
}
