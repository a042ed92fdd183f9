import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { type JournalRecord, readJournal } from '../../source/ledger/journal.js'
import { findMarked } from '../../source/processes/process-marker.js'
import type { AnswerRule } from './driver.js'

// One complete run, killed and resumed, and what must be the same afterwards.

const run = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const preload = here('../support/kill-at-line.mjs')
const apprentice = here('../fixtures/fake-agents/apprentice.mjs')

export const specPath = 'docs/changes/seeds/proposal.md'
export const slug = 'changes--seeds--proposal'

/** All states, a task that the third retry mends, two checkpoints, a blocking finding that is fixed, a plan gate. */
const spec = `# Seeds

## Implementation Order

### Phase 1: Seed box
<!-- complexity: low -->

Tasks: box; sieve !!!; label ?human-verify; order ?decision
Finding: blocking work/box.txt

### Phase 2: Seed list
<!-- complexity: low -->

Tasks: list
Concern: the list may be long
Finding: note work/list.txt
`

export interface Workshop {
  driver: string
  env: Record<string, string>
  /** What the program is started with, where it is not the spec; and the agent, with its arguments. */
  input?: string
  agent?: string
  /** Go before the answers that the driver knows. */
  answers?: readonly AnswerRule[]
  /** Loaded into every process before anything else. */
  preloads?: readonly string[]
}

/** Bundles the driver and its guard, and makes a home without anything of the person who runs the tests. */
export async function openWorkshop(dir: string): Promise<Workshop> {
  await build({
    entryPoints: { driver: here('./driver.ts'), guard: here('../../source/processes/guard.ts') },
    outdir: dir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'error',
  })
  await cp(join(dir, 'guard.mjs'), join(dir, 'guard.js'))
  await writeFile(join(dir, 'package.json'), '{"type":"module"}\n')
  const home = join(dir, 'home')
  await mkdir(home)
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1' }
  return { driver: join(dir, 'driver.mjs'), env }
}

/** `other`: in place of the usual spec, and more files of the first commit. */
export async function createSubject(
  workshop: Workshop,
  dir: string,
  other: { spec?: string; files?: Record<string, string> } = {},
): Promise<void> {
  const git = (...args: string[]) => run('git', args, { cwd: dir, env: workshop.env })
  await mkdir(join(dir, 'docs/changes/seeds'), { recursive: true })
  await writeFile(join(dir, specPath), other.spec ?? spec)
  const files = other.files ?? {}
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  await git('init', '-q', '-b', 'main')
  await git('config', 'user.name', 'Test Person')
  await git('config', 'user.email', 'person@example.invalid')
  await git('add', '--', specPath, ...Object.keys(files))
  await git('commit', '-q', '-m', 'Approve the seeds')
}

export interface Kills {
  /** File that remembers at which facts was killed. */
  marks: string
  modes: string
  /** Only each k-th line, */
  every?: number
  /** and after each line of these types. */
  always?: readonly JournalRecord['type'][]
  /** But never at the transition to this state. */
  before?: string | undefined
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stderr: string
}

/** Starts the program once in a project, until it ends or kills itself. */
export function start(workshop: Workshop, dir: string, kills?: Kills): Promise<Ended> {
  const { input = specPath, agent = apprentice } = workshop
  const args = [workshop.driver, dir, input, `command:${process.execPath} ${agent}`]
  if (workshop.answers) args.push(JSON.stringify(workshop.answers))
  const marks = kills && {
    KILL_MARKS: kills.marks,
    KILL_MODES: kills.modes,
    KILL_EVERY: String(kills.every ?? 1),
    KILL_ALWAYS: (kills.always ?? []).join(','),
    KILL_BEFORE: kills.before ?? '',
  }
  const env = { ...workshop.env, ...marks }
  const preloads = [...(workshop.preloads ?? []), ...(kills ? [preload] : [])]
  const child = spawn(process.execPath, [...preloads.flatMap((file) => ['--import', file]), ...args], {
    cwd: dir,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stderr })))
}

export const journalPath = (dir: string) => join(dir, '.harness/sessions', slug, 'journal.jsonl')

export async function records(dir: string, path = journalPath(dir)): Promise<readonly JournalRecord[]> {
  return (await readJournal(path)).records
}

