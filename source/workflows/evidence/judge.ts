import { isAbsolute } from 'node:path'
import type { MarkdownChange } from '../../documents/compare-markdown.js'
import { deeperHistory } from '../../project/snapshot/compare.js'
import type { Difference, DifferenceKind, Trait } from '../../project/snapshot/difference.js'
import type { Area } from './contract.js'
import { type DispatchGround, isPlanned, lies } from './ground.js'
import { isOfEditor, isProduct } from './products.js'

// What a dispatch has changed, held against its contract (docs/evidence.md, "What is compared"). Pure: whatever has to be
// read for it is handed in.

export interface JudgeFacts extends DispatchGround {
  /** Paths that were dirty before the work began and whose changes nobody has handed over. */
  beforehand: readonly string[]
  /** By id of a difference: how the text of a spec, of a plan or of instructions in Markdown differs. */
  markdown: ReadonlyMap<string, MarkdownChange>
  /** Ids of differences of texts that have every line of before, in its order. */
  added?: ReadonlySet<string>
  /** Ids of differences of attributes files in which no filter, diff or merge attribute changes. */
  plainAttributes: ReadonlySet<string>
  /** What the agent program keeps in the project for itself. */
  backendFiles: readonly string[]
  /** By id of a difference of `.gitmodules`: submodules that come from elsewhere now, or are looked at less. */
  turned?: ReadonlyMap<string, readonly string[]>
  /** Paths in the commits that the dispatch has put on top of the branch. */
  committed: readonly string[]
  /** Ids of differences of the index: a guarded file, staged in another form than it lies in the work tree. */
  otherStaged?: readonly string[]
}

export type Verdict =
  | { kind: 'allowed' }
  /** `putAway`: it is moved out of the project, or put back where git knew it. */
  | { kind: 'noted'; why: string; putAway?: true }
  /** `agent`: surely the agent. `either`: a person may have worked beside it. */
  | { kind: 'asked'; why: string; by: 'agent' | 'either' }

/** One thing that somebody has to know of. */
export interface Finding {
  /** A path, a ref, the key of a setting. */
  name: string
  change: Difference['change'] | 'committed'
  why: string
  by: 'agent' | 'either'
  /** Noted only, and not left in the project. */
  putAway?: true
  /** What would be put back; absent where nothing can be. */
  difference?: Difference
}

export interface Judgement {
  noted: Finding[]
  asked: Finding[]
}

/** Everything that is not allowed: to be noted, or to be asked about. */
export function judge(differences: readonly Difference[], facts: JudgeFacts): Judgement {
  const judgement: Judgement = { noted: [], asked: [] }
  for (const difference of differences) {
    const verdict = verdictOn(difference, facts)
    if (verdict.kind === 'allowed') continue
    const { change } = difference
    const by = verdict.kind === 'asked' ? verdict.by : 'agent'
    const away = verdict.kind === 'noted' && verdict.putAway ? { putAway: true as const } : {}
    const finding: Finding = {
      name: shownName(difference),
      change,
      why: verdict.why,
      by,
      ...away,
      difference,
    }
    judgement[verdict.kind].push(finding)
  }
  return judgement
}

export function verdictOn(difference: Difference, facts: JudgeFacts): Verdict {
  return grownRule(difference, facts) ?? rules[difference.kind](difference, facts)
}

type Rule = (difference: Difference, facts: JudgeFacts) => Verdict

const rules: Record<DifferenceKind, Rule> = {
  file: fileRule,
  index: indexRule,
  bits: bitsRule,
  ignored: ignoredRule,
  hidden: hiddenRule,
  ref: refRule,
  stash: stashRule,
  config: () => asked('a setting of git that executes, includes, redirects, hides or signs'),
  protected: protectedRule,
  record: recordRule,
}

const allowed: Verdict = { kind: 'allowed' }
const noted = (why: string): Verdict => ({ kind: 'noted', why })
const product: Verdict = { kind: 'noted', why: 'left by what it ran', putAway: true }
const asked = (why: string, by: 'agent' | 'either' = 'agent'): Verdict => ({ kind: 'asked', why, by })

