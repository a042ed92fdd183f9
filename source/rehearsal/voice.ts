import { setTimeout as delay } from 'node:timers/promises'

export type ToolKind = 'read' | 'edit' | 'exec' | 'other'

/** How the agent is heard: JSON lines of the event union on stdout, at a human pace. */
export interface Voice {
  session(id: string): void
  /** A sentence of the agent, after a short thought. */
  say(sentence: string): Promise<void>
  plan(items: { text: string; status: string }[]): void
  /** A tool call around `action`; its output is shown, and a throw is shown as failed. */
  tool<Result>(
    call: { name: string; kind: ToolKind; title: string },
    action: () => Promise<{ output: string; ok?: boolean; value: Result }>,
  ): Promise<Result>
  usage(promptChars: number): void
  end(result: unknown, summary: string): void
}

/** Milliseconds of thought at pace 1. */
const beforeSentenceMs = 380
const beforeToolMs = 150

/** Roughly what a token holds; the rehearsal calls no model, so tokens are an estimate and cost nothing. */
const charsPerToken = 4

/** Pace: 1 is pleasant to watch, 0 is as fast as possible. Anything unreadable is 1. */
export function paceOf(value: string | undefined): number {
  const pace = value === undefined || value === '' ? 1 : Number(value)
  return Number.isFinite(pace) && pace >= 0 ? pace : 1
}

export function createVoice(write: (line: string) => void, pace: number): Voice {
  let calls = 0
  let sentences = 0
  let said = 0
  let read = 0
  const emit = (event: object) => write(`${JSON.stringify(event)}\n`)
  const think = async (ms: number) => {
    if (pace > 0) await delay(ms * pace)
  }
  const usageNow = () => ({
    input: Math.ceil(read / charsPerToken),
    output: Math.ceil(said / charsPerToken),
    cached: 0,
  })

  return {
    session: (id) => emit({ type: 'session', id, model: 'scripted', version: '1' }),
    async say(sentence) {
      await think(beforeSentenceMs)
      said += sentence.length
      sentences += 1
      emit({ type: 'text', id: `text-${sentences}`, full: sentence })
    },
    plan: (items) => emit({ type: 'plan', items }),
    async tool(call, action) {
      await think(beforeToolMs)
      calls += 1
      const event = { type: 'tool', id: `tool-${calls}`, ...call }
      emit({ ...event, status: 'running' })
      try {
        const { output, ok = true, value } = await action()
        emit({ ...event, output, status: ok ? 'ok' : 'failed' })
        return value
      } catch (error) {
        emit({ ...event, output: error instanceof Error ? error.message : String(error), status: 'failed' })
        throw error
      }
    },
    usage(promptChars) {
      read = promptChars
      emit({ type: 'usage', ...usageNow(), scope: 'total' })
    },
    end(result, summary) {
      emit({ type: 'end', result, outcome: { ok: true, result, text: summary, usage: usageNow() } })
    },
  }
}
