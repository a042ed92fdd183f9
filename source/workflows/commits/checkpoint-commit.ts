import type { CommitResult } from '../../project/git.js'
import type { Run } from '../../run/run.js'
import { RunStopped } from '../../run/stopped.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { isOfEditor } from '../evidence/products.js'
import type { Baseline, CommitTools } from './baseline.js'
import { type Settled, settlePlace, stagedSince, type WorkPlace } from './place.js'
import { qCommit, qDirty, qSecrets, qStaged } from './questions.js'

// Checkpoint and recovery commits (docs/harness.md, "Commits"; docs/durability.md).

export function checkpointMessage(number: number, description: string): string {
  return `[autopilot] Checkpoint ${number}: ${oneLine(description)}`
}

/** `phase` as it is called in commits: `Phase 2: Rule engine`. */
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
  /** Where the work tree stood when the last dispatch or commit had ended, where somebody looked. */
  place?: WorkPlace
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
  /** Where the person has seen the commit go. */
  expected?: { head: string | null; branch: string | null }
}

interface CommitTry {
  key: string
  message: string
  paths: string[]
  skipHooks: boolean
  expected: Settled
}

/** Commits what changed since the baseline, by explicit paths. Nothing to commit goes on silently. */
export async function commitChanges<State>(
  run: Run<State>,
  tools: CommitTools,
  order: CommitOrder,
): Promise<Committed> {
  const { key, message, place } = order
  let skipHooks = false
  let paths: string[] | undefined
  for (let attempt = 1; ; attempt += 1) {
    const suffix = attempt === 1 ? '' : `-${attempt}`
    const expected = place && (await settlePlace(run, tools.git, `${key}-place${suffix}`, place))
    if (place && !expected) return { committed: false, message }
    paths ??= await choosePaths(run, tools, order)
    if (paths.length === 0) return { committed: false, message }
    const result = await commitOnce(run, tools, {
      key: `${key}-commit-${attempt}`,
      message,
      paths,
      skipHooks,
      expected,
    })
    const besides = besidesWords(result)
    if (besides !== '') await run.note(`${key}-besides-${attempt}`, besides)
    if (result.committed === true) {
      await run.note(`${key}-committed-${attempt}`, `${message} (${result.sha.slice(0, 7)})`, 'commit')
      return { committed: true, sha: result.sha, message }
    }
    if (result.committed === false) return { committed: false, message }
    // It moved between the question and the commit: the question comes back, with what is there now.
    if (place && result.kind === 'head-moved') continue
    const output = result.output.split('\n').slice(-20)
    const answer = await run.ask(`${key}-failed-${attempt}`, qCommit(message, output, result.kind === 'hook'))
    if (answer.value === 'leave') return { committed: false, message }
    skipHooks = answer.value === 'no-hooks'
  }
}

const namedPaths = 10

/** What a commit does not hold although it changed, and what it holds although nobody asked for it; empty as a rule. */
function besidesWords(result: CommitResult): string {
  if (result.committed === 'failed') return ''
  const leftOut = (result.leftOut ?? []).map(({ path, why }) => `${path} (${why})`)
  const added = result.committed === true ? (result.added ?? []) : []
  return [words('Not committed', leftOut), words('Put into the commit by a hook', added)]
    .filter((each) => each !== '')
    .join('. ')
}

function words(title: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const more = names.length > namedPaths ? ` and ${names.length - namedPaths} more` : ''
  return sanitizeLine(`${title}: ${names.slice(0, namedPaths).join(', ')}${more}`)
}

function commitOnce<State>(run: Run<State>, tools: CommitTools, commit: CommitTry): Promise<CommitResult> {
  const { message, paths, skipHooks, expected } = commit
  const attemptId = (effectId: string) => `${tools.place.slug}/${effectId}`
  return run.effect<CommitIntent, CommitResult>(commit.key, {
    prepare: async () => ({
      head: await tools.git.head(),
      paths,
      skipHooks,
      ...(expected === undefined ? {} : { expected }),
    }),
    apply: async (intent, effectId) => {
      const result = await tools.git.commit({
        paths: intent.paths,
        message,
        attemptId: attemptId(effectId),
        ...(intent.skipHooks ? { skipHooks: true } : {}),
        ...(intent.expected === undefined ? {} : { expected: intent.expected }),
      })
      // Ended by the stop of the run, so nothing is on record: it is made when the run goes on.
      if (result.committed === 'failed' && run.signal.aborted) throw new RunStopped('key')
      return result
    },
    recover: async (intent, effectId) => {
      const sha = await tools.git.findAttempt(attemptId(effectId), intent.head, intent.paths)
      if (sha === null) return undefined
      await tools.git.finishAttempt(sha, intent.head)
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
    // What editors and systems keep beside the work of a person is no work.
    const takes = (path: string) =>
      !order.leaveOut.includes(path) && !isOfEditor(path) && (order.takes?.(path) ?? true)
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
  const chosen = await withoutStaged(run, tools, order, [...found.mine, ...included])
  return withoutSecrets(run, tools, key, chosen)
}

/** What the person has staged since the agent ended is theirs until they say otherwise. */
async function withoutStaged<State>(
  run: Run<State>,
  tools: CommitTools,
  { key, place }: CommitOrder,
  paths: string[],
): Promise<string[]> {
  if (place === undefined || paths.length === 0) return paths
  const staged = await run.step(`${key}-staged`, async () =>
    stagedSince(paths, place, await tools.git.dirty()),
  )
  if (staged.length === 0) return paths
  const answer = await run.ask(`${key}-staged`, qStaged(staged))
  return answer.value === 'include' ? paths : paths.filter((path) => !staged.includes(path))
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