/** Areas that are files of the agent's own: whatever happens in them is its matter. */
const ownAreas: readonly Area[] = [
  'its plan',
  'handoff',
  'trace',
  'scratchpad',
  'task state',
  'session learnings',
  'its own record',
]

function shownName({ part, name }: Difference): string {
  return part === undefined ? name : `${part}/${name}`
}

const has = (difference: Difference, trait: Trait) => difference.traits.includes(trait)

export function isOwn(path: string, { contract, ground, backendFiles }: JudgeFacts): boolean {
  if (lies(path, backendFiles)) return true
  return ownAreas.some((area) => {
    const places = ground.places[area]
    return contract.may.includes(area) && (lies(path, places) || isDraft(path, places))
  })
}

/** Written beside a file of its own, to be renamed onto it: what an agent leaves that was ended in between. */
function isDraft(path: string, places: readonly string[] | undefined): boolean {
  return (places ?? []).some(
    (place) =>
      !place.endsWith('/') && /^\.[\w.-]{1,64}$/.test(path.slice(place.length)) && path.startsWith(place),
  )
}

function fileRule(difference: Difference, facts: JudgeFacts): Verdict {
  const { contract, ground } = facts
  const path = shownName(difference)
  if (isOwn(path, facts)) return allowed
  if (ground.frozen.includes(path)) return frozenRule(difference, facts)
  if (ground.kept?.some((one) => one.test(path)))
    return asked('a record of the run, which is not its own', 'either')
  if (difference.change === 'added' && lies(path, ground.given) && !isOfEditor(path))
    return saysWhatIsWanted.test(path)
      ? asked(
          'it lies beside the documents in which you say what is wanted, and would be read as one',
          'either',
        )
      : noted('it lies beside what you have given')
  if (difference.change === 'added' && ground.mayAdd?.some((one) => one.test(path))) return allowed
  if (contract.may.includes('project files')) return projectFileRule(difference, facts)
  if (isOfEditor(path) || isEditorLock(difference)) return noted('kept by an editor, or by the system')
  const markdown = /\.(?:md|mdx|markdown)$/i.test(path) && difference.change !== 'removed'
  if (contract.noted.includes('other documents') && markdown && lies(path, ground.places['other documents']))
    return noted('a document beside its own')
  if (contract.noted.includes('products of a run') && isProduct(path)) return product
  return asked('nothing that it was to change', 'either')
}

/** Words, unlike data: whoever reads them later takes them for those of the person. */
const saysWhatIsWanted = /\.(?:md|mdx|markdown|txt|rst|adoc|rtf|docx?|odt|pdf)$/i

/** A link beside a file that says who edits it. */
function isEditorLock(difference: Difference): boolean {
  return has(difference, 'link') && /(?:^|\/)\.#[^/]+$/.test(difference.name)
}

/** A record of its own that holds what it said before it knew more: it may be added to. */
function grownRule(
  { id, name, kind, change }: Difference,
  { ground, added }: JudgeFacts,
): Verdict | undefined {
  const [path = ''] = name.split('#')
  const counts = (kind === 'file' || kind === 'protected') && change !== 'added'
  if (!counts || !ground.grows?.some((one) => one.path === path)) return undefined
  return added?.has(id) ? allowed : asked('it holds what was said before the other report was known', 'agent')
}

/** A spec or a plan that was agreed to: only its layout may change, and boxes where they are to be ticked. */
function frozenRule(difference: Difference, { contract, ground, markdown }: JudgeFacts): Verdict {
  const path = shownName(difference)
  const change = markdown.get(difference.id)
  if (change === 'same' || change === 'layout') return noted('laid out anew, with the same content')
  if (change === 'ticks') {
    const ticks = contract.may.includes('ticks in its plan') && lies(path, ground.places['ticks in its plan'])
    return ticks ? allowed : noted('boxes ticked, with the same content')
  }
  return asked('it was approved as it was, and work is judged by it', 'agent')
}

