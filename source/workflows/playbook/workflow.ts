import { readPlaybookRoadmap } from '../../documents/playbook-roadmap.js'
import { fileExists, readText } from '../../project/text-files.js'
import type { Place } from '../place.js'
import type { SessionTools } from '../tools.js'
import { anyWorkflow, type Workflow } from '../workflow.js'
import { describe } from './describe.js'
import { playbookMachine } from './machine.js'
import { personas } from './personas/personas.js'
import { readPlaybookSettings } from './settings.js'
import { playbookCodec } from './state/codec.js'
import type { PlaybookState } from './state/schema.js'
import { endLines } from './states/completion.js'
import type { PlaybookTools } from './tools.js'

const sessionDir = '.autopilot'
const archiveDir = '.autopilot/archive'
const place: Place = {
  workflow: 'playbook',
  slug: 'playbook',
  sessionDir,
  stateFile: `${sessionDir}/state.json`,
  lockDir: sessionDir,
}

/** A whole roadmap, phase by phase (docs/playbook.md). */
export const playbookWorkflow: Workflow<PlaybookState> = {
  name: 'playbook',
  personas,
  recognise: async () => undefined,
  candidates: async () => [],
  place: () => place,
  locate: async () => place,
  codec: () => playbookCodec,
  adoption: () => ({ lines: ['It goes on with the phase and the step that the file names.'] }),
  describe,
  isDone: (state) => state._meta.status === 'completed',
  doneReport: endLines,
  archiveDir,
  inspectors: [],
  checks: async () => [],
  machine: async (session) => playbookMachine(await openPlaybookTools(session)),
}

/** The same for whoever knows no state. */
export const playbook = anyWorkflow(playbookWorkflow)

async function openPlaybookTools(session: SessionTools): Promise<PlaybookTools> {
  const { root } = session
  const [settings, roadmapPath] = await Promise.all([readPlaybookSettings(root), roadmapOf(root)])
  const { phases } = readPlaybookRoadmap((await readText({ root }, roadmapPath)) ?? '')
  const { compile = null, lint = null, build = null, test = null } = settings.project.commands
  const learnings = `${sessionDir}/learnings.md`
  return {
    ...session,
    roadmapPath,
    outline: new Map(phases.map((phase) => [phase.id, phase])),
    settings,
    commands: () => ({ compile, lint, build, test }),
    isModel: (persona) =>
      settings.verification_min_seconds > 0 && session.backendFor(persona).id !== 'rehearsal',
    repoMapPath: () => undefined,
    learningsPath: async () => ((await fileExists({ root }, learnings)) ? learnings : null),
  }
}

async function roadmapOf(root: string): Promise<string> {
  const usual = '.planning/ROADMAP.md'
  return (await fileExists({ root }, usual)) ? usual : 'ROADMAP.md'
}
