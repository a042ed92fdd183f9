import type { StateCodec } from '../ledger/state-codec.js'
import type { Config } from '../project/config.js'
import type { Machine } from '../run/machine.js'
import type { Budget } from '../view/budget.js'
import type { QuestionDraft } from '../view/question.js'
import type { StateSummary } from '../view/summary.js'
import type { FlagTable, GivenFlags } from './flags.js'
import type { Place } from './place.js'
import type { DispatchLimits, SessionTools } from './tools.js'

// What a workflow is to the rest of the program (docs/architecture.md). Sessions and commands know nothing else of it.

/** How sure a workflow is, weakest first. Of two that are as sure, the first of the registry is taken. */
export const certainties = ['possible', 'likely', 'sure'] as const
export type Certainty = (typeof certainties)[number]

/** What a person named on the command line, looked at by plain reads. */
export interface Input {
  /** Repo-relative; `.` is the project itself. */
  path: string
  kind: 'file' | 'folder' | 'missing'
  /** Of a file that can be read as text. */
  text?: string
}

export interface Recognition {
  /** Repo-relative path that a session of it would be about. */
  subject: string
  certainty: Certainty
  /** What taking it would mean, in words. */
  meaning: string
}

/** Something that a session could be begun for, as the start screen offers it. */
export interface Candidate {
  workflow: string
  subject: string
  title: string
  /** How much it is, in one or two words: `3 phases`. */
  size: string
  /** One line more for the one that is looked at. */
  detail: string
}

/** What a workflow can be begun for, loaded without its states: the start screen waits for nothing else of it. */
export interface Finder {
  /** Can this workflow take that, and what would it mean? Undefined: no. */
  recognise(input: Input, project: { root: string }): Promise<Recognition | undefined>
  /** What a session could be begun for in this project, best first. */
  candidates(root: string): Promise<Candidate[]>
}

/**
 * A workflow in the registry: what can be told of it without loading its code. `status` and `sessions` read nothing
 * else as long as the summaries beside the journals are fresh.
 */
export interface WorkflowEntry {
  readonly name: string
  readonly flags: FlagTable
  /** Repo-relative directories of its sessions, which are no change of the project and never enter a commit. */
  readonly ownPaths: readonly string[]
  /** Repo-relative directory that sessions go to once they are done. */
  readonly archiveDir: string
  /** Names of programs that it starts where they are there, beside agents and git; the trust question shows them. */
  readonly programs: readonly string[]
  /**
   * Absolute paths of files that say what this workflow does in a project, there or not: they belong to what the person
   * trusts, and are nobody's to change unasked. Plain reads.
   */
  settingsFiles?(root: string, flags: GivenFlags): Promise<string[]>
  /** It may begin where there is no repository or no commit yet, which are made once the person agrees. */
  readonly beginsRepositories?: boolean
  /** For the start screen where nothing was found: what a run of it begins with, and where that is looked for. */
  readonly looksFor?: string
  /** What is typed to run it, where that is no spec, and what that does; for the help. */
  readonly usage?: { argument: string; about: string }
  /** Throws a Problem ('usage') for flags that exclude each other. */
  checkFlags?(given: GivenFlags): void
  /** Told of flags that `checkFlags` has refused, to keep that on record where it has records in this project already. */
  refused?(root: string, given: GivenFlags): Promise<void>
  /** What may follow the input: which part of it is meant. */
  readonly selectors?: Selectors
  /** The sessions that a project holds, by plain reads. */
  places(root: string): Promise<Place[]>
  finder(): Promise<Finder>
  load(): Promise<AnyWorkflow>
}

export type Registry = readonly WorkflowEntry[]

/** Words behind the input that say which part of it is meant. */
export interface Selectors {
  /** The input that is meant where only a selector or a flag is given. */
  input: string
  /** Whether a word can be a selector at all; decides where no file of that name exists. */
  isSelector(word: string): boolean
  /** Throws a Problem ('usage') for words that name nothing. Plain reads. */
  check(root: string, words: readonly string[], given: GivenFlags): Promise<void>
  /** What the words tell without a run, line by line; undefined where they ask for a run. */
  answer(root: string, words: readonly string[]): Promise<string[] | undefined>
}

export interface PersonaSpec {
  /** It may change the project, and not only say something of it. */
  writes: boolean
  /** Longest time of one dispatch, where the user sets none. */
  wallMinutes: number
}

/** One kind of file that `inspect` can read. */
export interface Inspector {
  /** Word of `--as`; unique in its workflow. */
  kind: string
  /** Whether a file is of this kind, by its name and content. `path` is absolute. Pure. */
  matches(file: InspectedFile): Certainty | undefined
  /** Throws a Problem ('unreadable') for a file that is not what it seemed. */
  inspect(file: InspectedFile): Inspected
}

/** What `inspect` prints: with `--json`, and for people. */
export interface Inspected {
  json: unknown
  lines: string[]
}

export interface InspectedFile {
  /** Absolute. */
  path: string
  text: string
  /** ISO time of its last change. */
  changedAt: string
  /** Names in its folder, its own included. */
  siblings?: readonly string[]
}

