import type { Messages } from '@anthropic-ai/sdk/resources/messages'
import type { Outcome, TokenUsage } from '../agents/agent.js'
import { addUsage, noUsage } from '../agents/events.js'
import { type Call, type CallKit, result, runCall } from './calls.js'
import { type Block, joined, type StoredConversation } from './conversation.js'
import type { Inbox } from './inbox.js'
import { type Billed, type ModelFacts, usageOf } from './prices.js'
import { type Failure, interrupted } from './protocol.js'
import { type Report, reportName } from './report.js'
import { type RetryKit, withRetries } from './retries.js'
import type { Model, ModelAnswer, ModelRequest } from './stream.js'

// One turn of the embedded agent: ask the model, do what it calls for, tell it what came out, until it reports
// (docs/agents.md, "Embedded agent").

const maxRepairs = 2
const maxContinuations = 3
const maxPauses = 10
/** A conversation is ended before the model can no longer take it. */
const fullAt = 0.8
/** Text of the end that is handed on, in characters. */
const textTail = 64 * 1024

export interface LoopKit extends CallKit {
  modelName: string
  model: Model
  facts: ModelFacts
  system: string
  report?: Report | undefined
  conversation: StoredConversation
  inbox: Inbox
  limits: { turns?: number | undefined; usd?: number | undefined }
  retry: RetryKit
}

/** What comes after an answer: more for the model, the same again, or the end. */
type Next = { kind: 'say'; blocks: Block[] } | { kind: 'resend' } | Ended

type Ended = { kind: 'done'; result?: unknown } | { kind: 'failed'; failure: Failure }

interface Course {
  repairs: number
  reminded: boolean
  continuations: number
  pauses: number
  calls: number
}

export async function runLoop(prompt: string, kit: LoopKit): Promise<Outcome> {
  const course: Course = { repairs: 0, reminded: false, continuations: 0, pauses: 0, calls: 0 }
  let used = noUsage
  let turns = 0
  let text = ''

  const failed = (failure: Failure): Outcome => ({ ok: false, ...failure, usage: used })
  const bill = (billed: Billed) => {
    const cost = usageOf(kit.modelName, billed, kit.facts.price)
    used = addUsage(used, { type: 'usage', scope: 'turn', ...cost })
    kit.emit({ type: 'usage', scope: 'turn', ...cost })
  }

  await kit.conversation.add('user', [textBlock(prompt)])
  for (;;) {
    const limit = kit.signal.aborted ? interrupted : overLimit(kit, turns, used)
    if (limit) return failed(limit)
    const asked = await withRetries(() => kit.model.ask(requestOf(kit), kit.signal, bill), kit.retry)
    if (!asked.ok) return failed(asked.failure)
    const answer = asked.value
    turns += 1
    bill(answer.billed)
    if (answer.text.trim() !== '') text = answer.text
    await kit.conversation.add('assistant', keptContent(answer))

    const next = await nextStep(answer, course, kit)
    switch (next.kind) {
      case 'done':
        return { ok: true, result: next.result, text: text.slice(-textTail), usage: used }
      case 'failed':
        return failed(next.failure)
      case 'say':
        await kit.conversation.add('user', next.blocks)
        break
      case 'resend':
        break
    }
    if (answer.contextTokens > kit.facts.contextTokens * fullAt) return failed(tooFull(answer, kit))
  }
}

/** Cache marks stand on what stays the same: the system text, the tools, and all messages up to the newest. */
function requestOf(kit: LoopKit): ModelRequest {
  const tools: Messages.Tool[] = kit.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }))
  if (kit.report) tools.push(kit.report.tool)
  const last = tools.at(-1)
  if (last) tools[tools.length - 1] = { ...last, ...cached }

  const messages = joined(kit.conversation.messages)
  const newest = messages.at(-1)
  const block = newest?.content.at(-1)
  if (newest && block && (block.type === 'text' || block.type === 'tool_result')) {
    newest.content[newest.content.length - 1] = { ...block, ...cached }
  }
  return {
    model: kit.modelName,
    max_tokens: kit.facts.maxTokens,
    system: [{ ...textBlock(kit.system), ...cached }],
    tools,
    messages,
  }
}

const cached = { cache_control: { type: 'ephemeral' as const } }

function textBlock(text: string): Messages.TextBlockParam {
  return { type: 'text', text }
}

function overLimit(kit: LoopKit, turns: number, used: TokenUsage): Failure | undefined {
  const { limits } = kit
  if (limits.turns !== undefined && turns >= limits.turns) {
    return {
      error: 'turns',
      message: `The agent used its ${limits.turns} turns without an end.`,
      retry: 'never',
    }
  }
  if (limits.usd !== undefined && used.usd !== undefined && used.usd >= limits.usd) {
    const message = `The budget of ${limits.usd} USD is used up: ${used.usd.toFixed(2)} USD.`
    return { error: 'budget', message, retry: 'never' }
  }
  return undefined
}

function tooFull(answer: ModelAnswer, kit: LoopKit): Failure {
  const message = `The conversation holds ${answer.contextTokens} of ${kit.facts.contextTokens} tokens and cannot go on.`
  return { error: 'context', message, retry: 'never' }
}