function projectFileRule(
  difference: Difference,
  { ground, beforehand, plainAttributes, markdown, turned }: JudgeFacts,
): Verdict {
  const path = shownName(difference)
  const planned = isPlanned(path, ground.planned)
  if (beforehand.includes(path)) return asked('it had uncommitted changes of yours before', 'either')
  if (has(difference, 'instructions')) {
    if (isLaidOut(difference, { markdown })) return noted('laid out anew, with the same content')
    return planned
      ? noted('agents take orders from it; the plan names it')
      : asked('agents take orders from it')
  }
  if (has(difference, 'attributes')) {
    if (plainAttributes.has(difference.id) && planned)
      return noted('the plan names it, and it starts no program')
    return asked('git takes orders from it')
  }
  const elsewhere = (turned?.get(difference.id) ?? []).filter((each) => !isPlanned(each, ground.planned))
  if (elsewhere.length > 0 && !planned)
    return asked(`a submodule comes from another address, or is looked at less: ${elsewhere.join(', ')}`)
  if (has(difference, 'led-away') && !planned)
    return asked('a link is in its place, to where git does not look')
  if (has(difference, 'nested') && difference.change === 'removed') return asked('a whole repository is gone')
  return allowed
}

function indexRule(difference: Difference, facts: JudgeFacts): Verdict {
  const path = shownName(difference)
  if (facts.beforehand.includes(path)) return asked('you had staged it, or had changes of your own in it')
  const isConflict = (state = '') => / [123](?:;|$)/.test(state)
  if (isConflict(difference.after) && !isConflict(difference.before))
    return asked('a conflict is left in the index, which the next commit of yours would meet')
  const own = isOwn(path, facts)
  if (facts.otherStaged?.includes(difference.id) && !own && !isPlanned(path, facts.ground.planned))
    return asked('staged in another form than it lies here, and it holds or gives orders')
  if (facts.contract.may.includes('project files') || own) return allowed
  const verdict = fileRule(difference, facts)
  // What is staged of a product is no product: the file itself is what is put away.
  return verdict.kind === 'asked' ? asked('staged, or not staged any more') : verdict
}

function bitsRule(difference: Difference): Verdict {
  // A sparse checkout that has grown hides less than before.
  if (difference.change === 'removed' && has(difference, 'left-out')) return noted('checked out now')
  return asked('git is told not to look at it')
}

function ignoredRule(difference: Difference): Verdict {
  const path = shownName(difference)
  if (has(difference, 'secret-name') && difference.change !== 'removed')
    return asked('it looks like a file of secrets')
  if (difference.change === 'removed' && !isProduct(path) && !isOfEditor(path))
    return asked('it is gone, and git holds no copy')
  return noted(`ignored by git, and ${difference.change === 'removed' ? 'gone' : 'changed'}`)
}

function hiddenRule(difference: Difference, facts: JudgeFacts): Verdict {
  if (difference.detail === 'ignores itself') return allowed
  if (isOwn(shownName(difference), facts)) return allowed
  if (facts.contract.may.includes('project files')) return noted(difference.detail ?? 'hidden from git')
  if (isProduct(shownName(difference))) return noted('left by what it ran')
  return asked(difference.detail ?? 'hidden from git', 'either')
}

/** Of a remote: nothing of it can be put back, for autopilot pushes nothing unasked. */
function remoteRule(difference: Difference, writes: boolean): Verdict {
  const { change, before = '' } = difference
  if (change === 'added' || change === 'forward')
    return writes ? noted('pushed') : asked('pushed, and nobody was to push', 'either')
  // A fetch forgets what others have deleted there.
  if (change === 'removed' && has(difference, 'fetched')) return noted('gone from the remote, as fetched')
  const old = /^[0-9a-f]{7}/.exec(before)?.[0]
  const back = old === undefined ? '' : `; ${old} was there, only you can push it back`
  return change === 'removed'
    ? asked(`gone from the remote${back}`, 'either')
    : asked(`commits of the remote are in it no more${back}`, 'either')
}

