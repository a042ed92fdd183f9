import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { environmentOf } from './environment.js'
import { onePhase, planText, type SamplePhase, sessionDir, specPath, specText } from './sample.js'
import type { Workshop } from './workshop.js'

const run = promisify(execFile)

/** The surroundings of one run: a project, a home, and what can be seen in them from outside. */
export interface World {
  /** Holds `project`, `home` and `tmp`; its path names every process that was started for this run. */
  folder: string
  dir: string
  home: string
  env: Record<string, string>
  phases: SamplePhase[]
  path(name: string): string
  session(name: string): string
  read(name: string): Promise<string>
  /** The text, or what is in its place: `missing`, `no file`. */
  look(name: string): Promise<string>
  write(name: string, text: string): Promise<void>
  git(...args: string[]): Promise<string>
  commit(subject: string, files: Record<string, string>): Promise<void>
  /** Adds to the user's own settings. */
  settings(value: Record<string, unknown>): Promise<void>
  /** Path and text of the plan of the first phase, as the honest planner wrote it. */
  plan(): Promise<{ path: string; text: string }>
  /** Something planted was executed by somebody. */
  canary(): boolean
  said(): string
}

export async function makeWorld(workshop: Workshop, name: string, phases?: SamplePhase[]): Promise<World> {
  // The same case may run behind two backends at once.
  const folder = join(workshop.dir, `${name}-${randomBytes(3).toString('hex')}`)
  await run('cp', ['-a', workshop.template, folder])
  const dir = join(folder, 'project')
  const home = join(folder, 'home')
  const env = environmentOf(folder)
  const path = (one: string) => join(dir, one)
  const settings: Record<string, unknown> = {}
  const world: World = {
    folder,
    dir,
    home,
    env,
    phases: phases ?? onePhase,
    path,
    session: (one) => path(join(sessionDir, one)),
    read: (one) => readFile(path(one), 'utf8'),
    async look(one) {
      const info = await lstat(path(one)).catch(() => undefined)
      if (!info) return 'missing'
      return info.isFile() && info.size < 1_000_000 ? world.read(one) : 'no file'
    },
    async write(one, text) {
      await mkdir(dirname(path(one)), { recursive: true })
      await writeFile(path(one), text)
    },
    async git(...args) {
      const { stdout } = await run('git', args, { cwd: dir, env, maxBuffer: 64 * 1024 * 1024 })
      return stdout.trimEnd()
    },
    async commit(subject, files) {
      for (const [one, text] of Object.entries(files)) await world.write(one, text)
      await world.git('add', '--', ...Object.keys(files))
      await world.git('commit', '-q', '-m', subject)
    },
    async settings(value) {
      Object.assign(settings, value)
      const file = join(home, '.config/autopilot/config.json')
      await writeFile(file, JSON.stringify(settings), { mode: 0o600 })
    },
    async plan() {
      const state = JSON.parse(await world.read(join(sessionDir, 'autopilot-state.json'))) as {
        phases: { planPath: string }[]
      }
      return { path: state.phases[0]?.planPath ?? '', text: planText(world.phases[0] as SamplePhase) }
    },
    canary: () => existsSync(join(folder, 'canary')) || existsSync(path('node_modules/.canary')),
    said() {
      try {
        return readFileSync(path('node_modules/.liar-said'), 'utf8')
      } catch {
        return ''
      }
    },
  }
  if (phases) {
    await world.write(specPath, specText(phases))
    if ((await world.git('status', '--porcelain')) !== '')
      await world.git('commit', '-q', '-a', '-m', 'Other phases')
  }
  return world
}

/** The process namespace of the tests: who lives in another one is confined. Empty where there are none. */
export function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Removes what a run left, processes first: they are found by the folder in their arguments. */
export async function endWorld(world: World): Promise<void> {
  for (const pid of await processesOf(world)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone by itself.
    }
  }
  if (!process.env.LIARS_KEEP)
    await rm(world.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** Processes that name the folder of this run in their arguments. */
export function processesOf(world: World): Promise<number[]> {
  return processesNaming(world.folder)
}

/** Of these, the ones that a dispatch started to outlive it. */
export function leftBehind(world: World): Promise<number[]> {
  return processesNaming(`${world.folder}/left-behind`)
}

export async function processesNaming(path: string): Promise<number[]> {
  const all = existsSync('/proc/self/cmdline') ? await fromProc() : await fromPs()
  return all.flatMap(({ pid, line }) => {
    const after = line.charAt(line.indexOf(path) + path.length)
    const ours = line.includes(path) && /^[\s/'"]?$/.test(after)
    return ours && pid !== process.pid ? [pid] : []
  })
}

interface Listed {
  pid: number
  /** Its arguments. */
  line: string
}

/** Asked for after each run, some hundred times: no program is started where the system tells in files. */
async function fromProc(): Promise<Listed[]> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd()
      return [{ pid: Number(pid), line }]
    } catch {
      return []
    }
  })
}

async function fromPs(): Promise<Listed[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 })
  return stdout.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), line }))
}