/** A call that was cut at the output limit is not kept: nobody can tell what it would have been. */
function keptContent(answer: ModelAnswer): Block[] {
  if (answer.stopReason !== 'max_tokens') return answer.content
  const kept = answer.content.filter((block) => block.type !== 'tool_use')
  return kept.length > 0 ? kept : [textBlock('(cut off)')]
}

async function nextStep(answer: ModelAnswer, course: Course, kit: LoopKit): Promise<Next> {
  switch (answer.stopReason) {
    case 'max_tokens':
      return continued(answer, course)
    case 'refusal':
      return fail('refused', `The model refused to go on. ${answer.text.slice(0, 500)}`.trim())
    case 'model_context_window_exceeded':
      return fail('context', 'The conversation no longer fits the model.')
    case 'pause_turn':
      course.pauses += 1
      return course.pauses > maxPauses
        ? fail('overloaded', 'The model paused again and again.')
        : { kind: 'resend' }
    default:
      // Some servers call for tools and still say that they ended their turn.
      return answer.content.some((block) => block.type === 'tool_use')
        ? doCalls(answer, course, kit)
        : ended(answer, course, kit)
  }
}

function continued(answer: ModelAnswer, course: Course): Next {
  course.continuations += 1
  if (course.continuations > maxContinuations) {
    return fail('context', `The model did not come to an end in ${maxContinuations} continued answers.`)
  }
  const cutCall = answer.content.some((block) => block.type === 'tool_use')
  const text = cutCall
    ? 'Your answer was too long and its tool call was cut off; nothing was run. Make it again in smaller pieces.'
    : 'Your answer was cut off at its greatest length. Go on exactly where it stopped.'
  return { kind: 'say', blocks: [textBlock(text)] }
}

/** The model ended its turn without a call. */
function ended(answer: ModelAnswer, course: Course, kit: LoopKit): Next {
  if (kit.inbox.hasMessages()) return { kind: 'say', blocks: messagesOf(kit) }
  if (!kit.report) return { kind: 'done' }
  const written = kit.report.inText(answer.text)
  if (written?.ok) return { kind: 'done', result: written.result }
  const wrong = written ? `The block does not fit: ${written.errors.join('; ')}` : undefined
  if (course.reminded) {
    return fail(
      'schema',
      `The agent ended without a result. ${wrong ?? `It did not call ${reportName}.`}`,
      'now',
    )
  }
  course.reminded = true
  const reminder = `You ended your turn without a result. If the work is done, call ${reportName} now; else go on.`
  return { kind: 'say', blocks: [textBlock(wrong ? `${reminder} ${wrong}` : reminder)] }
}

/** Runs the calls of one answer one after the other; a result that fits ends the turn when all others are done. */
async function doCalls(answer: ModelAnswer, course: Course, kit: LoopKit): Promise<Next> {
  const blocks: Block[] = []
  let end: Ended | undefined
  course.continuations = 0
  for (const block of answer.content) {
    if (block.type !== 'tool_use') continue
    if (kit.signal.aborted) {
      blocks.push(result(block, 'Not run: the person interrupted the work.', true))
      continue
    }
    if (kit.report && block.name === reportName) {
      const [said, closing] = takeReport(block, kit.report, course, kit)
      blocks.push(said)
      end = closing ?? end
      continue
    }
    course.calls += 1
    blocks.push(await runCall(block, course.calls, kit).catch(() => brokenOff(block, kit)))
  }
  if (!end && !kit.signal.aborted) return { kind: 'say', blocks: [...blocks, ...messagesOf(kit)] }
  await kit.conversation.add('user', blocks)
  return kit.signal.aborted ? { kind: 'failed', failure: interrupted } : (end ?? { kind: 'resend' })
}

function brokenOff(call: Call, kit: LoopKit): Block {
  if (!kit.signal.aborted) return result(call, 'The call failed.', true)
  return result(call, 'Broken off: the person interrupted the work.', true)
}

function takeReport(call: Call, report: Report, course: Course, kit: LoopKit): [Block, Ended | undefined] {
  const checked = report.check(call.input)
  const shown = { type: 'tool', id: call.id, name: reportName, kind: 'other', title: reportName } as const
  kit.emit({ ...shown, input: call.input, status: checked.ok ? 'ok' : 'failed' })
  if (checked.ok && kit.inbox.hasMessages()) {
    return [
      result(call, 'Not taken yet: the person wrote to you meanwhile. Report again afterwards.', true),
      undefined,
    ]
  }
  if (checked.ok) return [result(call, 'Taken.'), { kind: 'done', result: checked.result }]
  const wrong = checked.errors.join('; ')
  course.repairs += 1
  const said = result(
    call,
    `The result does not fit: ${wrong}. Call ${reportName} again with all of it.`,
    true,
  )
  if (course.repairs <= maxRepairs) return [said, undefined]
  return [said, fail('schema', `The result does not have the agreed shape: ${wrong}`, 'now')]
}

/** What the person wrote, for the model; told in the pane, so that they see it arrived. */
function messagesOf(kit: LoopKit): Block[] {
  return kit.inbox.takeMessages().map((text) => {
    kit.emit({ type: 'log', stream: 'stdout', line: 'your message was handed to the model' })
    return textBlock(text)
  })
}

function fail(error: Failure['error'], message: string, retry: Failure['retry'] = 'never'): Ended {
  return { kind: 'failed', failure: { error, message, retry } }
}
