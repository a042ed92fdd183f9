import { counted } from '../../../counted.js'
import { dependentsOf } from '../../../documents/playbook-order.js'
import type { SideResult } from '../../../project/git.js'
import { diagnosticBranch, keptByRollback } from '../decisions/rollback.js'
import { gitsWords } from '../gits-words.js'
import { rollbackSubject } from '../orders/commit-subject.js'
import { tell } from '../progress.js'
import { qRevert } from '../questions/revert.js'
import { phaseIds, phaseOf } from '../state/phases.js'
import type { PhaseRecord } from '../state/schema.js'
import { isOwnFile } from '../states/settle-tree.js'
import { type PhaseWork, savePhase } from '../work.js'
import { keptChanges } from './own-changes.js'
import { takeBackByHand } from './taken-back.js'

// Taking a phase back: by reverts, on top of what is there. History stays, and what the person had uncommitted is kept.

export interface RolledBack {
  performed: boolean
  branch: string | null
  from: string
  to: string
  /** Why commits stand that should not. */
  refused?: string
}

/**
 * Takes back these commits of the phase in one commit. `key` is unique in the visit. Commits of other people in between
 * stay, once the person has agreed that only ours go.
 */
export async function rollBack(
  work: PhaseWork,
  key: string,
  { commits, checkpoint }: { commits: readonly string[]; checkpoint: string },
): Promise<RolledBack> {
  const { run, git, facts } = work
  const at = `${work.at}${key}`
  const before = await run.step(`${at}-look`, () => lookBack(work, { commits, checkpoint }))
  const none = { performed: false, branch: null, from: before.head, to: checkpoint }
  if (before.own.length === 0) return none
  await savePhase(work, `${key}-begins`, (phase) => phase, [
    {
      event: 'rollback_initiated',
      details: { from: before.head, to: checkpoint, commits: before.own.length },
    },
  ])
  const asked =
    before.foreign.length > 0
      ? await run.ask(
          `${at}-foreign`,
          qRevert(facts.id, { foreign: before.foreign, builtOn: before.builtOn ?? [] }),
        )
      : undefined
  if (asked?.value === 'leave')
    return { ...none, refused: `phases ${before.builtOn?.join(', ')} build on it` }
  const aside = await run.step(`${at}-aside`, () => putAside(work))
  if (aside !== null)
    await tell(work, `${key}-says-aside`, `What was uncommitted is kept in ${aside}.`, 'warning')
  const branch = await run.step(`${at}-branch`, () => git.branchHere(diagnosticBranch(facts.id)))
  let byHand = asked?.value === 'debugger'
  /** What agents have committed in rounds before, which is of nobody else. */
  const byAgents: string[] = []
  for (let round = 1; ; round += 1) {
    const tried = byHand
      ? await takenByHand(work, `${key}-hand-${round}`, { ...before, checkpoint, round, byAgents })
      : await reverted(work, `${key}-revert-${round}`, before.own)
    if ('trouble' in tried) {
      byAgents.push(...tried.commits)
      const question = byHand ? { left: tried.trouble } : { conflict: tried.trouble }
      const answer = await run.ask(`${at}-conflict-${round}`, qRevert(facts.id, question, round))
      if (answer.value === 'leave') return { ...none, branch, refused: tried.why }
      byHand = answer.value === 'debugger'
      continue
    }
    const gone = [...before.own, ...byAgents, ...tried.commits]
    await savePhase(
      work,
      `${key}-ends`,
      (phase) => ({
        ...phase,
        commit_shas: phase.commit_shas.filter((sha) => !gone.includes(sha)),
        reverted_shas: [...revertedOf(phase), ...gone],
      }),
      [{ event: 'rollback_completed', details: { branch, commit: tried.sha } }],
    )
    await tell(
      work,
      `${key}-says`,
      `Rolled back ${counted(before.own.length, 'commit')}; they stay on ${branch}.`,
      'warning',
    )
    return { performed: true, branch, from: before.head, to: checkpoint }
  }
}

interface Look {
  head: string
  /** As they are told. */
  foreign: string[]
  own: string[]
  /** Later phases that wait for this one and have commits in the range. A record of before has none. */
  builtOn?: string[] | undefined
}

