import { main } from '../../source/main.js'
import { registry } from '../../source/workflows/registry.js'

// The program under test for one run after the other: what starts and compiles once is most of what a short run costs.
// Each run has its own directory, environment and arguments, as a process of its own would.

export interface Job {
  kind: 'run'
  argv: string[]
  cwd: string
  env: Record<string, string>
}

export type FromWarm = { kind: 'began' } | { kind: 'ended'; code: number }

const tell = (message: FromWarm) => void process.send?.(message)

process.on('message', async (job: Job) => {
  if (job.kind !== 'run') return
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, job.env)
  process.chdir(job.cwd)
  process.exitCode = undefined
  tell({ kind: 'began' })
  await main(registry, job.argv)
  tell({ kind: 'ended', code: Number(process.exitCode ?? 0) })
})
