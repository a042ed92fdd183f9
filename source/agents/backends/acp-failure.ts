import { z } from 'zod'
import type { Failure } from '../agent.js'
import { readRpcError } from './acp-errors.js'
import { ConversationGone } from './acp-session.js'

/** What the agent said lost a part on its way. */
export class Damaged extends Error {
  constructor() {
    super('A message of the agent arrived damaged, so what it says cannot be relied on.')
  }
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
