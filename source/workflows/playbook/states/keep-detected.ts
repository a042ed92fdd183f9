import { readText, writeText } from '../../../project/text-files.js'
import { withDetected } from '../records/detected-project.js'
import { settingsPath } from '../settings.js'
import type { PlaybookWork } from '../work.js'

/**
 * Writes into the configuration of the project what was detected, so that a person can see it and change it
 * (docs/playbook.md, "Project commands"). The file is part of what was trusted: nothing of that changes by our own write.
 */
export async function keepDetected({ run, tools }: PlaybookWork): Promise<void> {
  const { detected } = tools
  const written = await run.step('detected', async () => {
    const next = withDetected(await readText(tools, settingsPath), detected)
    if (next === undefined) return false
    await tools.guard?.()
    await writeText(tools, settingsPath, next)
    await tools.trustAgain?.()
    return true
  })
  if (written && detected.type === 'unknown')
    await run.note(
      'detected-nothing',
      'No manifest says how this project is compiled, tested, linted and built; such checks count as not applicable.',
      'warning',
    )
}
