import type { DispatchBegin } from '../../dispatch/tries.js'
import { sessionFiles } from '../artifacts/files.js'
import { scratchpadDir } from '../artifacts/scratchpad.js'
import type { SpecForAgents } from '../artifacts/spec.js'
import type { PhaseContext } from '../phases.js'
import type { HarnessTools } from '../tools.js'
import type { PhaseWork } from '../work.js'

// What every dispatch of this workflow is told (docs/harness.md, "Prompts"): the dispatch file, and the prompt.

/** The phase that a dispatch counts for, and the number it is told. */
export function phaseOf({ phase }: PhaseWork): { id: string; number: number } {
  return { id: phase.id, number: phase.number }
}

/** The fields of the dispatch file that every persona gets. */
export function commonBrief({ tools, phase }: PhaseWork, spec: SpecForAgents): Record<string, unknown> {
  const files = sessionFiles(tools.sessionDir)
  return {
    slug: tools.slug,
    rigor: phase.rigor,
    phase: {
      number: phase.number,
      label: phase.mark,
      name: phase.name,
      description: spec.description,
      total: phase.total,
    },
    specPath: spec.path,
    statePath: files.taskState,
    handoffPath: files.handoff,
  }
}

/** What every prompt names of the session. */
export function sessionFields({ tools, phase }: PhaseWork, spec: SpecForAgents, begin: DispatchBegin) {
  return {
    projectDir: tools.root,
    sessionDir: tools.sessionDir,
    slug: tools.slug,
    specPath: spec.path,
    rigor: phase.rigor,
    ...begin,
  }
}

/** The same, and the phase. */
export function phaseFields(work: PhaseWork, spec: SpecForAgents, begin: DispatchBegin) {
  const { number, mark, name, total } = work.phase
  return { ...sessionFields(work, spec, begin), phase: { number, label: mark, name, total } }
}

/** The scratchpad of the phase, where the rigor level has one (docs/harness.md, "Scratchpad"). */
export function scratchpadField(tools: HarnessTools, phase: PhaseContext): { scratchpadDir?: string } {
  return phase.rigor === 'fast' ? {} : { scratchpadDir: scratchpadDir(tools, phase.number, phase.name) }
}
