import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'

// Real repositories for tests, with a home of their own so that nothing depends on the machine.

export interface TestRepository {
  root: string
  home: string
  git(...args: string[]): string
  write(path: string, content: string | Buffer): Promise<void>
  hook(name: string, script: string): Promise<void>
  commitAll(message: string): string
  remove(): Promise<void>
}

const userConfig = `[user]
\tname = Test Person
\temail = person@example.org
[init]
\tdefaultBranch = main
[commit]
\tgpgSign = false
`

/** A repository with one commit that holds `readme.md`. Sets HOME for the test; `remove` gives it back. */
export async function makeRepository(options: { empty?: boolean } = {}): Promise<TestRepository> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'autopilot-test-')))
  const home = join(base, 'home')
  const root = join(base, 'project')
  await mkdir(home)
  await mkdir(root)
  await writeFile(join(home, '.gitconfig'), userConfig)
  const env = environment(home)
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined)
  vi.stubEnv('HOME', home)
  vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'))
  vi.stubEnv('AUTOPILOT_CONFIG_DIR', undefined)

  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  const repository: TestRepository = {
    root,
    home,
    git,
    write,
    hook: async (name, script) => {
      const path = join(root, '.git/hooks', name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `#!/bin/sh\n${script}\n`)
      await chmod(path, 0o755)
    },
    commitAll: (message) => {
      git('add', '-A')
      git('commit', '-q', '-m', message)
      return git('rev-parse', 'HEAD').trim()
    },
    remove: async () => {
      vi.unstubAllEnvs()
      await rm(base, { recursive: true, force: true })
    },
  }
  git('init', '-q')
  if (!options.empty) {
    await write('readme.md', 'hello\n')
    repository.commitAll('first')
  }
  return repository
}

function environment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    LC_ALL: 'C',
  }
}
