import { z } from 'zod'
import { crashMessage, spawnMessage, timeoutMessage } from '../../processes/child-end.js'
import type { ChildExit } from '../../processes/supervisor.js'
import type { OpenRequest } from '../agent.js'
import { type Failure, readRpcError } from './acp-errors.js'
import { ConversationGone } from './acp-session.js'

/** What the agent said lost a part on its way. */
export class Damaged extends Error {
  constructor() {
    super('A message of the agent arrived damaged, so what it says cannot be relied on.')
  }
}

export const stoppedByUs: Failure = { error: 'aborted', message: 'The agent was stopped.', retry: 'now' }

/** A turn that ended because the process did. */
export function failureOfExit(
  exit: ChildExit,
  start: { file: string; request: OpenRequest; silenceHint: string | undefined },
): Failure {
  const { file, request, silenceHint } = start
  if (exit.spawnError) {
    return { error: 'spawn', message: spawnMessage(exit.spawnError, file, request.cwd), retry: 'never' }
  }
  if (exit.stopped === 'aborted') return stoppedByUs
  if (exit.stopped) {
    const hint = exit.stopped === 'idle' && silenceHint ? ` ${silenceHint}` : ''
    const message = `${timeoutMessage(exit.stopped, request.limits.wallMs)}${hint}`
    return { error: 'timeout', message, retry: 'now' }
  }
  return { error: 'crash', message: crashMessage(exit), retry: 'now' }
}

/** A turn that ended with an error answer, or because the agent does not keep to the protocol. */
export function failureOfError(error: unknown, nowMs: number): Failure {
  if (error instanceof z.ZodError) {
    const message =
      'The agent does not keep to the Agent Client Protocol: its answers to the handshake cannot be read.'
    return { error: 'crash', message, retry: 'now' }
  }
  const told = readRpcError(error, nowMs)
  if (told) return told
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ConversationGone) return { error: 'input', message, retry: 'never' }
  return { error: 'crash', message, retry: 'now' }
}