/** After a kill: waits until the guard has ended the agents of that process. */
export async function agentsGone(dir: string, path = journalPath(dir)): Promise<void> {
  const opened = (await records(dir, path)).findLast((record) => record.type === 'opened')
  if (opened?.type !== 'opened') return
  for (let round = 0; (await findMarked(opened.runId)).length > 0; round += 1) {
    if (round > 400) throw new Error('the guard did not end the agents of a killed run')
    await delay(25)
  }
}

/** What a run comes to, without times, hashes of commits and dates: equal for every way to get there. */
export async function outcomeOf(workshop: Workshop, dir: string): Promise<Record<string, unknown>> {
  const session = join(dir, '.harness/sessions', slug)
  const state = JSON.parse(await readFile(join(session, 'autopilot-state.json'), 'utf8')) as object
  const text = async (path: string) => timeless(await readFile(path, 'utf8').catch(() => 'missing'))
  const git = async (...args: string[]) =>
    (await run('git', args, { cwd: dir, env: workshop.env })).stdout.trimEnd()
  const commits = (await git('log', '--reverse', '--format=%H')).split('\n')
  const history = await Promise.all(
    commits.map(async (sha) => ({
      subject: await git('show', '-s', '--format=%s', sha),
      tree: timeless(await git('ls-tree', '-r', sha)).split('\n'),
    })),
  )
  return {
    state: JSON.parse(timeless(JSON.stringify(state))),
    commits: history,
    uncommitted: timeless(await git('status', '--porcelain', '--untracked-files=all')).split('\n'),
    handoff: await text(join(session, 'handoff.json')),
    progress: await text(join(session, 'state.json')),
    reviews: [
      await text(join(session, 'phase-1-review.json')),
      await text(join(session, 'phase-2-review.json')),
    ],
    summary: await text(join(session, 'summary.md')),
    index: await text(join(dir, '.harness/sessions/index.md')),
    learnings: await text(join(dir, '.harness/learnings.md')),
    failures: await text(join(dir, '.harness/failures.md')),
    pullRequest: (await text(join(session, 'pull-request.md'))).replace(/^- \S+ /gm, '- commit '),
    leftovers: (await readdir(session)).filter((name) => /^lock|\.tmp$|corrupt|edited/.test(name)),
  }
}

function timeless(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\d/g, 'DATE')
    .replace(/"(times|timesBefore)":\{[^}]*\}/g, '"$1":"TIMES"')
    .replace(
      /"(startCommit|startingCommit|endCommit|testedTree|approvedPlanHash)":"[0-9a-f]+"/g,
      '"$1":"HASH"',
    )
}

/** What must not happen whatever was killed: one line for each thing that did. */
export function doubled(all: readonly JournalRecord[]): string[] {
  const wrong: string[] = []
  const over = new Map<string, string>()
  const ends: Record<string, string> = {
    answered: 'asked',
    agent: 'dispatched',
    step: 'step',
    update: 'update',
  }
  for (const record of all) {
    if (!('key' in record) || record.key === undefined) continue
    const place = `${record.visit} ${record.key}`
    const already = over.get(`${record.type} ${place}`)
    if (already) wrong.push(`${record.type} ${place} after ${already}`)
    const beginning = ends[record.type]
    if (beginning === undefined) continue
    over.set(`${record.type} ${place}`, record.type)
    over.set(`${beginning} ${place}`, record.type)
  }
  const opened = all.filter((record) => record.type === 'visit').map((record) => record.visit)
  for (const visit of opened)
    if (opened.indexOf(visit) !== opened.lastIndexOf(visit)) wrong.push(`visit ${visit}`)
  return wrong
}

export async function copyProject(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await cp(from, to, { recursive: true })
  await ownWorktrees(from, to)
}

/** Work trees and their repository know each other by absolute paths: those of a copy are led to the copy. */
async function ownWorktrees(from: string, to: string): Promise<void> {
  const known = join(to, '.git/worktrees')
  for (const name of await readdir(known).catch(() => [] as string[])) {
    const toTree = join(known, name, 'gitdir')
    const path = (await readFile(toTree, 'utf8').catch(() => '')).trim().replace(from, to)
    if (path === '') continue
    await writeFile(toTree, `${path}\n`)
    const back = await readFile(path, 'utf8').catch(() => undefined)
    if (back !== undefined) await writeFile(path, back.replace(from, to))
  }
}
