import { realpathSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { readRegularText } from '../../storage/read-file.js'
import type { GivenFlags } from '../flags.js'
import type { Place } from '../place.js'

// Where a project keeps its life (docs/lifecycle.md, "Files"). Loaded by every command, so nothing heavy is imported.

export const docsDir = '_docs'
export const sessionDir = '.autopilot/lifecycle'
export const archiveDir = '.autopilot/archive'
export const usualStateFile = `${docsDir}/_autopilot_state.md`
/** What newer versions of the format call it; it is gone on with where there is no other. */
const newerStateFile = `${docsDir}/_autodev_state.md`
/** What a session was begun with: `statePath` and `flowFile`, where they are not the usual ones. */
export const settingsFile = `${sessionDir}/settings.json`

export function placeOf(stateFile: string = usualStateFile): Place {
  return { workflow: 'lifecycle', slug: 'lifecycle', sessionDir, stateFile, lockDir: sessionDir }
}

export interface Settings {
  statePath?: string
  flowFile?: string
}

/** A Markdown file inside of the project, as it is written. Where links lead is looked at when it is opened. */
export function isStatePath(path: string): boolean {
  const parts = path.toLowerCase().split(/[/\\]/)
  return path.endsWith('.md') && !isAbsolute(path) && !parts.includes('..') && !parts.includes('.git')
}

/** Flow files that the project itself may hold, first hit first, and the one that was named. Absolute. */
export function flowFilesOf(root: string, named?: string): string[] {
  const usual = ['yaml', 'yml', 'json'].map((ending) => join(root, docsDir, `_autopilot_flow.${ending}`))
  return [...(named === undefined ? [] : [isAbsolute(named) ? named : join(root, named)]), ...usual]
}

/** What the session of a project was begun with; nothing where there is none, or nobody can read it. */
export async function readSettings(root: string): Promise<Settings> {
  try {
    const value: unknown = JSON.parse((await readRegularText(settingsFile, { root })) ?? '')
    const { statePath, flowFile } = value as Record<string, unknown>
    return {
      ...(typeof statePath === 'string' && isStatePath(statePath) ? { statePath } : {}),
      ...(typeof flowFile === 'string' ? { flowFile } : {}),
    }
  } catch {
    return {}
  }
}

/** The state file of a project that names none. */
export async function usualStateFileOf(root: string): Promise<string> {
  const [usual, newer] = await Promise.all(
    [usualStateFile, newerStateFile].map((path) => isThere(root, path)),
  )
  return newer && !usual ? newerStateFile : usualStateFile
}

function isThere(root: string, path: string): Promise<boolean> {
  return access(join(root, path)).then(
    () => true,
    () => false,
  )
}

/** Whether a repo-relative path is one of the usual places of a state file. */
export function isUsualStateFile(path: string): boolean {
  return path === usualStateFile || path === newerStateFile
}

/** The one session of a project: where its journal is, or a state file that autopilot has not opened yet. */
export async function lifecyclePlaces(root: string): Promise<Place[]> {
  const { statePath } = await readSettings(root)
  const place = placeOf(statePath ?? (await usualStateFileOf(root)))
  const found = await Promise.all([sessionDir, place.stateFile].map((path) => isThere(root, path)))
  return found.includes(true) ? [place] : []
}

/** The flow file of the command line, repo-relative where it lies in the project, whatever links lead there. */
export function flowFlag(root: string, { flowFile }: GivenFlags): string | undefined {
  if (typeof flowFile !== 'string') return undefined
  const inside = relative(root, realFolder(resolve(flowFile)))
  return inside.startsWith('..') || isAbsolute(inside) ? resolve(flowFile) : inside
}

function realFolder(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return path
  }
}
