import { createHash } from 'node:crypto'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { kebab, planNameMatches } from '../../../documents/kebab.js'
import { insideRoot } from '../../../project/paths.js'
import { readRegular } from '../../../storage/read-file.js'
import type { PhaseContext } from '../phases.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import type { PhaseWork } from '../work.js'

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
    const paths = names
      .filter((one) => one.endsWith('.md'))
      .map((name) => posix.join(dir, name))
      .sort()
    for (let at = 0; at < paths.length; at += readAtOnce) {
      const some = paths.slice(at, at + readAtOnce)
      const read = await Promise.all(some.map(async (path) => [path, await planFile(tools, path)] as const))
      for (const [path, file] of read) if (file) files[path] = file
    }
  }
  return files
}

const readAtOnce = 8

async function planFile({ root }: HarnessTools, path: string): Promise<PlanFiles[string] | undefined> {
  const info = await lstat(join(root, path))
  const bytes = info.isFile() ? await readRegular(path, { root }) : undefined
  return bytes && { hash: createHash('sha256').update(bytes).digest('hex'), mtimeMs: info.mtimeMs }
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
  /** ISO time at which the dispatch began, where `before` is a list. */
  at?: string
}

/**
 * Looks for the plan of a phase: a path that was named, files written since `before`, then names. A file that was there
 * before, or that is another phase's plan, is no plan of this one by itself: it is asked about.
 */
export async function findPlan(
  tools: HarnessTools,
  state: HarnessState,
  phase: PhaseContext,
  signs: PlanSigns,
): Promise<FoundPlan> {
  const files = await listPlanFiles(tools)
  const taken = otherPlans(state, phase)
  const stale: string[] = []
  for (const path of signs.named) {
    const usable = await usablePlanPath(tools, path)
    if (usable === undefined || taken.has(usable)) continue
    if (await isWritten(tools, usable, files, signs)) return { kind: 'found', path: usable }
    if (!stale.includes(usable)) stale.push(usable)
  }
  const free = Object.keys(files).filter((path) => !taken.has(path))
  const written = free.filter((path) => isNew(path, files, signs.before))
  const [only] = written
  if (only !== undefined && written.length === 1) return { kind: 'found', path: only }
  if (written.length > 1) return { kind: 'choose', candidates: written, sure: true }
  const similar = free.filter((path) => planNameMatches(posix.basename(path), phase.name, phase.number))
  const asked = [...new Set([...stale, ...similar])]
  return asked.length > 0 ? { kind: 'choose', candidates: asked, sure: false } : { kind: 'none' }
}

/**
 * Where the plan of a phase is asked to be written (docs/harness.md, "Plan grammar"): a file of its own, also where
 * another phase or another spec has the same name on the same day.
 */
export async function freePlanPath({ tools, state, phase }: PhaseWork): Promise<string> {
  const day = tools.now().toISOString().slice(0, 10)
  const name = `docs/plans/${day}-${kebab(phase.name)}`
  const taken = otherPlans(state, phase)
  for (let count = 0; ; count += 1) {
    const path = `${name}${['', `-phase-${phase.number}`][count] ?? `-phase-${phase.number}-${count}`}-plan.md`
    const there = await lstat(join(tools.root, path)).catch(() => undefined)
    if (there === undefined && !taken.has(path)) return path
  }
}

/** Plans of the other phases. */
export function otherPlans(state: HarnessState, phase: PhaseContext): Set<string> {
  return new Set(state.phases.flatMap((one, index) => (index === phase.index ? [] : (one.planPath ?? []))))
}

/** Clocks of file systems are coarser than ours. */
const clockSlackMs = 50

/** Whether a named file was written since; one outside of the plan directories is judged by its time. */
async function isWritten(
  tools: HarnessTools,
  path: string,
  files: PlanFiles,
  { before, at }: PlanSigns,
): Promise<boolean> {
  const file = files[path]
  // Written anew with the same words is written.
  if (file && !isSince(before)) return isNew(path, files, before) || before[path]?.mtimeMs !== file.mtimeMs
  const since = isSince(before) ? before.sinceMs : Date.parse(at ?? '')
  const facts = await lstat(join(tools.root, path)).catch(() => undefined)
  return facts !== undefined && facts.mtimeMs + clockSlackMs >= since
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

/** Records of programs are no plans. */
const recordDirs = ['.harness', '.autopilot', '.git']

/** The path, repo-relative, if it is a Markdown file of the project, behind no link and no record; else undefined. */
export async function usablePlanPath(tools: HarnessTools, input: string): Promise<string | undefined> {
  const path = posix.normalize(input.trim().replaceAll('\\', '/')).replace(/^\.\//, '')
  const fromRoot = path.startsWith(`${tools.root}/`) ? path.slice(tools.root.length + 1) : path
  if (!fromRoot.endsWith('.md') || !insideRoot(tools.root, fromRoot)) return undefined
  if (recordDirs.includes(fromRoot.split('/')[0]?.toLowerCase() ?? '')) return undefined
  const [real, root] = await Promise.all(
    [join(tools.root, fromRoot), tools.root].map((one) => realpath(one).catch(() => undefined)),
  )
  if (real === undefined || root === undefined || real !== join(root, fromRoot)) return undefined
  const info = await lstat(real).catch(() => undefined)
  return info?.isFile() ? fromRoot : undefined
}
