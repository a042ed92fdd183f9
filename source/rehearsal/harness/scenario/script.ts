// What the scripted agent knows to do: data only, the engine is beside this folder.

export interface ScriptFile {
  path: string
  text: string
}

export interface ScriptOption {
  label: string
  files: ScriptFile[]
}

export type ScriptCheckpoint =
  | { type: 'decision'; prompt: string; options: ScriptOption[] }
  /** `show` is a module that prints what the person looks at; a rejection moves on to the next of `layouts`. */
  | { type: 'human-verify'; prompt: string; show: string; layouts: ScriptFile[][] }

export interface ScriptTask {
  title: string
  dependsOn: string
  steps: string[]
  /** Subject of the task's commit. */
  commit: string
  /** Said while the work is done. */
  thought: string
  files: ScriptFile[]
  /** Test files that must pass before the commit. */
  tests: string[]
  /** Attempts that do not pass, made in this order unless the dispatch is a retry. */
  drafts?: ScriptFile[][]
  /** What is learned by the failure. */
  lesson?: string
  checkpoint?: ScriptCheckpoint
}

export interface ScriptPhase {
  name: string
  goal: string
  /** Said while planning. */
  thoughts: string[]
  uncertainties: string[]
  truths: string[]
  concerns: string[]
  tasks: ScriptTask[]
  /** What the verifier does at its first look although it may not: it is the one who is caught in the demo. */
  overstep?: { path: string; from: string; to: string; thought: string }
}

export interface ScriptFinding {
  severity: 'blocking' | 'warning' | 'note'
  file: string
  /** Files that must all be in the reviewed diff. */
  needs: string[]
  title: string
  rationale: string
  /** The finding holds as long as a line of the file matches; that line is reported. */
  mark: RegExp
  /** A module that fails as long as the finding holds: the reviewer's proof. */
  probe?: string
  fix?: { commit: string; thought: string; files: ScriptFile[]; tests: string[] }
}

/** All files that a task writes, whatever is answered. */
export const pathsOf = (task: ScriptTask): string[] => {
  const chosen = task.checkpoint?.type === 'decision' ? task.checkpoint.options.flatMap((o) => o.files) : []
  return [...new Set([...task.files, ...chosen].map((file) => file.path))]
}