function refRule(difference: Difference, facts: JudgeFacts): Verdict {
  const { name, change } = difference
  const { contract } = facts
  const writes = contract.may.includes('project files')
  if (has(difference, 'remote')) return remoteRule(difference, writes)
  if (difference.part !== undefined && writes && has(difference, 'backward')) {
    return isPlanned(difference.part, facts.ground.planned)
      ? noted('back to an older commit, as the plan says')
      : asked('the repository inside this one is back at an older commit')
  }
  if (difference.part !== undefined && writes && change !== 'removed')
    return noted('in a repository inside this one')
  if (name.startsWith('refs/replace/')) return asked('another object is shown in the place of one (replace)')
  if (has(difference, 'current-branch') && change === 'forward') return commitRule(facts)
  if (name === 'shallow' && difference.detail === deeperHistory)
    return noted('more of the history was fetched')
  if (has(difference, 'rebased')) return noted('rebased in another work tree, with all that it held')
  if (name === 'HEAD') return asked('HEAD is on another branch than before')
  if (isOwnRef(difference, facts)) return allowed
  if (has(difference, 'ambiguous')) return asked('it has the name of another ref, and may be taken for it')
  if (change === 'removed') return asked('it is deleted')
  if (has(difference, 'other-worktree') && change === 'forward')
    return noted('moved forward in another work tree')
  if (change === 'changed' && has(difference, 'fetched')) return noted('fetched from a remote')
  if (change === 'changed') {
    const what = name.startsWith('refs/heads/') || name === 'HEAD' ? 'the branch' : 'it'
    return asked(
      name.startsWith('refs/tags/')
        ? 'the tag was moved'
        : `commits of ${what} are not in its history any more`,
    )
  }
  if (contract.noted.includes('new refs')) return noted(change === 'added' ? 'new' : 'moved forward')
  // Whoever only reads may fetch, and nothing of here has moved by that.
  if (has(difference, 'fetched')) return noted('fetched from a remote')
  return asked(change === 'added' ? 'a new ref' : 'it has moved, and nobody was to move it')
}

/** A mark of the program that came, went or moved, or a branch of it that grew: by what is at work beside this. */
function isOwnRef({ name, change }: Difference, { ground }: JudgeFacts): boolean {
  if (!(ground.ownRefs ?? []).some((prefix) => name.startsWith(prefix))) return false
  return name.startsWith('refs/tags/') || change === 'added' || change === 'forward'
}

/** Commits on the branch that the dispatch began on, on top of where it was. */
function commitRule(facts: JudgeFacts): Verdict {
  const { contract, ground, committed } = facts
  if (contract.may.includes('commits')) return allowed
  // What of these it has changed is another matter, and asked about where it was not to.
  const plan = [...(ground.places['its plan'] ?? []), ...(ground.places['a commit of its plan'] ?? [])]
  const only = committed.length > 0 && committed.every((path) => lies(path, plan))
  if (contract.may.includes('a commit of its plan') && only) return allowed
  if (committed.length > 0 && committed.every((path) => isOwn(path, facts)))
    return noted('a commit of nothing but its own')
  return asked('commits on the branch that it was not to make')
}

function stashRule(difference: Difference, { contract }: JudgeFacts): Verdict {
  if (difference.change === 'added' && contract.may.includes('project files'))
    return noted('something was stashed')
  return asked('entries of the stash came, went or changed')
}

/** What gives orders to agents, as a formatter leaves it: the same words in another layout give the same ones. */
function isLaidOut({ id, traits }: Difference, { markdown }: Pick<JudgeFacts, 'markdown'>): boolean {
  const change = markdown.get(id)
  return traits.includes('instructions') && (change === 'same' || change === 'layout')
}

const neverPlanned: readonly Trait[] = ['hook', 'git-settings', 'under-way']

