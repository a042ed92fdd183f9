import type { Failure, Outcome } from '../agent.js'
import { successOf } from '../end-of-process.js'
import { lastJsonBlock } from '../result.js'
import { createTextRecord } from '../text-record.js'
import { readAnswer } from './acp-answer.js'
import { failureOfError } from './acp-failure.js'
import { type Acp, emit } from './acp-talk.js'

// A turn: prompts until there is nothing more to tell the agent.

async function prompt(acp: Acp, text: string): Promise<unknown> {
  if (!acp.connection) throw new Error('The agent is not connected.')
  acp.said = createTextRecord()
  acp.turns += 1
  acp.talk = { at: 'prompting' }
  acp.cost.isCounted = true
  const params = { sessionId: acp.sessionId, prompt: [{ type: 'text', text }] }
  const answer = acp.connection.agent.request<unknown>('session/prompt', params).finally(() => {
    acp.talk = { at: 'between' }
  })
  acp.prompted = answer.catch(() => {})
  return Promise.race([answer, acp.damage.happened])
}

/** One turn. Where the process ends it, its exit tells what came of it. */
export async function runTurn(acp: Acp, first: () => Promise<string>): Promise<void> {
  acp.turns = 0
  const { damage, link } = acp
  const outcome = await Promise.race([first(), damage.happened])
    .then((text) => talk(acp, text))
    .catch((error: unknown) => failed(acp, error))
  if (outcome) link.end(outcome)
}

/** Prompts until there is nothing more to tell the agent, and judges its last answer. */
async function talk(acp: Acp, first: string): Promise<Outcome | undefined> {
  const { link, desk } = acp
  const hasSchema = acp.start.request.schema !== undefined
  for (let text: string | undefined = first; ; ) {
    const answer = readAnswer(await prompt(acp, text))
    desk.cancel()
    if (link.process() !== 'running') return undefined
    const { input, output, cached } = answer.usage
    if (input + output + cached > 0) emit(acp, { type: 'usage', ...answer.usage, scope: 'turn' })
    const reason = ourReason(acp) ?? answer.failure
    if (reason) return failure(acp, reason)
    const final = acp.said.text()
    const result = lastJsonBlock(final)
    text = nextPrompt(acp, result !== undefined)
    if (text !== undefined) continue
    if (!hasSchema || result !== undefined) return successOf({ result, text: final }, link.usage())
    const message = 'The agent ended its turn without a result: there is no JSON block in its final message.'
    return failure(acp, { error: 'schema', message, retry: 'now' })
  }
}

/** What came up during the prompt and the agent has not heard yet. */
function nextPrompt(acp: Acp, hasResult: boolean): string | undefined {
  const hasSchema = acp.start.request.schema !== undefined
  const denials = acp.denials.splice(0)
  const lines = [...(hasSchema && !hasResult ? denials : []), ...acp.messages.splice(0)]
  if (lines.length === 0) return undefined
  const ending = hasSchema ? ['Go on with the task, and end with the result as agreed.'] : []
  return [...lines, ...ending].join('\n\n')
}

function failed(acp: Acp, error: unknown): Outcome | undefined {
  const { link, start } = acp
  if (link.process() !== 'running') return undefined
  const ours = ourReason(acp)
  if (ours) return failure(acp, ours)
  const reason = failureOfError(error, start.now())
  if (reason.error === 'limit') {
    const { resetsAt } = reason
    start.sink({ type: 'limit', status: 'rejected', ...(resetsAt === undefined ? {} : { resetsAt }) })
  }
  return failure(acp, reason)
}

function ourReason({ link }: Acp): Failure | undefined {
  const turn = link.turn()
  return turn.at === 'running' ? turn.ending : undefined
}

function failure({ link }: Acp, reason: Failure): Outcome {
  return { ok: false, ...reason, usage: link.usage() }
}
