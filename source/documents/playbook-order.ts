import { comparePhaseIds } from './playbook-id.js'

// In which order phases run (docs/playbook.md, "Order").

export interface OrderedPhase {
  id: string
  dependsOn: readonly string[]
}

/**
 * Phases after all that they wait for, ids in their order where nothing else decides. What waits for phases that are
 * not among them waits for nothing. Those of a cycle, and what waits for them, are left out.
 */
export function phaseOrder(phases: readonly OrderedPhase[]): string[] {
  const left = new Map(phases.map((phase) => [phase.id, phase]))
  const waiting = new Map<string, number>()
  const followers = new Map<string, string[]>()
  for (const { id, dependsOn } of left.values()) {
    const here = [...new Set(dependsOn)].filter((one) => left.has(one) && one !== id)
    waiting.set(id, here.length)
    for (const one of here) followers.set(one, [...(followers.get(one) ?? []), id])
  }
  const ready = [...left.keys()].filter((id) => waiting.get(id) === 0).sort(comparePhaseIds)
  const order: string[] = []
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    order.push(id)
    for (const follower of followers.get(id) ?? []) {
      const more = (waiting.get(follower) ?? 0) - 1
      waiting.set(follower, more)
      if (more === 0) insert(ready, follower)
    }
  }
  return order
}

function insert(ids: string[], id: string): void {
  const at = ids.findIndex((other) => comparePhaseIds(id, other) < 0)
  ids.splice(at === -1 ? ids.length : at, 0, id)
}

/** The ids of one cycle, the first again at the end; undefined where there is none. */
export function phaseCycle(phases: readonly OrderedPhase[]): string[] | undefined {
  const ordered = new Set(phaseOrder(phases))
  const stuck = new Map(phases.filter(({ id }) => !ordered.has(id)).map((phase) => [phase.id, phase]))
  const [first] = stuck.keys()
  // Whatever is stuck waits for something stuck, so a walk along that comes back to where it was.
  const path: string[] = []
  for (let at = first; at !== undefined; ) {
    const seen = path.indexOf(at)
    if (seen !== -1) return [...path.slice(seen), at]
    path.push(at)
    at = stuck.get(at)?.dependsOn.find((one) => stuck.has(one))
  }
  return undefined
}

/** Ids that wait for any of these, at whatever distance. */
export function dependentsOf(phases: readonly OrderedPhase[], ids: readonly string[]): string[] {
  const hit = new Set(ids)
  for (let grew = true; grew; ) {
    grew = false
    for (const { id, dependsOn } of phases) {
      if (hit.has(id) || !dependsOn.some((one) => hit.has(one))) continue
      hit.add(id)
      grew = true
    }
  }
  for (const id of ids) hit.delete(id)
  return phases.map(({ id }) => id).filter((id) => hit.has(id))
}
