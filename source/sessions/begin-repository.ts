import { counted } from '../counted.js'
import { Problem } from '../problem.js'
import type { Confinement } from '../processes/confine/confinement.js'
import { openGit } from '../project/git.js'
import {
  type Beginning,
  lookForBeginning,
  makeRepository,
  readIdentity,
  setIdentity,
} from '../project/git-beginning.js'
import { openReader } from '../project/git-read.js'
import { findBeginningProblem } from '../project/git-start.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { QuestionDraft } from '../view/question.js'
import type { AskFirst } from './open-session.js'
import { asked, stop } from './session-questions.js'

/** Where a project begins. */
export interface BeginAt {
  root: string
  ownPaths: readonly string[]
  /** What hooks of a repository that is there already are kept to. */
  confineHooks?: ((writable: readonly string[]) => Confinement | undefined) | undefined
}

/**
 * Sees to it that the project has a repository with a commit. Where it has none the person is asked, with the list of
 * what the first commit holds; what was not shown is not committed. Throws a Problem where it cannot be done.
 */
export async function beginRepository(at: BeginAt, ask: AskFirst): Promise<'there' | 'begun' | 'stop'> {
  const problem = await findBeginningProblem(openReader(at.root))
  if (problem) throw problem
  for (let shown: Beginning | undefined; ; ) {
    const found = await lookForBeginning(at.root, at.ownPaths)
    if (found === null) return 'there'
    if (shown && sameFiles(shown, found)) {
      if (!(await settleIdentity(at.root, found, ask))) return 'stop'
      return commitFirst(at, found)
    }
    const answer = await ask(asked(qInit(found, shown !== undefined)), at.root)
    if (answer === 'quit' || answer.value !== 'init') return 'stop'
    shown = found
  }
}

const sameFiles = (one: Beginning, other: Beginning) =>
  JSON.stringify([one.paths, one.leftOut]) === JSON.stringify([other.paths, other.leftOut])

/** Asked until it is an identity; false where the person stopped. It is kept in the repository, which is made for it. */
async function settleIdentity(root: string, found: Beginning, ask: AskFirst): Promise<boolean> {
  if (found.hasIdentity) {
    if (!found.hasRepository) await makeRepository(root)
    return true
  }
  for (let problem: string | undefined; ; ) {
    const answer = await ask(asked(qIdentity(problem)), root)
    if (answer === 'quit' || answer.value !== 'identity') return false
    const identity = readIdentity(answer.text ?? '')
    if (identity) {
      if (!found.hasRepository) await makeRepository(root)
      await setIdentity(root, identity)
      return true
    }
    problem = `"${sanitizeLine(answer.text ?? '')}" is no name with an address in angle brackets.`
  }
}

async function commitFirst(at: BeginAt, found: Beginning): Promise<'begun'> {
  const { confineHooks, ownPaths } = at
  const git = openGit(at.root, { ownPaths, confineHooks })
  const result = await git.commit({
    paths: found.paths,
    message: '[autopilot] First commit: what was there',
    attemptId: 'first-commit',
    first: true,
    // Hooks that came with the new repository were not among what the person trusted.
    ...(found.hasRepository ? {} : { skipHooks: true }),
  })
  if (result.committed === true) return 'begun'
  throw new Problem({
    code: 'git',
    what: `The first commit did not go through: ${result.committed === 'failed' ? result.output : result.message}`,
    why: 'Every step starts from a commit and is checked against it, so nothing was started.',
    todo: 'Mend what git reports, or make a first commit yourself, and start autopilot again.',
  })
}

const shownFiles = 12
const mostListed = 2_000

/** What the first commit holds, before anything is made. */
export function qInit({ hasRepository, paths, leftOut }: Beginning, changed: boolean): QuestionDraft {
  const files = counted(paths.length, 'file')
  const more = (count: number) => (count > shownFiles ? [`  and ${count - shownFiles} more`] : [])
  const left = leftOut.map(({ path, why }) => `${path}: ${why}`)
  const cut = (list: readonly string[]) => list.slice(0, shownFiles).map((line) => `  ${line}`)
  const all = [...paths.map((path) => `commit    ${path}`), ...left.map((line) => `leave out ${line}`)]
  return {
    gate: 'Q-INIT',
    title: hasRepository ? 'Make the first commit here?' : 'Make a git repository here?',
    body: [
      ...(changed ? ['What lies here changed while the question was open. This is how it is now.', ''] : []),
      hasRepository
        ? 'The repository has no commit yet. Every step starts from a commit and is checked against it.'
        : 'There is no repository here. Progress is kept and checked as commits.',
      ...(paths.length === 0
        ? ['The first commit would be empty.']
        : [`The first commit would hold ${files}:`]),
      ...cut(paths),
      ...more(paths.length),
      ...(left.length === 0 ? [] : ['It leaves out:', ...cut(left), ...more(left.length)]),
      ...(all.length === 0 ? [] : ['What git ignores stays out as well.']),
    ].map(sanitizeLine),
    ...(all.length === 0
      ? {}
      : {
          evidence: [
            {
              id: 'files',
              kind: 'text',
              title: 'All files',
              lines: all.slice(0, mostListed).map(sanitizeLine),
            },
          ],
        }),
    options: [
      {
        value: 'init',
        label: 'init',
        consequence: hasRepository ? 'make the first commit' : 'make the repository and its first commit',
        safe: true,
      },
      stop,
    ],
  }
}

/** git has no name and address for commits. `problem`: why the last answer was none. */
export function qIdentity(problem: string | undefined): QuestionDraft {
  return {
    gate: 'Q-INIT',
    title: 'In whose name are commits made?',
    body: [
      ...(problem === undefined ? [] : [problem, '']),
      'git does not know who you are. The answer is kept in this repository alone.',
    ],
    options: [
      {
        value: 'identity',
        label: 'say it',
        consequence: 'name and address of every commit',
        safe: true,
        text: { label: 'Your Name <you@example.org>', required: true },
      },
      stop,
    ],
  }
}
