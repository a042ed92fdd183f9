import { access, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeDurable } from '../../../storage/durable-file.js'
import type { HarnessTools } from '../tools.js'

/** Repo-relative paths of the session's files (harness.md section 2). */
export function sessionFiles(sessionDir: string) {
  return {
    state: `${sessionDir}/autopilot-state.json`,
    taskState: `${sessionDir}/state.json`,
    archivedTaskState: (phase: number) => `${sessionDir}/archive/state-before-phase-${phase}.json`,
    handoff: `${sessionDir}/handoff.json`,
    review: (phase: number) => `${sessionDir}/phase-${phase}-review.json`,
    baseline: (phase: number) => `${sessionDir}/phase-${phase}-baseline.json`,
    summary: `${sessionDir}/summary.md`,
    learnings: `${sessionDir}/learnings.md`,
    scratchpad: `${sessionDir}/scratchpad`,
    pullRequest: `${sessionDir}/pull-request.md`,
    index: '.harness/sessions/index.md',
    globalLearnings: '.harness/learnings.md',
    failures: '.harness/failures.md',
    roadmap: 'docs/roadmap.md',
  }
}

/** The text of a project file, or undefined when there is none. Other failures are thrown. */
export async function readText(tools: Pick<HarnessTools, 'root'>, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(tools.root, path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export async function writeText(
  tools: Pick<HarnessTools, 'root'>,
  path: string,
  text: string,
): Promise<void> {
  const absolute = join(tools.root, path)
  await mkdir(dirname(absolute), { recursive: true })
  await writeDurable(absolute, Buffer.from(text, 'utf8'))
}

export async function fileExists(tools: Pick<HarnessTools, 'root'>, path: string): Promise<boolean> {
  return access(join(tools.root, path)).then(
    () => true,
    () => false,
  )
}
