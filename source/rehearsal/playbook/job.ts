import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { counted } from '../../counted.js'
import { runNode } from '../node-tests.js'
import type { Repository } from '../repository.js'
import type { Voice } from '../voice.js'
import type { Order } from './order.js'
import type { PhaseScript, SampleFile, Trial } from './scenario.js'

/** One dispatch of one role. */
export interface Job {
  order: Order
  /** Of the phase; what looks at the whole run has all of them. */
  script: PhaseScript
  voice: Voice
  repository: Repository
}

export interface Delivery {
  result: unknown
  /** One sentence. */
  summary: string
}

const pathIn = ({ order }: Job, path: string) => join(order.projectDir, path)

export async function readProject(job: Job, path: string): Promise<string> {
  return readFile(pathIn(job, path), 'utf8').catch(() => '')
}

/** Shown as the edits that they are. */
export async function writeFiles(job: Job, files: readonly SampleFile[]): Promise<void> {
  for (const { path, text } of files)
    await job.voice.tool({ name: 'write', kind: 'edit', title: path }, async () => {
      await mkdir(dirname(pathIn(job, path)), { recursive: true })
      await writeFile(pathIn(job, path), text)
      return { output: counted(text.split('\n').length - 1, 'line'), value: undefined }
    })
}

/** Runs one command line of words without quotes, such as `node --test test/a.test.mjs`; only node is known here. */
export async function runCommandLine(job: Job, command: string): Promise<boolean> {
  const [program, ...args] = command.split(' ')
  if (program !== 'node') throw new Error(`the rehearsal does not run "${command}"`)
  return job.voice.tool({ name: 'bash', kind: 'exec', title: command }, async () => {
    const { code, output } = await runNode(job.order.projectDir, args)
    return { output: output.split('\n').slice(-8).join('\n'), ok: code === 0, value: code === 0 }
  })
}

/** A trial with what came of it. */
export interface Tried {
  trial: Trial
  printed: string
  held: boolean
  /** `path:line` of where it is decided. */
  place: string
}

/** Runs the code of a trial in the project and looks up the line that decides it. */
export async function tryOut(job: Job, trial: Trial): Promise<Tried> {
  const { path, words } = trial.at
  const printed = await job.voice.tool(
    { name: 'bash', kind: 'exec', title: `node: ${trial.says}` },
    async () => {
      const { output } = await runNode(job.order.projectDir, ['--input-type=module', '-e', trial.code])
      const last = output.trim().split('\n').at(-1) ?? ''
      return { output: last, ok: last === trial.expected, value: last }
    },
  )
  const lines = (await readProject(job, path)).split('\n')
  const line = Math.max(1, lines.findIndex((text) => text.includes(words)) + 1)
  return { trial, printed, held: printed === trial.expected, place: `${path}:${line}` }
}

export async function tryAll(job: Job): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const trial of job.script.trials) tried.push(await tryOut(job, trial))
  return tried
}

/** `half a book is 50: prints 50 (source/progress.mjs:3)` */
export const triedText = ({ trial, printed, place }: Tried) => `${trial.says}: prints ${printed} (${place})`
export const commandOf = ({ trial, printed }: Tried) =>
  `node -e "${trial.code.split('\n').at(-1)}" -> ${printed}`
