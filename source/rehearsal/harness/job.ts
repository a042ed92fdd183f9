import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { counted } from '../../counted.js'
import { runTests, type TestRun } from '../node-tests.js'
import type { Repository } from '../repository.js'
import type { Voice } from '../voice.js'
import type { Brief } from './brief.js'
import type { Records } from './records.js'
import type { ScriptFile } from './scenario/script.js'

/** What every persona of the rehearsal works with. */
export interface Job {
  brief: Brief
  voice: Voice
  repository: Repository
  records: Records
}

/** What a persona ends with: the result of the contract, and one sentence about it. */
export interface Delivery {
  result: Record<string, unknown>
  summary: string
}

/** Text of a project file, undefined when it is not there. */
export const readProject = (job: Job, path: string): Promise<string | undefined> =>
  readFile(join(job.brief.projectDir, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** Writes the files that differ from what is there, each as a tool call. */
export async function writeFiles(job: Job, files: ScriptFile[]): Promise<void> {
  for (const { path, text } of files) {
    const before = await readProject(job, path)
    if (before === text) continue
    await job.voice.tool({ name: 'write', kind: 'edit', title: path }, async () => {
      const target = join(job.brief.projectDir, path)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, text)
      const count = text.split('\n').length - 1
      return {
        output: `${before === undefined ? 'new' : 'changed'}, ${counted(count, 'line')}`,
        value: undefined,
      }
    })
  }
}

/** Really runs the project's tests, as a tool call. */
export function testProject(job: Job, files: string[] = []): Promise<TestRun> {
  const title = ['node --test', ...files].join(' ')
  return job.voice.tool({ name: 'bash', kind: 'exec', title }, async () => {
    const run = await runTests(job.brief.projectDir, files)
    return { output: run.output, ok: run.ok, value: run }
  })
}

/** Commits exactly the paths, as a tool call. */
export function commitPaths(job: Job, message: string, paths: string[]): Promise<void> {
  return job.voice.tool({ name: 'bash', kind: 'exec', title: `git commit -m "${message}"` }, async () => {
    await job.repository.commit(message, paths)
    return { output: message, value: undefined }
  })
}