/** One line of `doctor`. */
export interface Check {
  name: string
  ok: boolean
  text: string
  /** Without it no run could start. */
  needed?: boolean
  /** How to get what is missing. */
  todo?: string
}

/** What is told before a state file without a journal is taken over, and what has to be kept of it. */
export interface Adoption {
  lines: string[]
  /** File beside the state file that keeps the found bytes before the first write in a newer format. */
  backup?: string
}

/** What another tool has kept of a session, and how it becomes one of ours. */
export interface SessionRecord {
  /** Repo-relative path. */
  from: string
  lines: string[]
  /** Copies it to the place of the session. */
  take(): Promise<Place>
}

/** A workflow: where it keeps what it does, what a state of it says, and the machine that runs it. */
export interface Workflow<State extends object> {
  readonly name: string
  /** In the order in which they first act. */
  readonly personas: Readonly<Record<string, PersonaSpec>>
  /** The place of a session of its name. Pure. */
  place(subject: string): Place
  /** The session that is about the subject, else the place that a new one gets. Throws a Problem on a collision. */
  locate(root: string, subject: string): Promise<Place>
  /**
   * A session whose subject is gone from its place and lies here now, by its content, and where it was; undefined where no
   * session is missing it, or one is about this place already. A person says whether it is gone on with.
   */
  moved?(root: string, subject: string): Promise<{ place: Place; from: string } | undefined>
  /**
   * A record of a session that another tool keeps beside the subject, where no session of ours is about it: what it says,
   * line by line, and how it is taken over. The record itself is never written. A person says whether it is taken.
   */
  record?(root: string, subject: string): Promise<SessionRecord | undefined>
  /** How its state file is read and checked. */
  codec(place: Place): StateCodec<State>
  /**
   * A file at the place of the state that another tool keeps there for itself: it can be no state of this workflow, and
   * makes way only if a person says so. Pure.
   */
  isForeign?(text: string): boolean
  /** Of a state file that an other program wrote, or a version without a journal. `text` has been read well before. */
  adoption(text: string, place: Place): Adoption
  /**
   * An edit of the state file between two runs that needs no question: `merge` goes on in the open visit, with a state
   * in place of the file where one is given; `accept` begins it anew. `atWork`: it may be an agent's. Undefined, or without it: the person is asked. Pure.
   */
  takesEdit?(expected: State, found: State, atWork: boolean): TakenEdit<State> | undefined
  /** Reads files of the project beside the state, and writes nothing. */
  describe(state: State, at: { root: string; place: Place }): Promise<StateSummary>
  /** True for the state after which nothing is left to do. */
  isDone(state: State): boolean
  /** A finished session is opened like any other, since its last state asks what comes next; it is never archived for that. */
  readonly reopens?: boolean
  /** Flags count whenever a session is opened, not only when it begins. */
  readonly takesFlags?: boolean
  /** What a finished session came to, line by line. */
  doneReport(state: State): string[]
  /** What the program ends with when a run has come to its end; 0 without it. Pure. */
  exitCode?(state: State): 0 | 1
  /** The budgets that bind the run and its phase in work (an id), as they are now. Pure. */
  budgets?(state: State | undefined, limits: DispatchLimits, phase: string | undefined): Budget[]
  /** Repo-relative directory that finished and unreadable sessions are moved to. */
  readonly archiveDir: string
  /**
   * Of a session directory that outlives its runs: a finished one is archived at once, without a question, and the next
   * begins anew.
   */
  readonly archives?: RunArchive<State>
  readonly inspectors: readonly Inspector[]
  /** How a folder is read; undefined for one that is not this workflow's. `path` is absolute. Plain reads. */
  inspectFolder?(path: string): Promise<Inspected | undefined>
  /** What `doctor` looks for beyond what every workflow needs. `config` is undefined where it cannot be read. */
  checks(config: Config | undefined): Promise<Check[]>
  /** The machine over one session, with the tools that its states work with. */
  machine(tools: SessionTools): Promise<Machine<State>>
}

/** What followed the input on the command line. */
export interface Typed {
  selectors: readonly string[]
  flags: GivenFlags
}

/** What of a session directory belongs to one run, and where that goes. */
export interface RunArchive<State> {
  /** Names in the session directory, beside journal and state file. */
  readonly entries: readonly string[]
  /** Name of the run in the archive. Pure. */
  nameOf(state: State): string
  /** True for the last state of a run that a person ended to begin another one at once. Pure. */
  beginsAnew(state: State): boolean
  /**
   * What was typed is about another run than the one that is under way: the question whether to go on with it, or (`new`)
   * to give it up. Undefined where that is no question. Plain reads.
   */
  another?(root: string, state: State, typed: Typed): Promise<QuestionDraft | undefined>
}

/** What becomes of an edit of another hand that needs no question. */
export type TakenEdit<State> = { kind: 'accept' } | { kind: 'merge'; instead?: State }

/**
 * A workflow whose state is nobody's business: what a session reads through it, it hands back to it alone. The one
 * cast that this takes is `anyWorkflow`.
 */
export type AnyWorkflow = Workflow<object>

export function anyWorkflow<State extends object>(workflow: Workflow<State>): AnyWorkflow {
  return workflow as unknown as AnyWorkflow
}
