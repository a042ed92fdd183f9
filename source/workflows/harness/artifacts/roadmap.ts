import { lineDiff } from '../../../documents/diff.js'
import { matchFeature, readRoadmap, setFeatureStatus, targetStatus } from '../../../documents/roadmap.js'
import { fileExists, readText, writeText } from '../../../project/text-files.js'
import { qRoadmap } from '../questions/phase-complete.js'
import type { HarnessTools } from '../tools.js'
import type { HarnessWork } from '../work.js'
import { sessionFiles } from './files.js'
import { specTitle } from './spec.js'

// docs/roadmap.md (docs/harness.md, "Roadmap row"): the matching row only, shown before it is written, never lowered.

type Wanted = 'in-progress' | 'done'

interface Proposal {
  after: string
  before: string
  diff: string[]
  generated: boolean
}

async function propose(
  tools: HarnessTools,
  wanted: Wanted,
): Promise<Proposal | { unreadable: string } | null> {
  const path = sessionFiles(tools.sessionDir).roadmap
  const before = await readText(tools, path)
  if (before === undefined) return null
  const reading = readRoadmap(before)
  if ('unreadable' in reading) return { unreadable: reading.unreadable }
  const feature = matchFeature(reading, tools.specPath, await specTitle(tools))
  const status = feature && targetStatus(feature.status, wanted)
  if (!feature || !status) return null
  const after = setFeatureStatus(before, feature, status, tools.now().toISOString())
  return {
    before,
    after,
    diff: lineDiff(before, after),
    generated: await fileExists(tools, 'docs/roadmap.d'),
  }
}

/**
 * Offers to bring the feature's row up to the wanted status; silent where there is nothing to do. `wants` is asked first, and only
 * where there is a row to change.
 */
export async function syncRoadmap(
  { run, tools }: HarnessWork,
  wanted: Wanted,
  wants: () => Promise<boolean> = async () => true,
): Promise<void> {
  const proposal = await run.step(`roadmap-${wanted}`, () => propose(tools, wanted))
  if (proposal === null) return
  if ('unreadable' in proposal) {
    await run.note(
      `roadmap-unreadable-${wanted}`,
      `docs/roadmap.md is left alone: ${proposal.unreadable}`,
      'warning',
    )
    return
  }
  if (!(await wants())) return
  const answer = await run.ask(`roadmap-${wanted}`, qRoadmap(proposal.diff, proposal.generated))
  if (answer.value !== 'apply') return
  await run.step(`roadmap-write-${wanted}`, async () => {
    const path = sessionFiles(tools.sessionDir).roadmap
    const now = await readText(tools, path)
    if (now === proposal.before) return writeText(tools, path, proposal.after)
    // Changed while the question was open: only this row is set, in the text as it is now.
    const again = await propose(tools, wanted)
    if (again && 'after' in again) await writeText(tools, path, again.after)
  })
}
