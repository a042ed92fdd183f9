import type { AgentEvent, Conversation, OpenRequest } from '../../../source/agents/agent.js'
import { claudeBackend } from '../../../source/agents/backends/claude.js'
import { childEnvironment } from '../../../source/processes/environment.js'
import { freshRunId, temporaryDirectory } from '../agent-kit.js'
import { loadTranscripts, type Replay, type ReplayOptions, replay, type Transcript } from './transcripts.js'

// The Claude Code backend, hosting a program that plays a transcript.

export const transcripts = loadTranscripts('claude')
const recordedAt = Date.parse('2026-11-27T20:45:00Z')
export const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }
export const commands = { '--version': { stdout: '2.1.332 (Claude Code)\n' } }
/** Without rungs to wait for: a fake that hangs is ended at once. */
export const times = { interruptMs: 100, termMs: 5000, markedMs: 2000, killRounds: 100, pollMs: 10 }

export type Ask = Extract<AgentEvent, { type: 'ask' }>
export type Answer = { optionId: string; text?: string }

export interface Opened {
  conversation: Conversation
  events: AgentEvent[]
  played: Replay
  request: OpenRequest
}

export interface OpenOptions extends ReplayOptions {
  request?: Partial<OpenRequest>
  answer?: (ask: Ask) => Answer
  on?: (event: AgentEvent, conversation: Conversation) => void
}

export function named(name: string): Transcript {
  const found = transcripts.find((each) => each.name === name)
  if (!found) throw new Error(`no transcript ${name}`)
  // Our host asks for no greeting, so it gets none.
  const isGreeting = (line: string) => /"initialize"|"request_id":"i1"/.test(line)
  return {
    ...found,
    lines: found.lines.filter((line) => !isGreeting(line)),
    input: found.input.filter((line) => !isGreeting(line)),
  }
}

export async function open(transcript: Transcript, options: OpenOptions = {}): Promise<Opened> {
  const { request: changes, answer, on, ...rest } = options
  const played = replay(transcript, { commands, ...rest })
  const events: AgentEvent[] = []
  const request: OpenRequest = {
    runId: freshRunId(),
    dispatchId: 'd1',
    role: 'harness-verifier',
    cwd: temporaryDirectory(),
    prompt: firstPrompt(transcript),
    access: 'full',
    env: childEnvironment(),
    limits: { firstMs: 20_000, idleMs: 20_000, wallMs: 60_000 },
    raw: () => {},
    ...changes,
  }
  const backend = claudeBackend({ program: played.program, now: () => recordedAt, times })
  const conversation: Conversation = await backend.open(request, (event) => {
    events.push(event)
    if (event.type === 'ask' && answer) {
      const given = answer(event)
      queueMicrotask(() => conversation.answer(event.askId, given))
    }
    on?.(event, conversation)
  })
  return { conversation, events, played, request }
}

function firstPrompt(transcript: Transcript): string {
  const line = transcript.input.map((each) => JSON.parse(each)).find((each) => each.type === 'user')
  return line?.message.content[0].text ?? 'go'
}

export function answersTo(name: string): (ask: Ask) => Answer {
  switch (name) {
    case 'permission-deny':
      return () => ({ optionId: 'deny', text: 'User said no: use another folder' })
    case 'permission-deny-stop':
      return () => ({ optionId: 'stop', text: 'stop' })
    case 'permission-always':
      return () => ({ optionId: 'allow-run' })
    case 'ask-user':
      return () => ({ optionId: 'choice-2' })
    default:
      return () => ({ optionId: 'allow' })
  }
}

export const sessions: Record<string, OpenRequest['session']> = {
  resume: { id: 'a0000000-0000-4000-8000-000000000001', mode: 'resume' },
  'resume-missing': { id: 'a0000000-0000-4000-8000-000000000337', mode: 'resume' },
}
export const withSchema = new Set(['success-schema', 'resume', 'schema-missing'])
