import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureIgnored } from '../../../project/gitignore.js'
import { writeText } from '../../../project/text-files.js'
import { docsDir, settingsFile, usualStateFile } from '../places.js'
import type { LifecycleTools } from '../tools.js'

/** True for a path that the program writes itself beside the work of a step: the state file, what it keeps of it, ignore files. */
export function isOwnFile({ place: { stateFile } }: Pick<LifecycleTools, 'place'>, path: string): boolean {
  return path === stateFile || path.startsWith(`${stateFile}.`) || ignoreFiles.has(path)
}

const ignoreFiles: ReadonlySet<string> = new Set(['.gitignore', `${docsDir}/.gitignore`])

/** Our own files stay out of commits; the folder of the state file is there before it is written. */
export async function prepareFiles(tools: LifecycleTools): Promise<void> {
  await mkdir(join(tools.root, tools.place.stateFile, '..'), { recursive: true })
  await ensureIgnored(tools.root, '.', '.autopilot')
  await ensureIgnored(tools.root, docsDir, '*.bak')
  const { stateFile } = tools.place
  const settings = {
    ...(stateFile === usualStateFile ? {} : { statePath: stateFile }),
    ...(tools.flowFile === undefined ? {} : { flowFile: tools.flowFile }),
  }
  if (Object.keys(settings).length > 0) await writeText(tools, settingsFile, `${JSON.stringify(settings)}\n`)
}
