import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readText, writeText } from '../../../project/text-files.js'
import { sessionDir } from '../places.js'
import { phaseOf } from '../state/phases.js'
import type { PhaseRecord } from '../state/schema.js'
import { type PhaseWork, savePhase } from '../work.js'

// What stands of a phase when a cycle of mending begins. A cycle that is taken back leaves its reports as little as its
// commits: scorecard, judge's report and steps are again those of the score that counts.

/** Reports that a cycle writes anew. What was executed stays in its log: it did happen. */
const reports = ['TRIAGE.json', 'VERIFICATION.md', 'JUDGE-REPORT.md', 'SCORECARD.md']

type Steps = PhaseRecord['steps']

const keptDir = ({ facts }: PhaseWork) => `${sessionDir}/before-cycle/${facts.id}`

/** Keeps it, before anything of the cycle has begun. `key` is unique in the visit. */
export function keepBeforeCycle(work: PhaseWork, key: string): Promise<Steps> {
  const { run, tools, facts } = work
  return run.step(key, async () => {
    for (const name of reports) {
      const text = await readText(tools, `${facts.dir}/${name}`)
      if (text !== undefined) await writeText(tools, `${keptDir(work)}/${name}`, text)
    }
    return phaseOf(run.state, facts.id).steps
  }) as Promise<Steps>
}

/** Puts it back. */
export async function putBackBeforeCycle(work: PhaseWork, key: string, steps: Steps): Promise<void> {
  const { run, tools, facts } = work
  await run.step(`${work.at}${key}-reports`, async () => {
    for (const name of reports) {
      const text = await readText(tools, `${keptDir(work)}/${name}`)
      if (text !== undefined) await writeText(tools, `${facts.dir}/${name}`, text)
    }
    return null
  })
  await savePhase(work, `${key}-steps`, (phase) => ({ ...phase, steps }))
}

/** What was kept is needed no more. */
export async function forgetBeforeCycle(work: PhaseWork, key: string): Promise<void> {
  await work.run.step(`${work.at}${key}`, async () => {
    await rm(join(work.tools.root, sessionDir, 'before-cycle'), { recursive: true, force: true })
    return null
  })
}
