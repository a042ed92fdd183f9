import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../problem.js'
import { git } from './repository.js'

async function refuseUsed(dir: string): Promise<void> {
  const entries = await readdir(dir).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw new Problem({
      code: 'usage',
      what: `${dir} is not a folder that the demo can use (${cause.code ?? cause.message}).`,
      why: 'The demo writes a sample project with a git repository of its own there.',
      todo: 'Name a folder that is empty or does not exist: `autopilot demo <folder>`.',
      cause,
    })
  })
  if (entries.length === 0) return
  throw new Problem({
    code: 'usage',
    what: `${dir} is not empty.`,
    why: 'The demo writes a sample project with a git repository of its own, which would mix with what is there.',
    todo: 'Name a folder that is empty or does not exist: `autopilot demo <folder>`.',
  })
}

async function gitOrProblem(dir: string, args: string[]): Promise<void> {
  const reply = await git(dir, args).catch((cause: Error) => ({ code: 1, stdout: '', stderr: cause.message }))
  if (reply.code === 0) return
  throw new Problem({
    code: 'git',
    what: `The sample project could not be put under git: git ${args[0]} said "${reply.stderr.trim()}".`,
    why: 'autopilot checks the work of agents by git, so that there is no demo without it.',
    todo: 'Make sure that git 2.36 or newer is installed and starts, then run the demo again in a fresh folder.',
  })
}

/** One commit of a sample project: its files, by path. */
export interface SampleCommit {
  message: string
  files: readonly { path: string; text: string }[]
}

/** Writes a project into an empty or absent folder, in a repository of its own with an identity that holds there only. */
export async function writeSampleProject(dir: string, commits: readonly SampleCommit[]): Promise<void> {
  await refuseUsed(dir)
  for (const file of commits.flatMap(({ files }) => files)) {
    await mkdir(dirname(join(dir, file.path)), { recursive: true })
    await writeFile(join(dir, file.path), file.text)
  }
  await gitOrProblem(dir, ['init', '-q', '-b', 'main'])
  await gitOrProblem(dir, ['config', 'user.name', 'Demo Person'])
  await gitOrProblem(dir, ['config', 'user.email', 'demo@autopilot.invalid'])
  await gitOrProblem(dir, ['config', 'commit.gpgSign', 'false'])
  for (const { message, files } of commits) {
    await gitOrProblem(dir, ['add', '--', ...files.map((file) => file.path)])
    await gitOrProblem(dir, ['commit', '-q', '-m', message])
  }
}
