import { counted } from '../../counted.js'
import { readPlaybookRoadmap } from '../../documents/playbook-roadmap.js'
import { readText } from '../../project/text-files.js'
import type { Candidate, Finder, Input, Recognition } from '../workflow.js'
import { planningDir, roadmapOf, roadmapPaths } from './places.js'
import { noRoadmap } from './selection/messages.js'

/** The roadmap of a project. */
export const playbookFinder: Finder = { recognise, candidates }

/** The planning folder or a roadmap of phases; whatever a person names of it, the run is about the project's one. */
async function recognise(
  { path, kind, text }: Input,
  { root }: { root: string },
): Promise<Recognition | undefined> {
  const bare = path.replace(/\/$/, '')
  const isOwn = bare === planningDir || (roadmapPaths as readonly string[]).includes(bare)
  if (!isOwn || (kind === 'missing' && bare !== planningDir)) return undefined
  const roadmap = await roadmapOf(root)
  if (roadmap === undefined) throw noRoadmap(roadmapPaths)
  const read = readPlaybookRoadmap((bare === roadmap ? text : await readText({ root }, roadmap)) ?? '')
  // A roadmap of features has no phases, and belongs to another workflow.
  if (read.phases.length === 0 && bare !== planningDir) return undefined
  return { subject: roadmap, certainty: 'sure', meaning: 'work through the phases of this roadmap' }
}

async function candidates(root: string): Promise<Candidate[]> {
  const path = await roadmapOf(root)
  if (path === undefined) return []
  const { phases, order } = readPlaybookRoadmap((await readText({ root }, path)) ?? '')
  if (phases.length === 0) return []
  const next = phases.find(({ id }) => id === order[0])
  return [
    {
      workflow: 'playbook',
      subject: path,
      title: 'Roadmap',
      size: sizeText(order.length, phases.length),
      detail: next === undefined ? 'nothing is outstanding' : `next: ${next.id} ${next.name}`,
    },
  ]
}

/** How many phases there are to be done, of all. */
function sizeText(outstanding: number, all: number): string {
  if (outstanding === all) return counted(all, 'phase')
  return outstanding === 0
    ? `${counted(all, 'phase')}, all done`
    : `${outstanding} of ${counted(all, 'phase')} open`
}
