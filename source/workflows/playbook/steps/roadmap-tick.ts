import { completedInRoadmap, type RoadmapEdit } from '../../../documents/playbook-roadmap-edit.js'
import { readText, writeText } from '../../../project/text-files.js'
import { hashOfFile } from '../artifacts.js'
import { tell } from '../progress.js'
import { type PhaseWork, save } from '../work.js'

/** What stood there before the edit. */
interface Before {
  hash: string
  day: string
}

interface Came extends Pick<RoadmapEdit, 'box' | 'row'> {
  /** The roadmap is the spec, which was as it was locked. */
  relock: { from: string; to: string } | null
}

/** Ticks the phase in the roadmap, and fills in its row in the table of progress. Where the roadmap is the spec too, the spec is locked anew. */
export async function tickRoadmap(work: PhaseWork): Promise<void> {
  const { run, tools, facts } = work
  const path = run.state.roadmap_path
  const { path: specPath, hash: locked } = run.state.spec
  const came = (await run.effect<Before, Came>('tick', {
    prepare: async () => ({
      hash: await hashOfFile(tools.root, specPath),
      day: tools.now().toISOString().slice(0, 10),
    }),
    apply: async ({ hash: before, day }) => {
      const text = (await readText(tools, path)) ?? ''
      const { box, row, text: next } = completedInRoadmap(text, facts.id, day)
      if (next !== text) await writeText(tools, path, next)
      const after = await hashOfFile(tools.root, specPath)
      return { box, row, relock: before === locked && after !== before ? { from: before, to: after } : null }
    },
    // Done twice it comes to the same.
    recover: async () => undefined,
  })) as Came
  const { relock, box, row } = came
  if (box === 'none') await tell(work, 'tick-missing', `${path} has no box for this phase.`)
  if (row === 'failed')
    await tell(work, 'row-missing', `The table of progress in ${path} has no row for this phase.`, 'warning')
  if (relock !== null)
    await save(
      work,
      'tick-relocked',
      (state, at) => ({ ...state, spec: { ...state.spec, hash: relock.to, locked_at: at } }),
      [{ event: 'spec_relocked', phase: facts.id, details: { ...relock, by: 'roadmap tick' } }],
    )
}
