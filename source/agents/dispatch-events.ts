import type { AgentEvent, Conversation } from './agent.js'
import {
  createCommandOutput,
  looksAtNothing,
  printsFailures,
  runsCommand,
  runsTests,
} from './command-output.js'
import type { DispatchContext } from './dispatch-context.js'
import { addUsage, noUsage, usageOf } from './events.js'
import { createPaneWriter } from './pane-lines.js'
import { createTextRecord } from './text-record.js'

/** What the events of a dispatch come to. */
export interface DispatchEvents {
  take(event: AgentEvent): void
  answerWith(conversation: Conversation): void
  sessionId(): string | undefined
  denials(): string[]
  /** Commands that were run and can have shown something; undefined where the program reports no tools. */
  commands(): number | undefined
  /** Of these, how many have failed; all where the tests that it ran last have. */
  failedCommands(): number
  /** The end of what its tests or commands have printed. */
  output(): string | undefined
  /** The end of what the agent itself has said. */
  said(): string
  finish(): void
}

/** Characters of it: what somebody reads who has to answer. */
const saidTail = 8 * 1024

/** Passes events on to the pane, the totals and the person, and remembers what the reply has to tell. */
export function watchEvents(context: DispatchContext): DispatchEvents {
  const pane = createPaneWriter((line) => context.line(line))
  const denied: string[] = []
  const tools = new Map<string, boolean>()
  const titles = new Map<string, string>()
  const idle = new Set<string>()
  const failed = new Set<string>()
  /** Of the tests that were run last. */
  let redTests = false
  const spoken = createTextRecord(saidTail)
  const printed = createCommandOutput()
  let session = context.resume?.sessionId
  let conversation: Conversation | undefined
  let used = noUsage

  async function answer(event: Extract<AgentEvent, { type: 'ask' }>): Promise<void> {
    const chosen = (await context.ask?.(event).catch(() => undefined)) ?? safeAnswer(event)
    conversation?.answer(event.askId, chosen)
  }

  const ranCount = () => [...tools].filter(([id, ran]) => ran && !idle.has(id)).length

  return {
    take(event) {
      context.event?.(event)
      pane.event(event)
      if (event.type === 'text' && event.agent === undefined) spoken.take(event)
      if (event.type === 'session') {
        session = event.id
        context.session(event.id)
      }
      if (event.type === 'usage') {
        used = addUsage(used, event)
        context.usage(usageOf(used))
      }
      if (event.type === 'tool' && event.status === 'denied') denied.push(event.title)
      if (event.type === 'tool') {
        const ran = event.status !== 'denied' && (runsCommand(event) || tools.get(event.id) === true)
        titles.set(event.id, event.title || (titles.get(event.id) ?? ''))
        const title = titles.get(event.id) ?? ''
        tools.set(event.id, ran)
        if (looksAtNothing(title)) idle.add(event.id)
        if (ran && event.status === 'failed' && !idle.has(event.id)) failed.add(event.id)
        if (ran && event.status !== 'running' && runsTests(title))
          redTests = event.status === 'failed' || printsFailures(event.output ?? '')
        printed.take(event)
      }
      if (event.type === 'ask') void answer(event)
    },
    answerWith(open) {
      conversation = open
    },
    sessionId: () => session,
    denials: () => [...denied],
    commands: () => (tools.size === 0 && mayTellTools.has(context.backend.id) ? undefined : ranCount()),
    failedCommands: () => (redTests ? ranCount() : failed.size),
    output: () => printed.text(),
    said: () => spoken.text().trim(),
    finish: () => pane.end(),
  }
}

/** Programs that tell their tools if they like to; the protocol of every other backend tells each of them. */
const mayTellTools: ReadonlySet<string> = new Set(['command', 'rehearsal'])

/** Nobody is there to answer: nothing is permitted that was not before. */
function safeAnswer(event: Extract<AgentEvent, { type: 'ask' }>): { optionId: string; text: string } {
  const option = event.options.find((each) => each.kind === 'deny') ?? event.options[event.options.length - 1]
  return { optionId: option?.id ?? 'deny', text: 'Nobody can answer. Go on without it.' }
}
