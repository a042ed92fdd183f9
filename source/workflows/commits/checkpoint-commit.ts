import type { CommitResult } from '../../project/git.js'
import type { Run } from '../../run/run.js'
import type { PhaseContext } from '../harness/phases.js'
import type { HarnessState } from '../harness/state/state.js'
import type { HarnessTools } from '../harness/tools.js'
import { readBaseline, writeBaseline } from './baseline.js'
import { qCommit, qDirty, qSecrets } from './questions.js'

// Checkpoint and recovery commits (section 5.2; reliability.md section 6).

export function checkpointMessage(number: number, description: string): string {
  return `[autopilot] Checkpoint ${number}: ${oneLine(description)}`
}

export function recoveryMessage(context: PhaseContext, taskId: string): string {
  return `[autopilot][recovery] ${context.label} — recovery at task ${taskId}`
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 72 ? `${line.slice(0, 71)}…` : line
}

/** Kept for the project by this program; whether and when they are committed is the person's. */
const ownRecords = ['.harness/learnings.md', '.harness/failures.md', '.harness/.gitignore']

export interface Committed {
  committed: boolean
  sha?: string
  message: string
}

interface CommitIntent {
  head: string | null
  paths: string[]
  skipHooks: boolean
}

/** Commits what changed since the phase began, by explicit paths. Nothing to commit goes on silently. */
export async function commitChanges(
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
  key: string,
  message: string,
): Promise<Committed> {
  const paths = await choosePaths(run, tools, context, key)
  if (paths.length === 0) return { committed: false, message }
  let skipHooks = false
  for (let attempt = 1; ; attempt += 1) {
    const result = await commitOnce(run, tools, `${key}-commit-${attempt}`, paths, message, skipHooks)
    if (result.committed === true) {
      await run.note(`${key}-committed-${attempt}`, `${message} (${result.sha.slice(0, 7)})`, 'commit')
      return { committed: true, sha: result.sha, message }
    }
    if (result.committed === false) return { committed: false, message }
    const output = result.output.split('\n').slice(-20)
    const answer = await run.ask(`${key}-failed-${attempt}`, qCommit(message, output, result.kind === 'hook'))
    if (answer.value === 'leave') return { committed: false, message }
    skipHooks = answer.value === 'no-hooks'
  }
}

function commitOnce(
  run: Run<HarnessState>,
  tools: HarnessTools,
  key: string,
  paths: string[],
  message: string,
  skipHooks: boolean,
): Promise<CommitResult> {
  const attemptId = (effectId: string) => `${tools.slug}/${effectId}`
  return run.effect<CommitIntent, CommitResult>(key, {
    prepare: async () => ({ head: await tools.git.head(), paths, skipHooks }),
    apply: (intent, effectId) =>
      tools.git.commit({
        paths: intent.paths,
        message,
        attemptId: attemptId(effectId),
        ...(intent.skipHooks ? { skipHooks: true } : {}),
      }),
    recover: async (intent, effectId) => {
      const sha = await tools.git.findAttempt(attemptId(effectId), intent.head)
      if (sha === null) return undefined
      await tools.git.finishAttempt(intent.paths)
      return { committed: true, sha, message }
    },
  })
}

/** Paths of this phase; what the person had uncommitted before, and what looks like a secret, is asked about. */
async function choosePaths(
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
  key: string,
): Promise<string[]> {
  const found = await run.step(`${key}-changes`, async () => {
    const baseline = await readBaseline(tools, context.number)
    const changes = await tools.git.changedSince(baseline.dirty)
    const mine = changes.mine.filter((path) => !ownRecords.includes(path))
    return { ...changes, mine, decided: baseline.decided }
  })
  const open = found.beforehand.filter((path) => found.decided[path] === undefined)
  const included = found.beforehand.filter((path) => found.decided[path] === 'include')
  if (open.length > 0) {
    const answer = await run.ask(`${key}-dirty`, qDirty(open))
    const choice = answer.value === 'include' ? 'include' : 'leave'
    await run.step(`${key}-decided`, () => rememberChoice(tools, context.number, open, choice))
    if (choice === 'include') included.push(...open)
  }
  return withoutSecrets(run, tools, key, [...found.mine, ...included])
}

async function rememberChoice(
  tools: HarnessTools,
  phase: number,
  paths: string[],
  choice: 'include' | 'leave',
) {
  const baseline = await readBaseline(tools, phase)
  for (const path of paths) baseline.decided[path] = choice
  await writeBaseline(tools, phase, baseline)
}

async function withoutSecrets(run: Run<HarnessState>, tools: HarnessTools, key: string, paths: string[]) {
  if (paths.length === 0) return paths
  const secrets = await run.step(`${key}-secrets`, () => tools.git.secretsIn(paths))
  if (secrets.length === 0) return paths
  const lines = secrets.map((secret) => `${secret.path}: ${secret.kind}`)
  const answer = await run.ask(`${key}-secrets`, qSecrets(lines))
  if (answer.value === 'include') return paths
  const hidden = new Set(secrets.map((secret) => secret.path))
  return paths.filter((path) => !hidden.has(path))
}
