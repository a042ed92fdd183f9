import { homedir } from 'node:os'
import { type CommandResult, runCommand } from '../../processes/commands.js'
import { childEnvironment } from '../../processes/environment.js'
import { locateProgram } from '../../processes/find-program.js'
import type { LadderTimes } from '../../processes/ladder.js'
import { detectProgram } from '../../processes/program.js'
import type { startChild } from '../../processes/supervisor.js'
import type { AgentEvent, Backend, Conversation, OpenRequest } from '../agent.js'
import { noUsage } from '../events.js'
import { isUnattended } from './codex-access.js'
import { openAppServer } from './codex-app-server.js'
import { openExec } from './codex-exec.js'
import type { Counted } from './codex-usage.js'

// codex as an agent (docs/agents.md, "Codex"): its app-server, or `codex exec` where it has none and nobody is asked.

export interface CodexOptions {
  /** Program and arguments that go before the command. Default: `codex`. */
  argv?: readonly string[]
  /** Shown to the person. */
  label?: string
  now?(): number
  start?: typeof startChild
  /** Of the stop ladder. */
  times?: LadderTimes
}

/** Printing a help or looking at the login takes 30 ms; a wrapper script under load some seconds. */
const probeMs = 15_000

export function codexBackend(options: CodexOptions = {}): Backend {
  const argv = options.argv ?? ['codex']
  const [file = '', ...args] = argv
  const now = options.now ?? Date.now
  const servers = new Map<string, Promise<boolean>>()
  const billed = new Map<string, Counted>()

  function probe(path: string, command: string[], env = childEnvironment()): Promise<CommandResult> {
    const run = { cwd: homedir(), env, timeoutMs: probeMs, outputCap: 64 * 1024 }
    return runCommand([path, ...args, ...command], run)
  }

  /** Asked once for each program. One without the command takes it for a prompt and prints its common help. */
  function hasAppServer(path: string, request: OpenRequest): Promise<boolean> {
    const known =
      servers.get(path) ??
      probe(path, ['app-server', '--help'], request.env).then(
        ({ code, stdout }) => code === null || /Usage:.*\bapp-server\b/.test(stdout),
      )
    servers.set(path, known)
    return known
  }

  return {
    id: 'codex',
    label: options.label ?? argv.join(' '),
    caps: {
      deltas: true,
      ask: true,
      steer: true,
      schema: true,
      cost: false,
      resetTime: true,
      resume: true,
      turnLimit: true,
    },
    async detect() {
      const program = await detectProgram(file, [...args, '--version'])
      if (program === undefined) return undefined
      const { code } = await probe(program.path, ['login', 'status'])
      return { ...program, auth: code === 0 ? 'ok' : code === 1 ? 'missing' : 'unknown' }
    },
    async open(request, sink) {
      const { start, times } = options
      const path = await locateProgram(file)
      // A program that is missing is left to the start, which says so.
      if (path === undefined) return openAppServer(request, sink, { argv, now, start, times })
      const own = { argv: [path, ...args], now, billed, start, times }
      if (await hasAppServer(path, request)) return openAppServer(request, sink, own)
      if (isUnattended(request.access, request.permissions)) return openExec(request, sink, own)
      return refused(sink)
    },
  }
}

/** A codex that could do nothing but refuse silently whatever needs a permission. */
function refused(sink: (event: AgentEvent) => void): Conversation {
  const outcome = {
    ok: false,
    error: 'spawn',
    message:
      'This codex has no app-server, so that it cannot ask for permissions. Update it, or set the permissions of this role to "all".',
    retry: 'never',
    usage: noUsage,
  } as const
  sink({ type: 'end', outcome })
  const done = Promise.resolve(outcome)
  return {
    done,
    send: () => 'unsupported',
    answer: () => {},
    interrupt: async () => {},
    pause: () => {},
    close: () => done,
  }
}
