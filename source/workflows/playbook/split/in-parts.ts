import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../../counted.js'
import type { MergeResult } from '../../../project/git.js'
import { partPlaces } from '../decisions/split.js'
import { debugSubject } from '../orders/commit-subject.js'
import { tell } from '../progress.js'
import { qMerge } from '../questions/merge.js'
import { send } from '../send.js'
import type { EventDraft } from '../state/events.js'
import type { PhaseRecord } from '../state/schema.js'
import { commitArtifacts } from '../steps/artifacts-commit.js'
import { type PhaseWork, savePhase } from '../work.js'
import { hasTree, settleLeftTree } from './left-tree.js'
import { type MergeAnswer, type PartResult, type SplitPorts, type SplitRun, workParts } from './work-parts.js'

// Work of a phase in parts: each in a work tree of its own, merged in order (docs/playbook-checks.md, "Split").

export interface InParts<Part> {
  parts: readonly Part[]
  reason: string
  /** Of the event that tells of it. */
  details?: Readonly<Record<string, unknown>>
  /** One part, in its work tree; `base` is the commit that the tree begins at. */
  work(own: PhaseWork, part: Part, base: string): Promise<PartResult>
  /** A part was brought in by this commit. */
  merged?(sha: string): void
}

/** Works on all parts and merges them. Their records are in the phase from the beginning on; `partsEnd` closes them. */
export async function workInParts<Part extends { id: string }>(
  work: PhaseWork,
  wish: InParts<Part>,
): Promise<SplitRun> {
  const { parts, reason, details } = wish
  await commitArtifacts(work, 'split-artifacts')
  const begun = parts.map(({ id }) => ({ sub_phase_id: id, status: 'in_progress', alignment_score: null }))
  await savePhase(
    work,
    'split-begins',
    (phase) => ({ ...phase, split: true, sub_phases: withParts(phase, begun) }),
    [{ event: 'split_started', details: { ...details, parts: parts.map(({ id }) => id), reason } }],
  )
  await tell(work, 'split-says', `Split into ${counted(parts.length, 'part')}: ${reason}`)
  // Before any part is at work: what is taken away here would be a change beside its dispatch.
  const branches = new Map<string, string>()
  for (const part of parts) branches.set(part.id, await settleLeftTree(work, part))
  return workParts(parts, portsOf(work, wish, branches))
}

/** What the parts came to, in the record of the phase. `completed`: of all of them together. */
export function partsEnd(work: PhaseWork, run: SplitRun, completed: boolean) {
  const ended = run.parts.map(({ part, status, alignment_score: score }) => ({
    sub_phase_id: part,
    status,
    alignment_score: score,
  }))
  const event: Omit<EventDraft, 'phase'> = {
    event: 'split_completed',
    details: { completed, score: run.score },
  }
  return savePhase(work, 'split-ends', (phase) => ({ ...phase, sub_phases: withParts(phase, ended) }), [
    event,
  ])
}

/** The parts of a phase so far, with these in the place of those of the same name. */
function withParts(
  { sub_phases: before }: PhaseRecord,
  parts: PhaseRecord['sub_phases'],
): PhaseRecord['sub_phases'] {
  const ids = parts.map(({ sub_phase_id: id }) => id)
  return [...before.filter(({ sub_phase_id: id }) => !ids.includes(id)), ...parts]
}