function protectedRule(difference: Difference, facts: JudgeFacts): Verdict {
  const [path = ''] = difference.name.split('#')
  if (isOwn(path, facts)) return allowed
  if (has(difference, 'git-lock')) return lockRule(difference)
  if (facts.ground.frozen.includes(path)) return frozenRule(difference, facts)
  const writes = facts.contract.may.includes('project files')
  if (writes && isLaidOut(difference, facts)) return noted('laid out anew, with the same content')
  const planned = writes && isPlanned(path, facts.ground.planned)
  const plain = !has(difference, 'attributes') || facts.plainAttributes.has(difference.id)
  // What is executed is asked about once, where trust in it is given (Q-TRUST): nothing runs before.
  const trusted = has(difference, 'trust')
  const isElsewhere = trusted && (isAbsolute(path) || path.startsWith('.git/'))
  const personal = whyPersonal(difference)
  if (personal !== undefined) return asked(personal, 'either')
  if (planned && plain && !isElsewhere && !neverPlanned.some((trait) => has(difference, trait))) {
    return noted(trusted ? 'the plan names it; trust in it is asked again' : 'the plan names it')
  }
  return asked(whyProtected(difference))
}

/** An agent that was ended in git leaves it; a person who writes the message of a commit holds it. */
function lockRule({ change }: Difference): Verdict {
  return change === 'added'
    ? asked('a lock of git: while it lies there no commit can be made', 'either')
    : allowed
}

const ofPerson: Partial<Record<Trait, string>> = {
  'own-settings': 'your own settings of autopilot',
  'agent-home': 'agents take orders from it in all your projects',
  startup: 'your shells, services or builds execute it, or it says who may come in',
  'user-settings': 'your own settings of git',
}

const whyPersonal = ({ traits }: Difference) => traits.flatMap((trait) => ofPerson[trait] ?? [])[0]

function whyProtected(difference: Difference): string {
  if (has(difference, 'hook')) return 'a hook that git would run'
  if (has(difference, 'under-way'))
    return 'something was begun with git and not finished; the next commit would conclude it'
  if (has(difference, 'git-settings')) return 'git takes orders from it, or hides by it'
  if (has(difference, 'attributes')) return 'git takes orders from it'
  if (has(difference, 'instructions')) return 'agents take orders from it'
  if (has(difference, 'command')) return 'the test or the validate command runs it'
  if (has(difference, 'trust')) return 'it is executed in this project, and you trusted what it was'
  return 'the run depends on it'
}

function recordRule(difference: Difference, facts: JudgeFacts): Verdict {
  if (isOwn(difference.name, facts) || isOwnFolder(difference, facts)) return allowed
  if (has(difference, 'other-session')) return asked('it belongs to another session')
  if (has(difference, 'other-tool')) {
    return difference.change === 'removed'
      ? asked('a record of another tool is gone')
      : noted('a record of another tool')
  }
  if (isKeptCopy(difference)) return noted('a copy that autopilot keeps of a record')
  if (isBeingWritten(difference)) return noted('a record that autopilot is writing')
  if (/\/approved\/[0-9a-f]{32}\.md$/.test(difference.name))
    return asked('the copy of a plan or spec as you approved it')
  return asked('a record of this session that only autopilot writes')
}

/** The folder of what is its own, which comes with the first file in it. What is in it is another difference. */
function isOwnFolder({ name, change, before, after }: Difference, facts: JudgeFacts): boolean {
  const state = change === 'added' ? after : change === 'removed' ? before : undefined
  return state?.startsWith('directory|') === true && isOwn(`${name}/`, facts)
}

/** What autopilot writes beside a record while somebody works, to be renamed onto it (storage/durable-file.ts). */
function isBeingWritten({ name, change }: Difference): boolean {
  return change !== 'changed' && /\/\.[^/]+\.\d+\.[0-9a-f]{12}\.tmp$/.test(name)
}

/**
 * What a run that was broken off leaves half written is kept beside its record when it is opened again, and old copies go:
 * between the two looks at a dispatch that was broken off with it. Nothing is read from them.
 */
function isKeptCopy({ name, change }: Difference): boolean {
  return change !== 'changed' && /\.[a-z]{1,20}-\d{8}T\d{9}Z-[0-9a-f]{6}$/.test(name)
}
