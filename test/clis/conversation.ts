import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AgentEvent, Backend, Conversation, OpenRequest, Outcome } from '../../source/agents/agent.js'
import { geminiBackend, opencodeBackend } from '../../source/agents/backends/acp-profiles.js'
import { claudeBackend } from '../../source/agents/backends/claude.js'
import { codexBackend } from '../../source/agents/backends/codex.js'
import { findMarked } from '../../source/processes/process-marker.js'
import { type MockModel, type RecordedRequest, startMockModel } from '../mock-model/server.js'
import { createProject, type TestProject } from '../support/project.js'
import { type Program, programFolder } from './programs.js'
import { models, surround } from './surroundings.js'

// One real program in a project of its own, against a model server of its own, through autopilot's backend.

export interface Trial {
  program: Program
  backend: Backend
  mock: MockModel
  project: TestProject
  /** Everything the program said since the trial began. */
  events: AgentEvent[]
  open(scenario: string, changes?: Partial<Changes>): Promise<Conversation>
  /** Resolves with the first event that fits, now or later. */
  event<Type extends AgentEvent['type']>(
    type: Type,
    fits?: (event: Extract<AgentEvent, { type: Type }>) => boolean,
  ): Promise<Extract<AgentEvent, { type: Type }>>
  /** Requests that a model answered, side errands excepted. */
  asked(): RecordedRequest[]
  file(name: string): Promise<string | undefined>
  /** Processes of the trial that are alive. */
  left(): Promise<number[]>
}

export type Changes = Pick<OpenRequest, 'prompt' | 'schema' | 'access' | 'permissions' | 'session'> & {
  idleMs: number
  env: Record<string, string | undefined>
}

function backendOf({ name }: Program, folder: string): Backend {
  const path = join(folder, name)
  switch (name) {
    case 'claude':
      return claudeBackend({ program: path })
    case 'codex':
      return codexBackend({ argv: [path] })
    case 'gemini':
      return geminiBackend({ program: path })
    case 'opencode':
      return opencodeBackend({ program: path })
  }
}

let trials = 0

export async function startTrial(program: Program): Promise<Trial> {
  const mock = await startMockModel()
  onTestFinished(() => mock.close())
  const project = await createProject({ files: { 'readme.md': '# Trial\n' } })
  const backend = backendOf(program, await programFolder([program], join(project.root, 'bin')))
  trials += 1
  const runId = `clis-${process.pid}-${Date.now()}-${trials}`
  const events: AgentEvent[] = []
  const waiting = new Set<() => void>()
  const open: Conversation[] = []
  onTestFinished(async () => {
    for (const conversation of open) await conversation.close()
  })

  return {
    program,
    backend,
    mock,
    project,
    events,
    async open(scenario, { idleMs = 180_000, env: ownEnv, ...changes } = {}) {
      const own = await surround(program.name, project.home, mock.url(scenario))
      const env = defined({ ...project.env, TERM: 'dumb', ...own, ...ownEnv })
      await mkdir(join(project.root, 'tmp'), { recursive: true })
      const request: OpenRequest = {
        runId,
        dispatchId: `d${open.length + 1}`,
        role: 'harness-task-executor',
        cwd: project.dir,
        prompt: `Do what you are asked.\nFILE=${project.path('hello.txt')}\n`,
        model: models[program.name],
        access: 'full',
        permissions: 'all',
        env,
        // Generous: a machine that does other things too takes its time to start half a gigabyte.
        limits: { firstMs: 180_000, idleMs, wallMs: 280_000 },
        raw: () => {},
        ...changes,
      }
      const conversation = await backend.open(request, (event) => {
        events.push(event)
        for (const look of [...waiting]) look()
      })
      open.push(conversation)
      return conversation
    },
    event: (type, fits = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = events.find((event) => event.type === type && fits(event as never))
          if (!found) return
          waiting.delete(look)
          resolve(found as never)
        }
        waiting.add(look)
        look()
      }),
    asked: () => mock.requests.filter((one) => one.request !== undefined && !one.request.aside),
    file: (name) => readFile(project.path(name), 'utf8').catch(() => undefined),
    left: () => findMarked(runId),
  }
}

function defined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The outcome, told with what led to it where it is not the expected one. */
export function told(outcome: Outcome, { events }: Trial): string {
  const last = events.slice(-8).map((event) => JSON.stringify(event).slice(0, 300))
  return [JSON.stringify(outcome).slice(0, 600), ...last].join('\n')
}
