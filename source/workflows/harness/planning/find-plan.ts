import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { planNameMatches } from '../../../documents/kebab.js'
import { insideRoot } from '../../../project/paths.js'
import type { PhaseContext } from '../phases.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'

// Finding the plan that was made for a phase (docs/harness.md, "Plan grammar").

/** Content hash and time of every Markdown file in the plan directories, by repo-relative path. */
export type PlanFiles = Record<string, { hash: string; mtimeMs: number }>

function planDirs(specPath: string): string[] {
  const beside = posix.join(dirname(specPath), 'plans')
  return beside.startsWith('docs/changes/') ? ['docs/plans', beside] : ['docs/plans']
}

export async function listPlanFiles(tools: HarnessTools): Promise<PlanFiles> {
  const files: PlanFiles = {}
  for (const dir of planDirs(tools.specPath)) {
    const names = await readdir(join(tools.root, dir)).catch(() => [])
    for (const name of names.filter((one) => one.endsWith('.md')).sort()) {
      const path = posix.join(dir, name)
      const absolute = join(tools.root, path)
      const info = await stat(absolute)
      if (!info.isFile()) continue
      const hash = createHash('sha256')
        .update(await readFile(absolute))
        .digest('hex')
      files[path] = { hash, mtimeMs: info.mtimeMs }
    }
  }
  return files
}

export type FoundPlan =
  | { kind: 'found'; path: string }
  | { kind: 'choose'; candidates: string[]; sure: boolean }
  | { kind: 'none' }

/** What speaks for a plan. */
export interface PlanSigns {
  /** Paths from the planner's result and its handoff, strongest first. */
  named: readonly string[]
  /** What was there before: every file with its hash, or the time (epoch milliseconds). */
  before: PlanFiles | { sinceMs: number }
}

/** Looks for the plan of a phase: a path that an agent named, files written since `before`, then names. */
export async function findPlan(
  tools: HarnessTools,
  state: HarnessState,
  phase: PhaseContext,
  signs: PlanSigns,
): Promise<FoundPlan> {
  for (const path of signs.named) {
    const usable = await usablePlanPath(tools, path)
    if (usable) return { kind: 'found', path: usable }
  }
  const files = await listPlanFiles(tools)
  const taken = new Set(
    state.phases.flatMap((one, index) => (index === phase.index ? [] : (one.planPath ?? []))),
  )
  const free = Object.keys(files).filter((path) => !taken.has(path))
  const written = free.filter((path) => isNew(path, files, signs.before))
  const [only] = written
  if (only !== undefined && written.length === 1) return { kind: 'found', path: only }
  if (written.length > 1) return { kind: 'choose', candidates: written, sure: true }
  const similar = free.filter((path) => planNameMatches(posix.basename(path), phase.name, phase.number))
  return similar.length > 0 ? { kind: 'choose', candidates: similar, sure: false } : { kind: 'none' }
}

function isNew(path: string, files: PlanFiles, before: PlanFiles | { sinceMs: number }): boolean {
  const file = files[path]
  if (!file) return false
  if (isSince(before)) return file.mtimeMs >= before.sinceMs
  return before[path]?.hash !== file.hash
}

function isSince(before: PlanFiles | { sinceMs: number }): before is { sinceMs: number } {
  return typeof before.sinceMs === 'number'
}

/** The path, repo-relative, if it is a Markdown file inside the project; else undefined. */
export async function usablePlanPath(tools: HarnessTools, input: string): Promise<string | undefined> {
  const path = posix.normalize(input.trim().replaceAll('\\', '/')).replace(/^\.\//, '')
  const fromRoot = path.startsWith(`${tools.root}/`) ? path.slice(tools.root.length + 1) : path
  if (!fromRoot.endsWith('.md') || !(await insideRoot(tools.root, fromRoot))) return undefined
  const info = await stat(join(tools.root, fromRoot)).catch(() => undefined)
  return info?.isFile() ? fromRoot : undefined
}
