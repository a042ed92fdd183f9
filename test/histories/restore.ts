import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// Builds a project and its session as a released version left them: readme.md beside this file.

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))

/** Where the recorded session is, in the project. */
export const sessionDir = '.harness/sessions/changes--seeds--proposal'
export const specPath = 'docs/changes/seeds/proposal.md'

/** What is stored of one moment of the recorded session. */
export interface History {
  /** Version of the program that wrote the journal. */
  version: string
  /** Version and directory, such as `0.1.0/execute-torn`. */
  name: string
  /** State that is visited; for a border the state that comes next. */
  state: string
  kind: 'mid-visit' | 'border' | 'finished'
  /** What had been done and what not, in one sentence. */
  about: string
  /** Commit of the branch. */
  head: string
  /** Lines that the journal had. */
  journalLines: number
  /** Bytes of a line that was being written. */
  torn?: string
  /** Changed files that were in the index. */
  staged?: string[]
}

export interface RestoredHistory extends History {
  root: string
  /** Relative to `root`, as `specPath`. */
  sessionDir: string
  specPath: string
}

/** All stored histories, by name. */
export function histories(): History[] {
  const folders = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  return folders(here).flatMap((version) =>
    folders(join(here, version)).map((folder): History => {
      const name = `${version}/${folder}`
      const stored = JSON.parse(readFileSync(join(here, name, 'history.json'), 'utf8')) as Omit<
        History,
        'version' | 'name'
      >
      return { version, name, ...stored }
    }),
  )
}

/**
 * Rebuilds the project and its session in `into`, which must not exist: commits with their ids, the index, changed
 * files, the session directory. Rejects when there is no history of that name.
 */
export async function restoreHistory(name: string, into: string): Promise<RestoredHistory> {
  const history = histories().find((one) => one.name === name)
  if (!history) throw new Error(`no history is called ${name}`)
  await restoreProject(history.version, into, history.head)
  const stored = join(here, name, 'project')
  for (const path of await filesBelow(stored)) {
    const target = join(into, undotted(relative(stored, path)))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, await readFile(path))
  }
  const lines = (await readFile(join(here, history.version, 'journal.jsonl'), 'utf8')).split('\n')
  const journal = [...lines.slice(0, history.journalLines), history.torn ?? ''].join('\n')
  await mkdir(join(into, sessionDir), { recursive: true })
  await writeFile(join(into, sessionDir, 'journal.jsonl'), journal)
  if (history.staged) await git(into, ['add', '--', ...history.staged])
  await ageFiles(into)
  return { ...history, root: into, sessionDir, specPath }
}

/** The project without a session; at its first commit unless another is named. */
export async function restoreProject(version: string, into: string, head?: string): Promise<void> {
  await mkdir(into)
  await git(into, ['init', '-q', '-b', 'main'])
  await git(into, ['config', 'user.name', 'Test Person'])
  await git(into, ['config', 'user.email', 'person@example.invalid'])
  // As loose objects, so that what came after `head` can be thrown away.
  await git(into, ['config', 'fastimport.unpackLimit', '100000'])
  await git(into, ['config', 'core.autocrlf', 'false'])
  await fastImport(into, await readFile(join(here, version, 'project.fast-export')))
  const first = await git(into, ['rev-list', '--max-parents=0', 'main'])
  await git(into, ['reset', '-q', '--hard', head ?? first])
  await git(into, ['reflog', 'expire', '--expire=now', '--all'])
  await git(into, ['update-ref', '-d', 'ORIG_HEAD'])
  await git(into, ['prune', '--expire=now'])
}

const environment = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

async function git(cwd: string, args: string[]): Promise<string> {
  return (await run('git', args, { cwd, env: environment })).stdout.trimEnd()
}

function fastImport(cwd: string, stream: Buffer): Promise<void> {
  const child = spawn('git', ['fast-import', '--quiet'], {
    cwd,
    env: environment,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`git fast-import: ${code}`))))
    child.stdin.end(stream)
  })
}

/** Names that begin with a dot are stored as `dot-name`, so that they mean nothing in this repository. */
function undotted(path: string): string {
  return path.replace(/(^|\/)dot-/g, '$1.')
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(dir, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    }),
  )
  return found.flat()
}

/** Files are older than the session: one that is new would count as written by the phase at work. */
async function ageFiles(root: string): Promise<void> {
  const long = new Date('2024-01-01T00:00:00Z')
  for (const path of await filesBelow(root)) {
    if (path.startsWith(join(root, '.git/'))) continue
    if ((await lstat(path)).isFile()) await utimes(path, long, long)
  }
}
