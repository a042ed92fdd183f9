import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { normalPhaseId, phaseIdPattern } from '../../documents/playbook-id.js'
import { planFiles } from './plans.js'
import type { PhaseRecord } from './state/schema.js'

// Which directory is that of a phase (docs/playbook.md, "Phase directories").

export const phasesDir = '.planning/phases'

const leading = new RegExp(`^${phaseIdPattern}(?=$|[-_ ])`, 'i')
const dashed = /^\d{1,4}[a-z]?(?:-\d{1,4}[a-z]?)+(?=$|[-_ ])/i

/** Names among these that can be the directory of a phase. `known`: ids of all phases. Pure. */
export function directoriesNamed(names: readonly string[], id: string, known: readonly string[]): string[] {
  const readings = names.map((name) => ({ name, ids: readingsOf(name, known) }))
  const first = readings.filter(({ ids }) => ids[0] === id)
  return (first.length > 0 ? first : readings.filter(({ ids }) => ids.includes(id))).map(({ name }) => name)
}

/** Ids that a name may begin with, the longest known one first: dashes may stand for dots. */
function readingsOf(name: string, known: readonly string[]): string[] {
  const plain = normalPhaseId(leading.exec(name)?.[0] ?? '')
  const parts = dashed.exec(name)?.[0].split('-') ?? []
  const longer = parts
    .map((_, index) => normalPhaseId(parts.slice(0, parts.length - index).join('.')))
    .filter((one): one is string => one !== undefined && one !== plain && known.includes(one))
  return plain === undefined ? longer : [...longer, plain]
}

/**
 * Directories that a phase can have, repo-relative: where one of them has a plan, only those with one. More than one is
 * for a person to decide.
 */
export async function directoriesOf(root: string, id: string, known: readonly string[]): Promise<string[]> {
  const names = await readdir(join(root, phasesDir)).catch(() => [] as string[])
  const fitting = directoriesNamed(names.sort(), id, known).map((name) => `${phasesDir}/${name}`)
  if (fitting.length < 2) return fitting
  const planned = await Promise.all(fitting.map(async (dir) => (await planFiles(root, dir)).length > 0))
  const withPlan = fitting.filter((_, index) => planned[index])
  return withPlan.length > 0 ? withPlan : fitting
}

/** The directory of a phase: the one that a person chose, else the first that it can have. */
export async function directoryOf(
  root: string,
  id: string,
  known: readonly string[],
  record?: PhaseRecord,
): Promise<string | undefined> {
  const found = await directoriesOf(root, id, known)
  const chosen = record?.directory
  return typeof chosen === 'string' && (found.length === 0 || found.includes(chosen)) ? chosen : found[0]
}
