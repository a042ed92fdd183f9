import { commitChanges } from '../../commits/checkpoint-commit.js'
import type { Pass } from '../pass.js'
import { isOwnFile } from '../states/settle-tree.js'
import { keptChanges } from '../steps/own-changes.js'
import { type PhaseWork, savePhase } from '../work.js'

/** What a dispatch that may write has left, by git. */
export interface Written {
  head: string
  /** Oldest first. */
  commits: { sha: string; subject: string }[]
  files: string[]
}

export function headOf(pass: PhaseWork, key: string): Promise<string> {
  return pass.run.step(`${pass.at}${key}`, async () => (await pass.git.head()) ?? '')
}

/** Commits what was left uncommitted, but for what the person had so before. */
export async function commitLeft(work: PhaseWork, key: string, subject: string): Promise<void> {
  const { run, tools, git, at } = work
  await commitChanges(
    run,
    { ...tools, git },
    {
      key: `${at}${key}`,
      message: `${subject}what was left uncommitted`,
      baseline: async () => ({ dirty: keptChanges(run.state), decided: {} }),
      decide: async () => undefined,
      leaveOut: [],
      takes: (path) => !isOwnFile(path),
    },
  )
}

/**
 * Commits what was left uncommitted, and says what came since `from`. The commits are the phase's own from then on: a
 * rollback takes back these and no others.
 */
export async function takeWork(pass: Pass, key: string, from: string, subject: string): Promise<Written> {
  const { run, git, at } = pass
  await commitLeft(pass, `${key}-left`, subject)
  const written = await run.step(`${at}${key}-written`, async (): Promise<Written> => {
    const head = (await git.head()) ?? ''
    if (head === from) return { head, commits: [], files: [] }
    const commits = (await git.log(from)).map(({ sha, subject: said }) => ({ sha, subject: said })).reverse()
    return { head, commits, files: (await git.changedFiles(from)).filter((path) => !isOwnFile(path)) }
  })
  if (written.commits.length === 0) return written
  const shas = written.commits.map(({ sha }) => sha)
  pass.log.commits.push(...shas)
  await savePhase(pass, `${key}-commits`, (phase) => ({
    ...phase,
    commit_shas: [...phase.commit_shas, ...shas.filter((sha) => !phase.commit_shas.includes(sha))],
  }))
  return written
}
