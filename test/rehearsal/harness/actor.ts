import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'
import type { TestProject } from '../../support/project.js'

export const sessionDir = '.harness/sessions/changes--watering-plan--proposal'
const planDate = '2030-04-02'

interface Line {
  type: string
  [field: string]: unknown
}

export interface Performance {
  code: number | null
  signal: NodeJS.Signals | null
  lines: Line[]
  result: Record<string, unknown>
  stderr: string
}

let program = ''

/** Bundles the scripted agent once for the tests of a file, as the build does. */
export function bundleRehearsal(): void {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'autopilot-rehearsal-'))
    program = join(folder, 'rehearsal.mjs')
    await build({
      entryPoints: ['source/rehearsal/main.ts'],
      outfile: program,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
}

export interface Dispatch {
  phase: { number: number; name: string }
  expects: 'plan' | 'execution' | 'verification' | 'review'
  [field: string]: unknown
}

export const planPathOf = (phase: string) =>
  `docs/plans/${planDate}-${phase.toLowerCase().replaceAll(' ', '-')}-plan.md`

/** Starts the agent on one dispatch, killed as soon as it printed `killAtLine` lines when that is given. */
export async function perform(
  project: TestProject,
  dispatch: Dispatch,
  options: { killAtLine?: number; id?: string; env?: Record<string, string> } = {},
): Promise<Performance> {
  const id = options.id ?? `${dispatch.expects}-${dispatch.phase.number}`
  const brief = {
    id,
    workflow: 'harness',
    persona: 'any',
    attempt: 1,
    projectDir: project.dir,
    sessionDir,
    slug: 'changes--watering-plan--proposal',
    rigor: 'standard',
    specPath: 'docs/changes/watering-plan/proposal.md',
    planPath: planPathOf(dispatch.phase.name),
    statePath: `${sessionDir}/state.json`,
    handoffPath: `${sessionDir}/handoff.json`,
    ...dispatch,
    phase: { description: '', total: 3, ...dispatch.phase },
  }
  const file = `${sessionDir}/dispatches/${id}.json`
  await mkdir(project.path(sessionDir, 'dispatches'), { recursive: true })
  await writeFile(project.path(file), JSON.stringify(brief))
  const child = spawn(process.execPath, [program], {
    cwd: project.dir,
    env: { ...project.env, AUTOPILOT_DISPATCH: file, AUTOPILOT_REHEARSAL_PACE: '0', ...options.env },
    detached: true,
  })
  child.stdin.on('error', () => {})
  child.stdin.end('Please do it.\n'.repeat(10))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
    if (options.killAtLine !== undefined && stdout.split('\n').length > options.killAtLine)
      killGroup(child.pid)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const { code, signal } = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal }))
    },
  )
  const lines = stdout
    .split('\n')
    .slice(0, -1)
    .map((line): Line => JSON.parse(line))
  const end = lines.findLast((line) => line.type === 'end')
  return { code, signal, lines, result: (end?.result ?? {}) as Record<string, unknown>, stderr }
}

/** The whole group, as a supervisor does it. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Already over.
  }
}
