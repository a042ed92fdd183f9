import type { CommitResult } from '../../project/git.js'
import type { Run } from '../../run/run.js'
import type { Baseline, CommitTools } from './baseline.js'
import { qCommit, qDirty, qSecrets } from './questions.js'

// Checkpoint and recovery commits (docs/harness.md, "Commits"; docs/durability.md).

export function checkpointMessage(number: number, description: string): string {
  return `[autopilot] Checkpoint ${number}: ${oneLine(description)}`
}

/** `phase` as it is called on the screen: `Phase 2: Rule engine`. */
export function recoveryMessage(phase: string, taskId: string): string {
  return `[autopilot][recovery] ${phase} — recovery at task ${taskId}`
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 72 ? `${line.slice(0, 71)}…` : line
}

/** What is to be committed: everything that changed since the baseline was taken, but for what is left out. */
export interface CommitOrder {
  /** Unique in the visit. */
  key: string
  message: string
  /** What was uncommitted when the work began; asked once, when the paths are chosen. */
  baseline(): Promise<Baseline>
  /** Puts on record what the person decided about such paths; `key` is unique in the visit. */
  decide(key: string, paths: readonly string[], choice: 'include' | 'leave'): Promise<void>
  /** Repo-relative paths whose commit is the person's own matter. */
  leaveOut: readonly string[]
  /** Which of the other paths the commit is about. Default: all. */
  takes?(path: string): boolean
}

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

/** Commits what changed since the baseline, by explicit paths. Nothing to commit goes on silently. */
export async function commitChanges<State>(
  run: Run<State>,
  tools: CommitTools,
  order: CommitOrder,
): Promise<Committed> {
  const { key, message } = order
  const paths = await choosePaths(run, tools, order)
  if (paths.length === 0) return { committed: false, message }
  let skipHooks = false
  for (let attempt = 1; ; attempt += 1) {
    const result = await commitOnce(run, tools, {
      key: `${key}-commit-${attempt}`,
      message,
      paths,
      skipHooks,
    })
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

function commitOnce<State>(
  run: Run<State>,
  tools: CommitTools,
  commit: { key: string; message: string; paths: string[]; skipHooks: boolean },
): Promise<CommitResult> {
  const { message, paths, skipHooks } = commit
  const attemptId = (effectId: string) => `${tools.place.slug}/${effectId}`
  return run.effect<CommitIntent, CommitResult>(commit.key, {
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

/** Paths that changed; what the person had uncommitted before, and what looks like a secret, is asked about. */
async function choosePaths<State>(
  run: Run<State>,
  tools: CommitTools,
  order: CommitOrder,
): Promise<string[]> {
  const { key } = order
  const found = await run.step(`${key}-changes`, async () => {
    const baseline = await order.baseline()
    const changes = await tools.git.changedSince(baseline.dirty)
    const takes = (path: string) => !order.leaveOut.includes(path) && (order.takes?.(path) ?? true)
    const mine = changes.mine.filter(takes)
    return { ...changes, mine, decided: baseline.decided }
  })
  const open = found.beforehand.filter((path) => found.decided[path] === undefined)
  const included = found.beforehand.filter((path) => found.decided[path] === 'include')
  if (open.length > 0) {
    const answer = await run.ask(`${key}-dirty`, qDirty(open))
    const choice = answer.value === 'include' ? 'include' : 'leave'
    await order.decide(`${key}-decided`, open, choice)
    if (choice === 'include') included.push(...open)
  }
  return withoutSecrets(run, tools, key, [...found.mine, ...included])
}

async function withoutSecrets<State>(
  run: Run<State>,
  tools: CommitTools,
  key: string,
  paths: string[],
): Promise<string[]> {
  if (paths.length === 0) return paths
  const secrets = await run.step(`${key}-secrets`, () => tools.git.secretsIn(paths))
  if (secrets.length === 0) return paths
  const lines = secrets.map((secret) => `${secret.path}: ${secret.kind}`)
  const answer = await run.ask(`${key}-secrets`, qSecrets(lines))
  if (answer.value === 'include') return paths
  const hidden = new Set(secrets.map((secret) => secret.path))
  return paths.filter((path) => !hidden.has(path))
}
