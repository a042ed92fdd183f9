import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LadderTimes } from '../../processes/ladder.js'
import { detectProgram } from '../../processes/program.js'
import type { AgentEvent, Backend, Conversation, OpenRequest, Outcome } from '../agent.js'
import { noUsage } from '../events.js'
import { type ClaudeSession, definedAgent } from './claude-command.js'
import { converse } from './claude-conversation.js'
import { detectClaude, isTooOld, oldestClaude } from './claude-detect.js'

// Claude Code over stream-json in both directions (docs/agents.md, "Claude Code").

export interface ClaudeOptions {
  /** Name on PATH, or path of the program. */
  program?: string
  /** Milliseconds since the epoch; reset times are judged by it. */
  now?(): number
  /** How long the stop ladder waits at each rung. */
  times?: LadderTimes
}

export function claudeBackend(options: ClaudeOptions = {}): Backend {
  const file = options.program ?? 'claude'
  return {
    id: 'claude',
    label: 'claude: Claude Code',
    caps: {
      deltas: true,
      ask: true,
      steer: true,
      schema: true,
      cost: true,
      resetTime: true,
      resume: true,
      turnLimit: true,
    },
    detect: () => detectClaude(file),
    open: (request, sink) => open(file, options, request, sink),
  }
}

async function open(
  file: string,
  options: ClaudeOptions,
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
): Promise<Conversation> {
  const program = await detectProgram(file, ['--version'], request.env)
  if (program && isTooOld(program.version)) return refused(tooOld(program.version), sink)
  const agent = await definedAgent(request.role, request.cwd, request.env)
  const system = request.systemAppend === undefined ? undefined : await writeSystem(request.systemAppend)
  return converse(
    {
      file: program?.path ?? file,
      request,
      session: firstSession(request),
      now: options.now ?? Date.now,
      ...(options.times ? { times: options.times } : {}),
      ...(agent === undefined ? {} : { agent }),
      ...(system === undefined ? {} : { systemFile: system.path }),
      closed: () => void system?.remove(),
    },
    sink,
  )
}

function firstSession(request: OpenRequest): ClaudeSession {
  return request.session ?? { mode: 'new', id: randomUUID() }
}

async function writeSystem(text: string): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'autopilot-role-'))
  const path = join(directory, 'role.md')
  await writeFile(path, text, { mode: 0o600 })
  return { path, remove: () => rm(directory, { recursive: true, force: true }) }
}

function tooOld(version: string): string {
  return `Claude Code ${version} is too old: ${oldestClaude} or later is needed. Update it with "claude update".`
}

/** A conversation that never began. */
function refused(message: string, sink: (event: AgentEvent) => void): Conversation {
  const outcome: Outcome = { ok: false, error: 'spawn', message, retry: 'never', usage: noUsage }
  sink({ type: 'end', outcome })
  return {
    done: Promise.resolve(outcome),
    send: () => 'unsupported',
    answer: () => {},
    interrupt: async () => {},
    pause: () => {},
    close: async () => outcome,
  }
}
