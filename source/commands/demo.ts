import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sampleSpecPath } from '../rehearsal/harness/sample-files.js'
import { createSampleProject } from '../rehearsal/harness/sample-project.js'
import { decideTerminal } from '../terminal/capabilities.js'
import { type RunOptions, run } from './run.js'

const defaultDir = 'autopilot-demo'

/** `autopilot demo [folder]`: the sample project with the scripted agent; a demo that was left is taken up again. */
export async function demo(
  options: Omit<RunOptions, 'spec' | 'agent' | 'trusted'> & { dir?: string },
): Promise<number> {
  const dir = resolve(options.cwd, options.dir ?? defaultDir)
  const mode = decideTerminal(process.env, process.stdin, process.stdout)
  // Without a terminal the run refuses before anything is written.
  if (mode.kind === 'screen' && !(await isDemo(dir))) await createSampleProject(dir)
  return run({
    cwd: mode.kind === 'screen' ? dir : options.cwd,
    spec: sampleSpecPath,
    agent: 'rehearsal',
    flags: options.flags,
    trusted: true,
    goOn: `autopilot demo${options.dir ? ` ${options.dir}` : ''}`,
  })
}

async function isDemo(dir: string): Promise<boolean> {
  const entries = await readdir(dir).catch(() => [] as string[])
  if (!entries.includes('.git')) return false
  return stat(join(dir, sampleSpecPath)).then(
    (info) => info.isFile(),
    () => false,
  )
}
