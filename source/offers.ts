import { Problem, type ProblemParts } from './problem.js'
import { type ListedSession, listSessions } from './sessions/session-summaries.js'
import { registry as own } from './workflows/registry.js'
import type { Candidate, Registry, WorkflowEntry } from './workflows/workflow.js'

// What the start screen offers. This module is bundled by itself (scripts/build.js): in one file, it is there in a fraction of
// the time that a hundred parts which it shares with the rest would take.

/** What there is to go on with, and to begin. `failed`: why nobody can say; only plain data leaves this module. */
export type Offers = { sessions: ListedSession[]; candidates: Candidate[] } | { failed: ProblemParts }

/** What a project holds for the workflows of a registry, by plain reads. */
export async function offersOf(root: string, registry: Registry): Promise<Offers> {
  try {
    const [sessions, candidates] = await Promise.all([
      listSessions(root, registry),
      candidatesOf(root, registry.map(bundledHere)),
    ])
    return { sessions, candidates }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, what, why, todo } = error
    return { failed: { code, what, why, todo } }
  }
}

/** What sessions could be begun for in a project, as the workflows see it. */
async function candidatesOf(root: string, finders: Registry): Promise<Candidate[]> {
  const found = await Promise.all(finders.map(async (entry) => (await entry.finder()).candidates(root)))
  return found.flat()
}

/** The finders of the product are part of this file; those of another registry are where they are. */
function bundledHere(entry: WorkflowEntry): WorkflowEntry {
  return own.find(({ name }) => name === entry.name) ?? entry
}