async function lookBack(
  work: PhaseWork,
  { commits, checkpoint }: { commits: readonly string[]; checkpoint: string },
): Promise<Look> {
  const { run, git, facts } = work
  // What was taken back before is nobody's, and is not taken back a second time.
  const gone = new Set(revertedOf(phaseOf(run.state, facts.id)))
  const range = (await git.log(checkpoint)).filter(({ sha }) => !gone.has(sha))
  const contents = new Map((await git.commitContents(checkpoint)).map(({ sha, files }) => [sha, files]))
  const later = laterPhases(work)
  const folders = [facts.dir, ...later.folders]
  // Who plans or judges may commit what it wrote of a phase, which stays as it is.
  const isOfPhase = (sha: string) => {
    const files = contents.get(sha) ?? []
    return (
      files.length > 0 && files.every(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))
    )
  }
  // What the run did for phases that do not build on this one is nobody else's, and stays unasked.
  const isApart = (sha: string) => {
    const phase = later.phases.get(sha)
    return phase !== undefined && !later.dependents.includes(phase)
  }
  const foreign = range.filter(
    ({ sha, body }) =>
      !commits.includes(sha) && !/^Autopilot-Attempt:/m.test(body) && !isOfPhase(sha) && !isApart(sha),
  )
  const builtOn = later.dependents.filter((id) => range.some(({ sha }) => later.phases.get(sha) === id))
  return {
    head: (await git.head()) ?? '',
    foreign: foreign.map(({ sha, subject }) => `${sha.slice(0, 7)} ${subject}`),
    own: range.filter(({ sha }) => commits.includes(sha)).map(({ sha }) => sha),
    builtOn,
  }
}

/** Other phases of the run: which of them wait for this one, what is recorded for each, and where its records lie. */
function laterPhases({ run, tools, facts }: PhaseWork) {
  const outline = [...tools.outline.values()].map(({ id, dependsOn }) => ({ id, dependsOn }))
  const others = phaseIds(run.state).filter((id) => id !== facts.id)
  const records = others.map((id) => [id, phaseOf(run.state, id)] as const)
  return {
    dependents: dependentsOf(outline, [facts.id]),
    phases: new Map(
      records.flatMap(([id, record]) =>
        [...record.commit_shas, ...revertedOf(record)].map((sha) => [sha, id] as const),
      ),
    ),
    folders: records.flatMap(([, { dir }]) => (typeof dir === 'string' && dir !== '' ? [dir] : [])),
  }
}

/** Taken back, with the commits of an agent that did it; or what is in the way. */
type Tried = { commits: string[] } & ({ sha: string | null } | { trouble: string[]; why: string })

async function takenByHand(
  work: PhaseWork,
  key: string,
  wish: Look & { checkpoint: string; round: number; byAgents: readonly string[] },
): Promise<Tried> {
  const { head, commits, left } = await takeBackByHand(work, key, wish)
  if (left.length > 0) return { commits, trouble: left, why: `left: ${left.join(', ')}` }
  return { sha: head, commits }
}

async function reverted(work: PhaseWork, key: string, commits: readonly string[]): Promise<Tried> {
  const result = await revert(work, `${work.at}${key}`, commits)
  if (result.done !== 'failed') return { sha: result.done ? result.sha : null, commits: [] }
  const { paths, output, kind } = result
  return { commits: [], trouble: [...paths, ...gitsWords(output)], why: `${kind}: ${paths.join(', ')}` }
}

/** Commits of the phase that a later one takes back. */
function revertedOf({ reverted_shas: all }: PhaseRecord): string[] {
  return Array.isArray(all) ? all.map(String) : []
}

function revert(work: PhaseWork, key: string, commits: readonly string[]): Promise<SideResult> {
  const { run, git, facts, tools } = work
  const attemptId = (effectId: string) => `${tools.place.slug}/${effectId}`
  return run.effect<{ head: string | null }, SideResult>(key, {
    prepare: async () => ({ head: await git.head() }),
    apply: (_, effectId) =>
      git.revert({
        commits,
        message: rollbackSubject(facts.id),
        attemptId: attemptId(effectId),
        keep: keptByRollback,
      }),
    recover: async ({ head }, effectId) => {
      const sha = await git.findAttempt(attemptId(effectId), head)
      return sha === null ? undefined : { done: true, sha }
    },
  }) as Promise<SideResult>
}

/** What lies uncommitted in the way, without the runner's own files. */
async function putAside({ git, run }: PhaseWork): Promise<string | null> {
  const kept = new Set(keptChanges(run.state).map(({ path }) => path))
  const paths = (await git.dirty())
    .map(({ path }) => path)
    .filter((path) => !isOwnFile(path) && !kept.has(path))
  return paths.length === 0 ? null : git.putAside(paths, 'refs/autopilot/aside')
}