function portsOf<Part extends { id: string }>(
  work: PhaseWork,
  wish: InParts<Part>,
  branches: ReadonlyMap<string, string>,
): SplitPorts<Part> {
  const { run, git, tools, facts, at } = work
  const branchOf = ({ id }: Part) => branches.get(id) ?? ''
  const keyOf = (part: Part, what: string) => `${at}part-${part.id}-${what}`
  const treeOf = ({ id }: Part) => partPlaces(id, facts.dir).worktree
  const within = (part: Part, key: string): PhaseWork => ({
    ...work,
    cwd: treeOf(part),
    part: part.id,
    git: tools.gitAt(treeOf(part)),
    at: key,
  })
  return {
    open: async (part) => {
      await run.step(keyOf(part, 'open'), () => openTree(work, part, branchOf(part)))
    },
    work: async (part) => {
      const base = await run.step(keyOf(part, 'base'), async () => (await git.head()) ?? '')
      const result = await wish.work(within(part, keyOf(part, '')), part, base)
      await run.step(keyOf(part, 'artifacts'), () => keepArtifacts(work, part))
      return result
    },
    merge: async (part, round) => {
      const result = await merge(work, part, { branch: branchOf(part), round })
      if (result.done === true) {
        wish.merged?.(result.sha)
        await savePhase(work, `part-${part.id}-merged-${round}`, (phase) => ({
          ...phase,
          commit_shas: [...phase.commit_shas, result.sha],
        }))
      }
      return result
    },
    ask: async (part, trouble, round) => {
      const question = qMerge(part.id, { branch: branchOf(part), worktree: treeOf(part) }, trouble, round)
      const { value } = await run.ask(keyOf(part, `merge-${round}`), question)
      return value as MergeAnswer
    },
    mend: async (part, trouble, round) => {
      const head = await run.step(keyOf(part, `mend-${round}-head`), async () => (await git.head()) ?? '')
      const issue = `The branch of this work tree does not merge (${trouble.paths.join(', ')}). Run \`git merge ${head}\` here, resolve what conflicts so that both sides keep what they do, and commit.`
      await send(
        within(part, keyOf(part, `mend-${round}-`)),
        'debug',
        {
          issues: [issue],
          failingChecks: [],
          remainingIssues: [],
          debugAttempt: round,
          commitSubject: debugSubject(facts.id, round),
        },
        { key: 'debug', title: `Bring part ${part.id} up to date`, attempt: round },
      )
    },
    close: async (part) => {
      await run.step(keyOf(part, 'close'), async () => {
        await git.dropWorktree({ path: treeOf(part), branch: branchOf(part), force: true })
        return null
      })
    },
  }
}

/** A tree that this part has made already is taken up, and so is one that a person wants to go on with. */
async function openTree(work: PhaseWork, part: { id: string }, branch: string): Promise<null> {
  const { git, tools, facts } = work
  const { worktree: path } = partPlaces(part.id, facts.dir)
  const head = (await git.head()) ?? ''
  const there = await hasTree(work, path, branch)
  if (there && (await tools.gitAt(path).isAncestor(head))) return null
  await git.dropWorktree({ path, branch, force: true })
  await git.addWorktree({ path, branch, from: head })
  return null
}

const artifacts = ['EXECUTION-LOG.md', 'VERIFICATION.md', 'JUDGE-REPORT.md', 'SCORECARD.md', 'TRACE.jsonl']

/** Reports of a part lie with the phase, below its own name. */
async function keepArtifacts({ tools, facts }: PhaseWork, part: { id: string }): Promise<null> {
  const { worktree, artifacts: target } = partPlaces(part.id, facts.dir)
  await mkdir(join(tools.root, target), { recursive: true })
  for (const name of artifacts)
    await cp(join(tools.root, worktree, facts.dir, name), join(tools.root, target, name)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      },
    )
  return null
}

function merge(
  { run, git, tools, facts, at }: PhaseWork,
  part: { id: string },
  { branch, round }: { branch: string; round: number },
): Promise<MergeResult> {
  const attemptId = (effectId: string) => `${tools.place.slug}/${effectId}`
  const message = `merge: part ${part.id} of phase ${facts.id}`
  return run.effect<{ head: string | null }, MergeResult>(`${at}part-${part.id}-merged-in-${round}`, {
    prepare: async () => ({ head: await git.head() }),
    apply: (_, effectId) => git.merge({ branch, message, attemptId: attemptId(effectId) }),
    recover: async ({ head }, effectId) => {
      const sha = await git.findAttempt(attemptId(effectId), head)
      return sha === null ? undefined : { done: true, sha }
    },
  }) as Promise<MergeResult>
}
