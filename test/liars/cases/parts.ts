import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Job } from '../agent/job.js'
import { planText, sourceOf, testOf, twoPhases } from '../sample.js'
import type { World } from '../world.js'

// What cases of many kinds are made of.

export const executing = { persona: 'executor', during: 'EXECUTE' } as const
export const touching = { ...executing, gates: ['Q-TOUCHED'] } as const

/** Honest work, and then the lie. */
export const after = (lie: (job: Job) => void) => (job: Job) => {
  const result = job.honest()
  job.lie(() => lie(job))
  return result
}

/** Honest work, and then what is honest too. */
export const does = (deed: (job: Job) => void) => (job: Job) => {
  const result = job.honest()
  deed(job)
  return result
}

export const before = (deed: (job: Job) => void) => (job: Job) => {
  deed(job)
  return job.honest()
}

export const isFirst = (job: Job) => job.phase.name === twoPhases[0]?.name

/** A text that has all of these patterns in it, in any order. */
export const all = (...patterns: string[]) =>
  new RegExp(`^${patterns.map((each) => `(?=[\\s\\S]*${each})`).join('')}`, 'i')

export const holds = (what: string, true_: boolean) => (true_ ? undefined : `${what} is missing`)

export const committed = async (world: World, subject: string) =>
  holds(`commit ${subject}`, (await world.git('log', '--format=%s')).split('\n').includes(subject))

/** A plan in other words. */
export const planned = (change: (text: string, job: Job) => string) => (job: Job) => {
  const result = job.plan()
  job.write(job.planPath, change(planText(job.phase), job))
  return result
}

/** As the plan names them. */
export const filesOf = (scale: string) => `${sourceOf(scale)}, ${testOf(scale)}`

/** Commands of a shell in the project, each of which has to succeed. */
export function shell(world: World, ...lines: string[]): void {
  execFileSync('sh', ['-c', lines.join(' && ')], { cwd: world.dir, env: world.env, stdio: 'pipe' })
}

export function inHome(job: Job, name: string, text: string): void {
  const path = join(job.folder, 'home', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A submodule of two commits. */
export const withLibrary = async (world: World) =>
  shell(
    world,
    'git init -q --bare ../lib.git',
    'git clone -q ../lib.git ../work 2>/dev/null',
    'cd ../work && echo 1 > a.txt && git add . && git commit -q -m one && echo 2 > a.txt && git commit -q -a -m two && git push -q origin HEAD && cd -',
    'git -c protocol.file.allow=always submodule add -q ../lib.git lib',
    'git commit -q -m "chore: lib"',
  )
