import type { PhaseDraft } from '../view/question.js'

/** The list of phases while a person edits it. */
export interface PhaseList {
  phases: PhaseDraft[]
  index: number
}

const next: Record<PhaseDraft['complexity'], PhaseDraft['complexity']> = {
  low: 'medium',
  medium: 'high',
  high: 'low',
}
const weight: Record<PhaseDraft['complexity'], number> = { low: 0, medium: 1, high: 2 }

function change(list: PhaseList, edit: (phase: PhaseDraft) => PhaseDraft): PhaseList {
  return { ...list, phases: list.phases.map((phase, index) => (index === list.index ? edit(phase) : phase)) }
}

export function select(list: PhaseList, by: number): PhaseList {
  const last = Math.max(0, list.phases.length - 1)
  return { ...list, index: Math.min(last, Math.max(0, list.index + by)) }
}

export function rename(list: PhaseList, name: string): PhaseList {
  return change(list, (phase) => ({ ...phase, name }))
}

/** Drops a phase of a reading, or skips an open phase; a second time takes it back. */
export function toggleDropped(list: PhaseList): PhaseList {
  return change(list, ({ dropped, ...phase }) => (dropped ? phase : { ...phase, dropped: true }))
}

export function nextComplexity(list: PhaseList): PhaseList {
  return change(list, (phase) => ({ ...phase, complexity: next[phase.complexity] }))
}

/** One phase out of the chosen one and the one above: its place and id, both names, the higher complexity. */
export function mergeUp(list: PhaseList): PhaseList {
  const above = list.phases[list.index - 1]
  const phase = list.phases[list.index]
  if (!above || !phase) return list
  const heavier = weight[phase.complexity] > weight[above.complexity] ? phase.complexity : above.complexity
  const { dropped, ...place } = above
  const name = `${above.name} + ${phase.name}`
  // What is merged with something that stays, stays.
  const merged: PhaseDraft = {
    ...place,
    name,
    complexity: heavier,
    ...(dropped && phase.dropped ? { dropped } : {}),
  }
  const phases = [...list.phases.slice(0, list.index - 1), merged, ...list.phases.slice(list.index + 1)]
  return { phases, index: list.index - 1 }
}

/** A new phase without a source line below the chosen one. */
export function addBelow(list: PhaseList, name: string): PhaseList {
  const at = list.phases.length === 0 ? 0 : list.index + 1
  const phase: PhaseDraft = { id: freeId(list.phases), name, complexity: 'medium' }
  return { phases: [...list.phases.slice(0, at), phase, ...list.phases.slice(at)], index: at }
}

function freeId(phases: readonly PhaseDraft[]): string {
  const taken = new Set(phases.map((phase) => phase.id))
  let number = phases.length + 1
  while (taken.has(String(number))) number += 1
  return String(number)
}

/** Moves the chosen phase by one place; it stays chosen. */
export function move(list: PhaseList, by: -1 | 1): PhaseList {
  const target = list.index + by
  const phase = list.phases[list.index]
  const other = list.phases[target]
  if (!phase || !other) return list
  const phases = list.phases.slice()
  phases[target] = phase
  phases[list.index] = other
  return { phases, index: target }
}

/** Why the list cannot be accepted, or undefined. */
export function refusal(list: PhaseList, kind: 'reading' | 'order'): string | undefined {
  if (list.phases.some((phase) => phase.name.trim() === '')) return 'Every phase needs a name.'
  if (kind === 'reading' && list.phases.every((phase) => phase.dropped))
    return 'At least one phase has to stay.'
  return undefined
}
