import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { temporaryRoot } from './temporary.js'

const run = promisify(execFile)

export interface TestProject {
  /** Everything of this test: project, home and temporary files. Removed when the test ends, however it ends. */
  readonly root: string
  /** The project directory, a git repository unless told otherwise. */
  readonly dir: string
  readonly home: string
  /** Complete environment for children: private home and configuration, an identity, no CI, no inherited GIT_*. */
  readonly env: Record<string, string>
  path(...parts: string[]): string
  write(path: string, text: string): Promise<void>
  read(path: string): Promise<string>
  /** Output of `git <args>` in the project, without the final newline; throws with stderr. */
  git(...args: string[]): Promise<string>
  /** Writes the files, stages exactly them and commits. */
  commit(message: string, files: Record<string, string>): Promise<void>
}

export interface ProjectOptions {
  /** First commit of the repository; none: a repository without a commit. */
  files?: Record<string, string>
  /** Default true. */
  git?: boolean
}

/** A directory of its own with a private home, so that nothing of the person who runs the tests is read or written. */
export async function createProject(options: ProjectOptions = {}): Promise<TestProject> {
  const root = await realpath(await mkdtemp(join(temporaryRoot, 'autopilot-test-')))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const dir = join(root, 'project')
  const home = join(root, 'home')
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test Person',
    GIT_AUTHOR_EMAIL: 'person@example.invalid',
    GIT_COMMITTER_NAME: 'Test Person',
    GIT_COMMITTER_EMAIL: 'person@example.invalid',
  }
  for (const folder of [dir, home, join(root, 'tmp')]) await mkdir(folder, { recursive: true })
  await writeFile(
    join(home, '.gitconfig'),
    '[init]\n\tdefaultBranch = main\n[user]\n\tname = Test Person\n\temail = person@example.invalid\n',
  )

  const project: TestProject = {
    root,
    dir,
    home,
    env,
    path: (...parts) => join(dir, ...parts),
    async write(path, text) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), text)
    },
    read: (path) => readFile(join(dir, path), 'utf8'),
    async git(...args) {
      const { stdout } = await run('git', args, { cwd: dir, env, maxBuffer: 64 * 1024 * 1024 })
      return stdout.replace(/\n$/, '')
    },
    async commit(message, files) {
      for (const [path, text] of Object.entries(files)) await project.write(path, text)
      await project.git('add', '--', ...Object.keys(files))
      await project.git('commit', '-q', '-m', message)
    },
  }
  if (options.git !== false) {
    await project.git('init', '-q', '-b', 'main')
    if (options.files) await project.commit('First commit', options.files)
  } else {
    for (const [path, text] of Object.entries(options.files ?? {})) await project.write(path, text)
  }
  return project
}
