import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../documents/json.js'
import { readPlaybookRoadmap } from '../../documents/playbook-roadmap.js'
import { openGit } from '../../project/git.js'
import { detectProject } from '../../project/project-commands.js'
import { fileExists, readText } from '../../project/text-files.js'
import { budgetsWith } from '../dispatch/run-budgets.js'
import type { SessionTools } from '../tools.js'
import { anyWorkflow, type Workflow } from '../workflow.js'
import { describe } from './describe.js'
import { inspectors } from './inspectors.js'
import { playbookMachine } from './machine.js'
import type { ProjectCommands } from './orders/fields.js'
import { personas } from './personas/personas.js'
import { archiveDir, playbookPlace as place, roadmapOf, roadmapPaths, sessionDir } from './places.js'
import { commandOf } from './records/detected-project.js'
import { repoMapPath } from './repo-map.js'
import { askAboutOther, phasesBefore } from './selection/answers.js'
import { type PlaybookSettings, readPlaybookSettings } from './settings.js'
import { isRunState, playbookCodec } from './state/codec.js'
import { decisionLog } from './state/decisions.js'
import { phasesWith } from './state/phases.js'
import type { PlaybookState } from './state/schema.js'
import { endLines } from './states/completion.js'
import type { PlaybookTools } from './tools.js'

/** A whole roadmap, phase by phase (docs/playbook.md). */
export const playbookWorkflow: Workflow<PlaybookState> = {
  name: 'playbook',
  personas,
  place: () => place,
  locate: async () => place,
  codec: () => playbookCodec,
  isForeign: (text) => {
    const read = parseJson(text)
    return 'value' in read && !isRunState(read.value)
  },
  adoption: () => ({ lines: ['It goes on with the phase and the step that the file names.'] }),
  describe,
  isDone: (state) => state._meta.status === 'completed',
  doneReport: endLines,
  exitCode: (state) => (phasesWith(state, 'failed').length > 0 ? 1 : 0),
  budgets: budgetsWith(decisionLog),
  archiveDir,
  archives: {
    entries: ['logs', 'dispatches', 'closing.md', 'summary.json'],
    nameOf: ({ _meta }) => _meta.run_id,
    beginsAnew: ({ _meta }) => _meta.status === 'failed',
    another: askAboutOther,
  },
  inspectors,
  checks: async () => [],
  machine: async (session) => playbookMachine(await openPlaybookTools(session)),
}

/** The same for whoever knows no state. */
export const playbook = anyWorkflow(playbookWorkflow)

async function openPlaybookTools(session: SessionTools): Promise<PlaybookTools> {
  const { root } = session
  const [settings, detected, roadmapPath] = await Promise.all([
    readPlaybookSettings(root),
    detectProject(root),
    roadmapOf(root).then((path) => path ?? roadmapPaths[0]),
  ])
  const roadmap = readPlaybookRoadmap((await readText({ root }, roadmapPath)) ?? '')
  const { phases } = roadmap
  const learnings = `${sessionDir}/learnings.md`
  return {
    ...session,
    roadmapPath,
    outline: new Map(phases.map((phase) => [phase.id, phase])),
    before: await phasesBefore(root, roadmap),
    settings,
    gitAt: (worktree) =>
      openGit(join(root, worktree), {
        ownPaths: [sessionDir],
        ...(session.guard ? { guard: session.guard } : {}),
      }),
    project: {
      type: settings.project.type ?? detected.type,
      manifest: settings.project.manifest ?? detected.manifest,
    },
    detected,
    commands: () => commandsOf(settings, detected.commands),
    isModel: (persona) =>
      settings.verification_min_seconds > 0 && session.backendFor(persona).id !== 'rehearsal',
    repoMapPath: () => (existsSync(join(root, repoMapPath)) ? repoMapPath : undefined),
    learningsPath: async () => ((await fileExists({ root }, learnings)) ? learnings : null),
  }
}

function commandsOf({ project }: PlaybookSettings, detected: ProjectCommands): ProjectCommands {
  const one = (name: keyof ProjectCommands) =>
    commandOf(project.commands[name], detected[name], project.commands_source)
  return { compile: one('compile'), lint: one('lint'), build: one('build'), test: one('test') }
}
