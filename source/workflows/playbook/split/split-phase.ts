import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../../counted.js'
import type { MergeResult } from '../../../project/git.js'
import { failureText, projectChecks, redChecks } from '../checks.js'
import { partPlaces, type SplitPart } from '../decisions/split.js'
import { debugSubject } from '../orders/commit-subject.js'
import type { PassInput } from '../pass.js'
import type { PassResult } from '../phase-return.js'
import { tell } from '../progress.js'
import { qMerge } from '../questions/merge.js'
import { send } from '../send.js'
import { commitArtifacts } from '../steps/artifacts-commit.js'
import { type PhaseWork, savePhase } from '../work.js'
import { hasTree, settleLeftTree } from './left-tree.js'
import type { PhaseParts } from './plan-parts.js'
import { runPart } from './run-part.js'
import { type MergeAnswer, type PartOutcome, type SplitPorts, workParts } from './work-parts.js'

// A phase in parts: each in a work tree of its own, merged in order, then checked as a whole.

/** Works a phase off in parts. What it comes to stands for one pass over the phase. */
export async function splitPhase(
  work: PhaseWork,
  input: PassInput,
  request: PassResult & { split: PhaseParts },
): Promise<PassResult> {
  const { parts } = request.split
  await commitArtifacts(work, 'split-artifacts')
  const record = (status: string) =>
    parts.map(({ id }) => ({ sub_phase_id: id, status, alignment_score: null }))
  await savePhase(
    work,
    'split-begins',
    (phase) => ({ ...phase, split: true, sub_phases: record('in_progress') }),
    [
      {
        event: 'split_started',
        details: { parts: parts.map(({ id }) => id), reason: request.split.details.reason },
      },
    ],
  )
  await tell(
    work,
    'split-says',
    `Split into ${counted(parts.length, 'part')}: ${request.split.details.reason}`,
  )
  // Before any part is at work: what is taken away here would be a change beside its dispatch.
  const branches = new Map<string, string>()
  for (const part of parts) branches.set(part.id, await settleLeftTree(work, part))
  const results = new Map<string, PassResult>()
  const run = await workParts(parts, portsOf(work, input, request.split, { results, branches }))
  const red = redChecks(await projectChecks(work, 'split-check')).map(failureText)
  const completed = run.completed && red.length === 0
  await savePhase(
    work,
    'split-ends',
    (phase) => ({
      ...phase,
      sub_phases: run.parts.map(({ part, status, alignment_score: score }) => ({
        sub_phase_id: part,
        status,
        alignment_score: score,
      })),
    }),
    [{ event: 'split_completed', details: { completed, score: run.score } }],
  )
  return together(request, [...results.values()], { completed, score: run.score, red, outcomes: run.parts })
}

