import { phaseMark, withPhase } from '../phases.js'
import { qBase } from '../questions/session.js'
import { withDecision } from '../state/decisions.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessWork } from '../work.js'

// Commits that reviews begin at. A state of another hand names none; a shallow clone, another machine or a rewritten
// history does not have the one that it names. Either is asked about (docs/harness.md, "Start of a session").

/** A commit that a diff begins at, where the state keeps it. */
interface Base {
  /** Part of the keys. */
  key: string
  /** As recorded; null where none is. */
  commit: string | null
  /** The work that begins there, in words. */
  of: string
  /** Where to look first: the commits that are known to lie before the work, best first. */
  instead: readonly string[]
  set(state: HarnessState, commit: string): HarnessState
}

/** Asks for every base that the work of the current state needs and this repository does not have. */
export async function settleBases(work: HarnessWork, state: HarnessState): Promise<void> {
  if (state.currentState === 'DONE') return
  await settleBase(work, sessionBase(state))
  const ofPhase = phaseBase(state)
  if (ofPhase) await settleBase(work, ofPhase)
}

/** The same in a visit, looked at once: what was there before it may have been taken away since. */
export async function settleBasesOnce(work: HarnessWork, state: HarnessState): Promise<void> {
  const ofPhase = phaseBase(state)
  for (const base of [sessionBase(state), ...(ofPhase ? [ofPhase] : [])]) {
    const { commit } = base
    const there = await work.run.step(`${base.key}-there`, async () => isThere(work, commit))
    if (!there) await settleBase(work, base)
  }
}

function sessionBase(state: HarnessState): Base {
  const { startingCommit: commit } = state
  return {
    key: commit === null ? 'base' : `base-${commit.slice(0, 7)}`,
    commit,
    of: 'this session',
    instead: [],
    set: (latest, found) => ({ ...latest, startingCommit: found }),
  }
}

/** Only of a phase that is under way; those that are over have been reviewed. */
function phaseBase(state: HarnessState): Base | undefined {
  const index = state.currentPhase
  const phase = state.phases[index]
  if (phase?.status !== 'in-progress' || phase.startCommit === undefined) return undefined
  const commit = phase.startCommit
  const before = state.phases[index - 1]?.endCommit
  return {
    key: `phase-base-${commit.slice(0, 7)}`,
    commit,
    of: `phase ${phaseMark(phase, index)}`,
    instead: before === undefined ? [] : [before],
    set: (latest, found) => withPhase(latest, index, { startCommit: found }),
  }
}

async function isThere({ tools }: HarnessWork, commit: string | null): Promise<boolean> {
  return commit !== null && (await tools.git.exists(commit))
}

async function settleBase(work: HarnessWork, base: Base): Promise<void> {
  if (await isThere(work, base.commit)) return
  const { run, tools } = work
  const { key } = base
  for (let round = 1; ; round += 1) {
    const head = await run.step(`head-${key}-${round}`, () => tools.git.head())
    const before = await run.step(`before-${key}-${round}`, () => firstThere(work, base.instead))
    const answer = await run.ask(`${key}-${round}`, qBase(base, { head: head ?? 'HEAD', before }))
    const found = await run.step(`commit-${key}-${round}`, () => {
      if (answer.value === 'head') return head
      return answer.value === 'before' ? before : tools.git.resolveRevision(answer.text ?? '')
    })
    if (found === null) {
      await run.note(
        `unknown-${key}-${round}`,
        `${answer.text} names no commit of this repository.`,
        'warning',
      )
      continue
    }
    await run.update(`set-${key}`, (latest) =>
      withDecision(base.set(latest, found), {
        phase: latest.currentPhase,
        decision: 'starting_commit_chosen',
        timestamp: tools.now().toISOString(),
        choice: found,
        ...(base.commit === null ? {} : { rationale: `${base.commit} is not in this repository` }),
      }),
    )
    return
  }
}

async function firstThere(work: HarnessWork, commits: readonly string[]): Promise<string | null> {
  for (const commit of commits) if (await isThere(work, commit)) return commit
  return null
}
