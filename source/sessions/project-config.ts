import { type Config, loadConfig } from '../project/config.js'
import type { GivenFlags } from '../workflows/flags.js'
import type { Registry } from '../workflows/workflow.js'

/** The configuration of a project, with every file of it that says what some workflow does there. */
export async function loadProjectConfig(
  root: string,
  registry: Registry,
  flags: GivenFlags = {},
): Promise<Config> {
  const config = await loadConfig(root)
  const files = await Promise.all(registry.map((entry) => entry.settingsFiles?.(root, flags) ?? []))
  return { ...config, projectFiles: [...config.projectFiles, ...files.flat()] }
}