function portsOf(
  work: PhaseWork,
  input: PassInput,
  { plan, parts }: PhaseParts,
  { results, branches }: { results: Map<string, PassResult>; branches: ReadonlyMap<string, string> },
): SplitPorts {
  const { run, git, tools, facts, at } = work
  const branchOf = ({ id }: SplitPart) => branches.get(id) ?? ''
  const keyOf = (part: SplitPart, what: string) => `${at}part-${part.id}-${what}`
  const board = { parts, atWork: new Map<string, string>() }
  return {
    open: async (part) => {
      await run.step(keyOf(part, 'open'), () => openTree(work, part, branchOf(part)))
    },
    work: async (part) => {
      const { worktree } = partPlaces(part.id, facts.dir)
      const base = await run.step(keyOf(part, 'base'), async () => (await git.head()) ?? '')
      const own: PhaseWork = {
        ...work,
        cwd: worktree,
        git: tools.gitAt(worktree),
        at: `${at}part-${part.id}-`,
      }
      const result = await runPart(
        own,
        { ...input, only: part.tasks, parts: board, checkpoint: base },
        plan,
        part.tasks,
      )
      results.set(part.id, result)
      await run.step(keyOf(part, 'artifacts'), () => keepArtifacts(work, part))
      const { status, alignment_score, issues } = result.returned
      return { status: status === 'split_request' ? 'failed' : status, alignment_score, issues }
    },
    merge: async (part, round) => {
      const result = await merge(work, part, { branch: branchOf(part), round })
      if (result.done === true)
        await savePhase(work, `part-${part.id}-merged-${round}`, (phase) => ({
          ...phase,
          commit_shas: [...phase.commit_shas, result.sha],
        }))
      return result
    },
    ask: async (part, trouble, round) => {
      const { worktree } = partPlaces(part.id, facts.dir)
      const question = qMerge(part.id, { branch: branchOf(part), worktree }, trouble, round)
      const { value } = await run.ask(keyOf(part, `merge-${round}`), question)
      return value as MergeAnswer
    },
    mend: async (part, trouble, round) => {
      const { worktree } = partPlaces(part.id, facts.dir)
      const head = await run.step(keyOf(part, `mend-${round}-head`), async () => (await git.head()) ?? '')
      const own: PhaseWork = {
        ...work,
        cwd: worktree,
        git: tools.gitAt(worktree),
        at: keyOf(part, `mend-${round}-`),
      }
      const issue = `The branch of this work tree does not merge (${trouble.paths.join(', ')}). Run \`git merge ${head}\` here, resolve what conflicts so that both sides keep what they do, and commit.`
      await send(
        own,
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
      const { worktree } = partPlaces(part.id, facts.dir)
      await run.step(keyOf(part, 'close'), async () => {
        await git.dropWorktree({ path: worktree, branch: branchOf(part), force: true })
        return null
      })
    },
  }
}

/** A tree that this part has made already is taken up, and so is one that a person wants to go on with. */
async function openTree(work: PhaseWork, part: SplitPart, branch: string): Promise<null> {
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
async function keepArtifacts({ tools, facts }: PhaseWork, part: SplitPart): Promise<null> {
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
  part: SplitPart,
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

interface Whole {
  completed: boolean
  score: number | null
  /** Commands of the project that are red after the merges. */
  red: string[]
  outcomes: readonly PartOutcome[]
}

/** The results of the parts as that of the phase. */
function together(
  request: PassResult,
  results: readonly PassResult[],
  { completed, score, red, outcomes }: Whole,
): PassResult {
  const all = results.map(({ returned }) => returned)
  const waits = outcomes.some(({ status }) => status === 'needs_human_verification') && red.length === 0
  const isBroken = outcomes.some(({ status }) => status === 'failed') || red.length > 0
  const sum = (pick: 'tasks_completed' | 'tasks_failed') => ratio(all.map((one) => one[pick]))
  const justification = all.find((one) => one.human_verify_justification)?.human_verify_justification
  const [first] = all
  const issues = [...outcomes.flatMap((one) => one.issues.map((issue) => `${one.part}: ${issue}`)), ...red]
  return {
    deficiencies: results.flatMap((one) => one.deficiencies),
    failures: results.flatMap((one) => one.failures),
    fixes: results.flatMap((one) => one.fixes),
    failingChecks: results.flatMap((one) => one.failingChecks),
    returned: {
      ...request.returned,
      status: isBroken ? 'failed' : waits ? 'needs_human_verification' : completed ? 'completed' : 'failed',
      recommendation: isBroken ? 'halt' : 'proceed',
      alignment_score: score,
      tasks_completed: sum('tasks_completed'),
      tasks_failed: sum('tasks_failed'),
      commit_shas: all.flatMap((one) => one.commit_shas),
      automated_checks: first?.automated_checks ?? request.returned.automated_checks,
      issues,
      debug_attempts: all.reduce((count, one) => count + one.debug_attempts, 0),
      evidence: {
        files_checked: all.flatMap((one) => one.evidence.files_checked),
        commands_run: all.flatMap((one) => one.evidence.commands_run),
        git_diff_summary: all.map((one) => one.evidence.git_diff_summary).join('; '),
      },
      pipeline_steps: first?.pipeline_steps ?? request.returned.pipeline_steps,
      summary: `${counted(outcomes.length, 'part')}, ${outcomes.filter(({ merged }) => merged).length} merged`,
      ...(justification === undefined ? {} : { human_verify_justification: justification }),
    },
  }
}

function ratio(all: readonly string[]): string {
  const [done, total] = all.reduce(
    ([first, second], text) => {
      const [one = 0, other = 0] = text.split('/').map(Number)
      return [first + one, second + other]
    },
    [0, 0],
  )
  return `${done}/${total}`
}
