import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Problem } from '../problem.js'
import { shellWord } from '../project/shell-word.js'
import { defaultRehearsal, rehearsals } from '../rehearsal/registry.js'
import type { RunOptions } from './run-options.js'
import { start } from './start.js'

const defaultDir = 'autopilot-demo'

export type DemoOptions = Omit<RunOptions, 'input' | 'agent' | 'trusted' | 'fresh' | 'goOn'> & {
  dir?: string
  /** Value of `--workflow`. */
  workflow?: string
}

/** `autopilot demo [folder]`: the sample project with the scripted agent; a demo that was left is resumed. */
export async function demo(options: DemoOptions): Promise<number> {
  const { workflow, dir: named, ...rest } = options
  const load = rehearsals[workflow ?? defaultRehearsal]
  if (!load) throw noDemo(String(workflow))
  const { sample } = await load()
  const dir = resolve(options.cwd, named ?? defaultDir)
  const fresh = !(await isDemo(dir, sample.subject))
  if (fresh) await sample.create(dir)
  return start({
    ...rest,
    cwd: dir,
    input: sample.subject,
    agent: 'rehearsal',
    trusted: true,
    fresh,
    goOn: `autopilot demo${named ? ` ${shellWord(named)}` : ''}${workflow ? ` --workflow ${workflow}` : ''}`,
  })
}

async function isDemo(dir: string, subject: string): Promise<boolean> {
  const entries = await readdir(dir).catch(() => [] as string[])
  if (!entries.includes('.git')) return false
  return stat(join(dir, subject)).then(
    () => true,
    () => false,
  )
}

function noDemo(workflow: string): Problem {
  return new Problem({
    code: 'usage',
    what: `There is no demo of a workflow named "${workflow}".`,
    why: 'A demo needs a sample project and a scripted agent that were made for its workflow.',
    todo: `Use one of: ${Object.keys(rehearsals).join(', ')}.`,
  })
}
