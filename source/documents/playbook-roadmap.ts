import { phaseIdPattern } from './playbook-id.js'

/** State of the box of a phase in a list; null where no list names it. */
export type PhaseBox = 'open' | 'done' | 'partial' | null

/** One phase of a roadmap (docs/playbook.md, "Roadmap"). */
export interface PlaybookPhase {
  /** Normalised: `2.1`, `12A`. */
  id: string
  name: string
  /** Empty where the roadmap says none. */
  goal: string
  /** Lines of its section that belong to no field, else what its list line says behind its name. */
  description: string
  /** Normalised ids, ranges resolved, unknown ones included. */
  dependsOn: string[]
  requirements: string[]
  criteria: string[]
  /** Ids of its plans as listed: `02-01`. */
  plans: string[]
  /** How many plans it says that it has, where it says so. */
  planCount: number | null
  checkbox: PhaseBox
  /** Belongs to a part of the roadmap that is marked as shipped. */
  shipped: boolean
  inserted: boolean
  /** Value of its `UI hint`, empty without one. */
  uiHint: string
  mode: string
  /** Fields of other names. */
  extra: Record<string, string>
  /** 1-based line of its heading, else of its list line. */
  line: number
  warnings: string[]
}

export interface PlaybookRoadmap {
  phases: PlaybookPhase[]
  /** Ids that a run of all outstanding phases would work through, in that order. */
  order: string[]
  /** One cycle of dependencies, its first id again at the end; undefined without one. */
  cycle: string[] | undefined
  /** Phases stand only in a list, all of them open. */
  malformed: boolean
  warnings: string[]
}

export const phaseIdOf = new RegExp(phaseIdPattern, 'i')
