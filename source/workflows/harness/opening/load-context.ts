import { counted } from '../../../counted.js'
import { learningEntries } from '../../../documents/learnings.js'
import { readRoadmap } from '../../../documents/roadmap.js'
import { readText } from '../../../project/text-files.js'
import { sessionFiles } from '../artifacts/files.js'
import type { HarnessTools } from '../tools.js'
import { validationGaps, validationReason } from '../validate.js'
import type { HarnessWork } from '../work.js'

/** What INIT tells of the surroundings: learnings, roadmap, validation. Each part may fail alone. */
export async function loadContext(work: HarnessWork): Promise<string[]> {
  const { run, tools } = work
  const read = await run.step('context', async () => [
    ...(await learningsLines(tools).catch(failed('learnings'))),
    ...(await roadmapLines(tools).catch(failed('roadmap'))),
  ])
  const validation = await run.step('validation', () => validationLines(work).catch(failed('validation')))
  return [...read, ...validation]
}

function failed(part: string) {
  return (error: unknown) => [
    `The ${part} could not be read: ${error instanceof Error ? error.message : String(error)}`,
  ]
}

async function learningsLines(tools: HarnessTools): Promise<string[]> {
  const files = sessionFiles(tools.sessionDir)
  const text = (await readText(tools, files.learnings)) ?? (await readText(tools, files.globalLearnings))
  const entries = text === undefined ? [] : learningEntries(text)
  return entries.length === 0
    ? []
    : [
        `${counted(entries.length, 'learning')} from earlier work ${entries.length === 1 ? 'is' : 'are'} given to the agents.`,
      ]
}

async function roadmapLines(tools: HarnessTools): Promise<string[]> {
  const text = await readText(tools, sessionFiles(tools.sessionDir).roadmap)
  if (text === undefined) return []
  const reading = readRoadmap(text)
  if ('unreadable' in reading) return [`docs/roadmap.md cannot be read: ${reading.unreadable}`]
  const { features } = reading
  const doneCount = features.filter((feature) => feature.status === 'done').length
  const active = features.filter((feature) => feature.status === 'in-progress').map((feature) => feature.name)
  const blocked = features.filter((feature) => feature.status === 'blocked').map((feature) => feature.name)
  return [
    `Roadmap: ${doneCount} of ${counted(features.length, 'feature')} done${active.length > 0 ? `, in progress: ${active.join(', ')}` : ''}`,
    ...(blocked.length > 0 ? [`Blocked on the roadmap: ${blocked.join(', ')}`] : []),
  ]
}

async function validationLines({ run, tools }: HarnessWork): Promise<string[]> {
  const outcome = await tools.validate(run.signal)
  switch (outcome.kind) {
    case 'pass':
      return ['Validation passes before the first phase.']
    case 'failed':
      return ['Validation fails before the first phase:', ...validationGaps(outcome).slice(0, 5)]
    case 'not-installed':
      return []
    default:
      return validationReason(outcome)
  }
}
