import type { Machine } from '../run/machine.js'

/** How sure a workflow is that an input is for it. */
export interface Recognition {
  /** Repo-relative path that the session is about. */
  path: string
  certainty: 'sure' | 'likely' | 'possible'
}

/** A workflow as the commands see it: what it takes, and the machine that runs it (design.md section 3). */
export interface Workflow<State extends object, Tools> {
  name: string
  /** Name of the state file in the session directory. */
  stateFile: string
  /** Can this workflow take the text of this file? Pure. */
  recognise(path: string, text: string): Recognition | undefined
  machine(tools: Tools, title: string): Machine<State>
}
