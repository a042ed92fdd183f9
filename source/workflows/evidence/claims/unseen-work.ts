import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Git } from '../../../project/git.js'
import { readText } from '../../../project/text-files.js'
import { type ClaimedTask, matches, namesIn } from './tasks.js'

// Files that a plan names and that git does not look at (docs/evidence.md, "Claims").

export interface UnseenWork {
  /** Written since the work began, and ignored as they were before. */
  written: Set<string>
  /** Ignored by a rule that came since, of which the plan says nothing: what is in them would reach nobody. */
  hidden: Set<string>
}

export interface WorkBegun {
  git: Pick<Git, 'pathsAt' | 'textAt'>
  root: string
  /** Commit and time (milliseconds) that it began with. */
  start: string
  since: number
  /** Text of the approved plan. */
  plan: string
  touched: ReadonlySet<string>
}

export async function unseenWork(begun: WorkBegun, tasks: readonly ClaimedTask[]): Promise<UnseenWork> {
  const { git, root, since, touched } = begun
  const unseen: UnseenWork = { written: new Set(), hidden: new Set() }
  const named = [...new Set(namesIn(tasks.flatMap(({ files }) => files ?? [])))]
  const open = named.filter((path) => !path.includes('*') && !path.startsWith('/') && !touched.has(path))
  if (open.length === 0 || Number.isNaN(since)) return unseen
  const tracked = new Set(await git.pathsAt('HEAD'))
  const rules = await rulesSince(begun)
  for (const path of open.filter((one) => !tracked.has(one) && !one.split('/').includes('..'))) {
    const facts = await stat(join(root, path)).catch(() => undefined)
    if (!facts?.isFile() || facts.mtimeMs < since) continue
    if (rules.some((rule) => covers(rule, path))) unseen.hidden.add(path)
    else unseen.written.add(path)
  }
  return unseen
}

type RulesBegun = Pick<WorkBegun, 'root' | 'start' | 'plan' | 'touched'> & { git: Pick<Git, 'textAt'> }

/** Of these paths, those that a rule of an ignore file covers which was not there when the work began. */
export async function hiddenSince(begun: RulesBegun, paths: readonly string[]): Promise<string[]> {
  const rules = await rulesSince(begun)
  return paths.filter((path) => rules.some((rule) => covers(rule, path)))
}

/** Rules of ignore files that were not there when the work began; none where the plan speaks of ignoring. */
async function rulesSince({ git, root, start, plan, touched }: RulesBegun): Promise<string[]> {
  if (/ignor/i.test(plan)) return []
  const rules: string[] = []
  for (const path of [...touched].filter((one) => basename(one) === '.gitignore')) {
    const before = new Set(linesOf((await git.textAt(start, path)) ?? ''))
    const now = await readText({ root }, path).catch(() => undefined)
    rules.push(...linesOf(now ?? '').filter((line) => !before.has(line)))
  }
  return rules
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('!'))

/** As git reads a rule, from any folder: a name alone may be that of each part of a path. */
function covers(rule: string, path: string): boolean {
  const bare = rule.replace(/^\/?(?:\*\*\/)?/, '').replace(/\/$/, '')
  if (bare === '') return false
  const parts = path.split('/')
  if (!bare.includes('/')) return parts.some((part) => matches(bare, part))
  return parts.some((_, at) => matches(bare, parts.slice(at).join('/')))
}
