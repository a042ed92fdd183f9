import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { harnessProject, harnessSpecPath } from '../mock-model/harness-spec.js'
import { type MockModel, startMockModel } from '../mock-model/server.js'
import type { Scenario } from '../mock-model/turn.js'
import { createProject, type TestProject } from '../support/project.js'
import { openTerminal, type TestTerminal } from '../support/terminal.js'
import { answer, type JournalLine, journalOf, waitForGate } from './journey.js'

// The polite project of the mock model, driven by the built program in a terminal, with an agent that talks to the mock.

export const slug = 'changes--polite--proposal'

export interface ModelProject {
  project: TestProject
  mock: MockModel
  /** Starts autopilot on the spec, in a process and a terminal of its own. */
  start(): TestTerminal
  /** Starts it and answers the question of trust. */
  startTrusted(): Promise<TestTerminal>
  journal(): Promise<JournalLine[]>
  /** Runs of autopilot so far, oldest first. */
  runIds(): Promise<string[]>
}

export interface ModelProjectOptions {
  /** Value of `--agent`. */
  agent: string
  /** What the user's configuration file says. */
  config?: Record<string, unknown>
  model: Scenario
  /** Environment that leads the agent to the mock; default: what the embedded agent needs. */
  environment?(project: TestProject, base: string): Promise<Record<string, string>>
}

const embeddedEnvironment = async (_project: TestProject, base: string) => ({
  ANTHROPIC_BASE_URL: base,
  ANTHROPIC_API_KEY: 'dummy',
})

export async function modelProject(options: ModelProjectOptions): Promise<ModelProject> {
  const mock = await startMockModel()
  onTestFinished(() => mock.close())
  const project = await createProject({ files: harnessProject })
  const base = mock.play(options.model)
  const own = await (options.environment ?? embeddedEnvironment)(project, base)
  const env = { ...project.env, ...own }
  const configPath = join(project.home, '.config', 'autopilot', 'config.json')
  await mkdir(dirname(configPath), { recursive: true })
  await writeFile(configPath, JSON.stringify({ environment: Object.keys(own), ...options.config }))
  const start = () =>
    openTerminal({
      argv: [harnessSpecPath, '--agent', options.agent],
      cwd: project.dir,
      env,
      cols: 100,
      rows: 40,
    })
  const journal = () => journalOf(project.path('.harness/sessions', slug, 'journal.jsonl'))
  return {
    project,
    mock,
    start,
    async startTrusted() {
      const terminal = start()
      await waitForGate(terminal, 'Q-TRUST')
      await answer(terminal, { choose: 'yes' })
      return terminal
    },
    journal,
    runIds: async () =>
      (await journal()).flatMap((line) => (line.type === 'opened' ? [String(line.runId)] : [])),
  }
}
