import { debugSubject } from '../orders/commit-subject.js'
import { send } from '../send.js'
import { commitLeft, headOf } from '../task-loop/commits.js'
import type { PhaseWork } from '../work.js'

// A phase that is taken back by hand, where commits of others stand among its own (docs/playbook-checks.md, "Rollback").

export interface TakeBack {
  /** Commits of the phase. */
  own: readonly string[]
  /** Those of others, as they are told: `1234567 Subject`. */
  foreign: readonly string[]
  /** Commit from before the phase. */
  checkpoint: string
  /** What agents have committed to take it back in rounds before. */
  byAgents: readonly string[]
  /** From 1. */
  round: number
}

export interface TakenBack {
  head: string
  /** What the agent committed, or left and was committed. */
  commits: string[]
  /** Files that still hold what the phase did. */
  left: string[]
}

/** A debugger takes back what the phase did; what is left of it is read from git, never from the agent's word. */
export async function takeBackByHand(work: PhaseWork, key: string, wish: TakeBack): Promise<TakenBack> {
  const { run, git, facts, at } = work
  const { own, foreign, checkpoint, round, byAgents } = wish
  const before = await headOf(work, `${key}-head`)
  const subject = debugSubject(facts.id, round)
  const issues = [
    `Phase ${facts.id} failed and is taken back. Take back in the project what these commits did, and leave .planning/ as it is: ${own.join(', ')}. Do not move any branch: change the files and commit.`,
    ...(foreign.length === 0
      ? []
      : [`What these commits of others did has to stay as it is: ${foreign.join('; ')}.`]),
  ]
  await send(
    work,
    'debug',
    { issues, failingChecks: [], remainingIssues: [], debugAttempt: round, commitSubject: subject },
    { key, title: `Take back phase ${facts.id}: ${facts.name}`, attempt: round },
  )
  await commitLeft(work, `${key}-left`, subject)
  return run.step(`${at}${key}-looked`, async (): Promise<TakenBack> => {
    const head = (await git.head()) ?? ''
    const commits = head === before ? [] : (await git.log(before)).map(({ sha }) => sha)
    return { head, commits, left: await leftOf(work, { own, checkpoint, before, byAgents }) }
  })
}

const isRecord = (path: string) => path.startsWith('.planning/')

/**
 * Files of the phase that are not as they were before it. Of one that others changed too nobody can say how it should be
 * now: it has to be another than it was, and no line may be in it that nobody but the phase has written. `before`: the
 * commit on which the agent began.
 */
async function leftOf(
  { git }: PhaseWork,
  {
    own,
    checkpoint,
    before,
    byAgents,
  }: Pick<TakeBack, 'own' | 'checkpoint' | 'byAgents'> & { before: string },
): Promise<string[]> {
  const earlier = new Set((await git.log(checkpoint, before)).map(({ sha }) => sha))
  const commits = (await git.commitContents(checkpoint)).filter(
    ({ sha }) => earlier.has(sha) && !byAgents.includes(sha),
  )
  const pathsOf = (isOwn: boolean) =>
    new Set(
      commits
        .filter(({ sha }) => own.includes(sha) === isOwn)
        .flatMap(({ files }) => files.map(({ path }) => path)),
    )
  const [ours, theirs] = [pathsOf(true), pathsOf(false)]
  const differs = new Set(await git.changedFiles(checkpoint))
  const touched = new Set(await git.changedFiles(before))
  const left: string[] = []
  for (const path of [...ours].filter((one) => !isRecord(one)).sort()) {
    const holds = theirs.has(path)
      ? !touched.has(path) || (await holdsOurs(git, path, { commits, own, checkpoint }))
      : differs.has(path)
    if (holds) left.push(path)
  }
  return left
}

type Commits = Awaited<ReturnType<PhaseWork['git']['commitContents']>>

/** Whether a file still has a line that only commits of the phase have put into it. */
async function holdsOurs(
  git: PhaseWork['git'],
  path: string,
  { commits, own, checkpoint }: { commits: Commits; own: readonly string[]; checkpoint: string },
): Promise<boolean> {
  const linesAt = async (commit: string) =>
    new Set(((await git.textAt(commit, path)) ?? '').split('\n').flatMap((line) => line.trim() || []))
  const [ours, others] = [new Set<string>(), await linesAt(checkpoint)]
  for (const { sha, files } of commits) {
    if (!files.some((one) => one.path === path)) continue
    const before = await linesAt(`${sha}^`)
    for (const line of await linesAt(sha))
      if (!before.has(line)) (own.includes(sha) ? ours : others).add(line)
  }
  const now = await linesAt('HEAD')
  return [...ours].some((line) => /[\p{L}\p{N}]/u.test(line) && !others.has(line) && now.has(line))
}
