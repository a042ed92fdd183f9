import { findProjectRoot } from '../project/paths.js'
import type { GivenFlags } from '../workflows/flags.js'
import type { Registry } from '../workflows/workflow.js'

/** Runs a check of flags; what it refuses is told to the workflows that have all of these flags, then thrown. */
export async function checkingFlags(
  { registry, cwd, flags }: { registry: Registry; cwd: string; flags: GivenFlags },
  check: () => void,
): Promise<void> {
  try {
    check()
  } catch (error) {
    const root = await findProjectRoot(cwd)
    const takers = registry.filter((entry) => Object.keys(flags).every((name) => name in entry.flags))
    // A record that cannot be written is no reason to tell less.
    if (root !== undefined)
      await Promise.all(takers.map((entry) => entry.refused?.(root, flags).catch(() => undefined)))
    throw error
  }
}
