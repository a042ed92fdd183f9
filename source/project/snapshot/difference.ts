import { basename } from 'node:path'
import { digestOf } from './store.js'

// What a dispatch left behind, as data (docs/evidence.md, "Snapshots"). Everything here goes into the journal as it is.

/** What differs. `hidden` is something that only an edited ignore file keeps git from listing. */
export type DifferenceKind =
  | 'file'
  | 'index'
  | 'bits'
  | 'ignored'
  | 'hidden'
  | 'ref'
  | 'stash'
  | 'config'
  | 'protected'
  | 'record'

/**
 * What else is known of a difference, for contracts to decide by:
 *
 * - `current-branch`: the ref is what HEAD stood on before; `other-worktree`: another work tree has it checked out.
 * - `remote`: a branch or tag of a remote, there or as it is known here; `pushed`: moved by a push from here.
 * - `ambiguous`: a new ref with the short name of another one.
 * - `gone`: the commit before, which the ref named, cannot be read any more.
 * - `beforehand`: the path was dirty or staged before the run.
 * - `unstored`: no bytes of the state before are kept, so it cannot be put back; `by-lstat`: known by size and times only.
 * - `link`, `mode`, `type`: a symbolic link before or after; only the mode changed; another type of file.
 * - `led-away`: a link in the place of files, to where git does not look, and these files.
 * - `left-out`: the bit was set on a path that was not in the work tree, as in a sparse checkout.
 * - `rebased`: a branch that moved and holds every change that it held, as patches.
 * - `under-way`: an operation of git that was begun and not finished. `git-lock`: a lock that git has left, or holds.
 * - `nested`: a repository of its own, named by its directory.
 * - `ignore-file`, `attributes`, `instructions`: a file that git or agents take orders from, wherever it lies.
 * - `secret-name`: the name looks like that of a secret. `directory`: everything in a directory that is hidden.
 * - `hook`, `git-settings`, `user-settings`, `command`, `trust`, `named`: why a file is protected. `own-settings`, `agent-home`,
 *   `startup`: of the person, outside of every project: of autopilot, orders for agents, what shells execute.
 * - `own`, `other-session`, `other-tool`: whose record it is. `shape`: not its content but owner, mode or links.
 * - `staged`: differs from HEAD in the person's index now. `unstaged`: what was staged before is not any more.
 */
export type Trait =
  | 'current-branch'
  | 'remote'
  | 'pushed'
  | 'ambiguous'
  | 'other-worktree'
  /** The last fetch brought it, by what git itself has noted of it. */
  | 'fetched'
  | 'gone'
  | 'beforehand'
  | 'unstored'
  | 'by-lstat'
  | 'link'
  | 'led-away'
  | 'mode'
  | 'type'
  | 'left-out'
  | 'rebased'
  /** HEAD is at an older commit of its own history. */
  | 'backward'
  | 'under-way'
  | 'git-lock'
  | 'nested'
  | 'ignore-file'
  | 'attributes'
  | 'instructions'
  | 'secret-name'
  | 'directory'
  | 'hook'
  | 'git-settings'
  | 'user-settings'
  | 'own-settings'
  | 'agent-home'
  | 'startup'
  | 'command'
  | 'trust'
  | 'named'
  | 'own'
  | 'other-session'
  | 'other-tool'
  | 'shape'
  | 'staged'
  | 'unstaged'

export interface Difference {
  /** Made of everything below, so that the same difference has the same id after a restart. */
  id: string
  kind: DifferenceKind
  /**
   * `file`, `index`, `bits`, `ignored`, `hidden`: a path of the project (bytes that are no UTF-8 as lone surrogates,
   * see path-bytes.ts). `ref`: its full name, or `HEAD`. `config`: the key. `protected`, `record`: a path relative to the
   * project where it lies in it, else an absolute one; `package.json#test` for the text of a script.
   */
  name: string
  /** `forward`: a ref that moved to a descendant of where it was. */
  change: 'added' | 'changed' | 'removed' | 'forward'
  /** State before and after in a form that only serves to be compared and found again. */
  before?: string
  after?: string
  /** For a person: what it is beyond its name. */
  detail?: string
  traits: Trait[]
  /** Path of the submodule or nested repository in which it lies; absent in the project itself. */
  part?: string
}

/** What was to be put back, and what came of it. */
export interface PutBackResult {
  /** Ids of the differences that are as before now, also those that were already. */
  done: string[]
  refused: { difference: Difference; reason: string }[]
  /** Where that is which had to make way: a path below the directory handed in, or a ref below `refs/autopilot/`. */
  kept: { id: string; place: string }[]
}

type Facts = Pick<Difference, 'kind' | 'name' | 'change' | 'traits' | 'detail'>

/** A difference with the id that its content gives it. */
export function difference(facts: Facts, before?: string, after?: string): Difference {
  const states = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
  const key = [facts.kind, facts.name, facts.change, before ?? null, after ?? null]
  return { id: digestOf(JSON.stringify(key)).slice(0, 16), ...facts, ...states }
}

/** Below a folder in capitals alone: `docs/agents.md` is about agents, and gives them no orders. */
const instructionNames = /^(?:AGENTS|AGENTS\.override|CLAUDE|CLAUDE\.local|GEMINI|QWEN|CRUSH|WARP)\.md$/
const instructionSettings =
  /^(?:\.mcp\.json|opencode\.jsonc?|\.?crush\.json|\.(?:cursor|cline|windsurf|roo)rules|\.goosehints|\.aider\.conf\.yml)$/
const instructionFolders =
  /(?:^|\/)\.(?:agents|claude|codex|gemini|opencode|junie|clinerules|github\/(?:agents|chatmodes|instructions|prompts)|(?:amazonq|augment|continue|cursor|roo|trae|windsurf)\/rules|kiro\/steering)\//
const instructionPlaces =
  /(?:^|\/)(?:\.(?:cursor|roo|vscode)\/mcp\.json|\.qwen\/settings\.json|\.github\/copilot-instructions\.md)$/
const secretNames =
  /^\.env|\.pem$|\.p12$|^id_|^credentials|^\.npmrc$|^\.netrc$|\.tfstate$|^\.(?:pypirc|git-credentials|htpasswd|dockercfg)$|\.(?:jks|kdbx|ppk)$|^master\.key$/
const sampleNames = /\.(?:example|sample|template|dist)$/

function givesOrders(path: string, name: string): boolean {
  if (instructionFolders.test(path) || instructionPlaces.test(path)) return true
  return instructionSettings.test(name) || instructionNames.test(name) || isOfRoot(path)
}

/** Some file systems take capitals and small letters for the same. */
const isOfRoot = (path: string) => /^(?:agents|claude|gemini)\.md$/i.test(path)

/** What a name alone tells. */
export function nameTraits(path: string): Trait[] {
  const name = basename(path)
  const traits: Trait[] = []
  if (name === '.gitignore') traits.push('ignore-file')
  if (name === '.gitattributes') traits.push('attributes')
  if (givesOrders(path, name)) traits.push('instructions')
  if (secretNames.test(name) && !sampleNames.test(name)) traits.push('secret-name')
  return traits
}
