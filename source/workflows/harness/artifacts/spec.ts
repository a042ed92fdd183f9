import { readSpec } from '../../../documents/spec.js'
import { readText } from '../../../project/text-files.js'
import type { PhaseContext } from '../phases.js'
import type { HarnessTools } from '../tools.js'
import { frozenText } from './frozen.js'

/**
 * The phase's own lines in the spec, as they were read when the session began. A session of 0.1.0 kept none: there they
 * are looked for by name, else by position; empty when the spec no longer has them.
 */
export async function phaseDescription(tools: HarnessTools, phase: PhaseContext): Promise<string> {
  const { specText } = phase.record
  if (specText === null) return ''
  const kept = specText === undefined ? undefined : await frozenText(tools, specText)
  if (kept !== undefined) return kept
  const text = await readText(tools, tools.specPath)
  if (text === undefined) return ''
  const { phases } = readSpec(text)
  const found = phases.find((one) => one.name === phase.name) ?? phases[phase.index]
  return found?.description ?? ''
}

/** Heading of the spec, else its path: what the session is called on screen and in records. */
export async function specTitle(tools: HarnessTools): Promise<string> {
  const text = await readText(tools, tools.specPath)
  return (text === undefined ? undefined : readSpec(text).title) ?? tools.specPath
}
