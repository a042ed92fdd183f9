import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { GivenFlags } from '../workflows/flags.js'
import type { Registry, WorkflowEntry } from '../workflows/workflow.js'

export interface InputAndSelectors {
  /** As it was typed, or what a bare selector or flag means. */
  input?: string
  /** What follows the input. */
  selectors?: readonly string[]
}

/**
 * Which of the words of a run is its input. A bare selector works where no file of that name is there, and a flag of a
 * workflow with selectors means the input that it says.
 */
export async function inputAndSelectors(
  registry: Registry,
  cwd: string,
  words: readonly string[],
  flags: GivenFlags,
): Promise<InputAndSelectors> {
  const [first, ...rest] = words
  if (first === undefined) {
    const owner = ownerOfFlags(registry, flags)
    return owner?.selectors === undefined ? {} : { input: owner.selectors.input }
  }
  const selecting = registry.find((entry) => entry.selectors?.isSelector(first) === true)
  const isFile = selecting !== undefined && (await isThere(resolve(cwd, first)))
  if (selecting?.selectors === undefined || isFile)
    return { input: first, ...(rest.length > 0 ? { selectors: rest } : {}) }
  return { input: selecting.selectors.input, selectors: words }
}

/** The one workflow that takes all flags that were given. */
function ownerOfFlags(registry: Registry, flags: GivenFlags): WorkflowEntry | undefined {
  const given = Object.keys(flags)
  if (given.length === 0) return undefined
  return registry.find((entry) => given.every((name) => name in entry.flags))
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
