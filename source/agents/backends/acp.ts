import { locateProgram } from '../../processes/find-program.js'
import { detectProgram } from '../../processes/program.js'
import { startChild } from '../../processes/supervisor.js'
import type { Backend, BackendCapabilities, Detection, OpenRequest } from '../agent.js'
import { startAcpConversation } from './acp-conversation.js'

// Any program that speaks the Agent Client Protocol on stdin and stdout (docs/agents.md, "Agent Client Protocol").

export interface AcpOptions {
  id: string
  /** Shown to the person. Default: id and the command. */
  label?: string | undefined
  /** Program and arguments; a program with a slash is looked up from the project directory. */
  argv: readonly string[]
  /** Arguments that depend on the request. */
  args?(request: OpenRequest): string[]
  /** Environment that the program needs on top of the request's; goes before it. */
  env?: Record<string, string> | ((request: OpenRequest) => Record<string, string>)
  /** True where `args` or `env` name the model, so that it is not chosen over the protocol. */
  modelIsSet?: boolean
  /** Arguments that print the version. Without them, the program is looked for and not executed. */
  versionArgs?: readonly string[]
  silence?: Backend['silence']
  /** Said in addition when the program fell silent. */
  silenceHint?: string
  caps?: Partial<BackendCapabilities>
  /** Epoch milliseconds; for the check of reset times. */
  now?: (() => number) | undefined
  /** Starts the process. */
  startChild?: typeof startChild
}

const caps: BackendCapabilities = {
  deltas: true,
  ask: true,
  steer: false,
  schema: false,
  cost: false,
  resetTime: false,
  resume: true,
  turnLimit: true,
}

export function acpBackend(options: AcpOptions): Backend {
  const [file = '', ...args] = options.argv
  return {
    id: options.id,
    label: options.label ?? `${options.id}: ${options.argv.join(' ')}`,
    caps: { ...caps, ...options.caps },
    silence: options.silence,
    detect: () => detect(file, options),
    async open(request, sink) {
      const env = typeof options.env === 'function' ? options.env(request) : options.env
      return startAcpConversation({
        file,
        args: [...args, ...(options.args?.(request) ?? [])],
        env: { ...request.env, ...env },
        request,
        sink,
        modelIsSet: options.modelIsSet ?? false,
        silenceHint: options.silenceHint,
        now: options.now ?? Date.now,
        startChild: options.startChild ?? startChild,
      })
    },
  }
}

async function detect(file: string, options: AcpOptions): Promise<Detection | undefined> {
  if (options.versionArgs) {
    const env = typeof options.env === 'object' ? options.env : {}
    const program = await detectProgram(file, options.versionArgs, env)
    return program && { ...program, auth: 'unknown' }
  }
  const path = await locateProgram(file)
  return path === undefined ? undefined : { path, version: '', auth: 'unknown' }
}
