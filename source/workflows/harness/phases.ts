import { readSpec } from '../../documents/spec.js'
import { readText } from './artifacts/files.js'
import type { HarnessState, Phase, RigorLevel } from './state/state.js'
import type { HarnessTools } from './tools.js'

/** The phase that a state works on. `number` is 1-based (screen, file names), `index` 0-based (JSON). */
export interface PhaseContext {
  index: number
  number: number
  phase: Phase
  total: number
  /** `Phase 2: Rule engine` */
  label: string
  rigor: RigorLevel
}

export function currentPhase(state: HarnessState): PhaseContext {
  const phase = state.phases[state.currentPhase]
  if (!phase) throw new Error(`the state has no phase ${state.currentPhase + 1}`)
  return {
    index: state.currentPhase,
    number: state.currentPhase + 1,
    phase,
    total: state.phases.length,
    label: `Phase ${state.currentPhase + 1}: ${phase.name}`,
    rigor: state.rigorLevel,
  }
}

/** A copy of the state with the current phase changed. */
export function withPhase(state: HarnessState, index: number, change: Partial<Phase>): HarnessState {
  return {
    ...state,
    phases: state.phases.map((phase, at) => (at === index ? { ...phase, ...change } : phase)),
  }
}

export function effectiveComplexity(phase: Phase): Phase['complexity'] {
  return phase.complexityOverride ?? phase.complexity
}

/** The phase's text in the spec, by name, else by position; empty when the spec no longer has it. */
export async function phaseDescription(tools: HarnessTools, context: PhaseContext): Promise<string> {
  const text = await readText(tools, tools.specPath)
  if (text === undefined) return ''
  const { phases } = readSpec(text)
  const found = phases.find((phase) => phase.name === context.phase.name) ?? phases[context.index]
  return found?.description ?? ''
}

/** Heading of the spec, else its path: what the session is called on screen and in records. */
export async function specTitle(tools: HarnessTools): Promise<string> {
  const text = await readText(tools, tools.specPath)
  return (text === undefined ? undefined : readSpec(text).title) ?? tools.specPath
}
