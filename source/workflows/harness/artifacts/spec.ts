import { readSpec } from '../../../documents/spec.js'
import { readText } from '../../../project/text-files.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import type { PhaseWork } from '../work.js'
import { frozenText, pathOfKept } from './frozen.js'

// The spec that a session goes by: the text that was kept of it (docs/evidence.md, "Plan and spec").

/** What agents are told of the spec. */
export interface SpecForAgents {
  /** Where they read it, repo-relative. */
  path: string
  /** The phase's own lines in it; empty where it has none. */
  description: string
}

/** The text that counts; the file as it is where a session of 0.1.0 kept none. Undefined when it is gone. */
export async function sessionSpec(tools: HarnessTools, state: HarnessState): Promise<string | undefined> {
  const { approvedSpec: hash } = state
  if (hash === undefined) return readText(tools, tools.specPath)
  return frozenText(tools, hash, tools.specPath)
}

export async function specForAgents(work: PhaseWork): Promise<SpecForAgents> {
  const { run, tools } = work
  const text = await sessionSpec(tools, run.state)
  return {
    path: text === undefined ? tools.specPath : await pathOfKept(tools, tools.specPath, text),
    description: await phaseDescription(work, text),
  }
}

/**
 * The phase's own lines, as they were read when the session began or taken over since. A session of 0.1.0 kept none: there
 * they are looked for by name, else by position.
 */
async function phaseDescription({ run, tools, phase }: PhaseWork, spec: string | undefined): Promise<string> {
  const { specText, name } = run.state.phases[phase.index] ?? phase.record
  if (specText === null) return ''
  const kept = specText === undefined ? undefined : await frozenText(tools, specText)
  if (kept !== undefined || spec === undefined) return kept ?? ''
  const { phases } = readSpec(spec)
  const found = phases.find((one) => one.name === name) ?? phases[phase.index]
  return found?.description ?? ''
}

/** Heading of the spec, else its path: what the session is called on screen and in records. */
export async function specTitle(tools: HarnessTools): Promise<string> {
  const text = await readText(tools, tools.specPath).catch(() => undefined)
  return (text === undefined ? undefined : readSpec(text).title) ?? tools.specPath
}
