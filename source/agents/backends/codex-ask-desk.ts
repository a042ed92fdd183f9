import type { AgentEvent, OpenRequest } from '../agent.js'
import type { Fields } from '../fields.js'
import { judgePermission } from '../permission-policy.js'
import { type Answer, readServerRequest, type ServerAsk } from './codex-asks.js'
import type { RpcId } from './codex-rpc.js'

export interface AskDeskOptions {
  request: Pick<OpenRequest, 'access' | 'permissions' | 'cwd'>
  item(id: string | undefined): Fields | undefined
  emit(event: AgentEvent): void
  answer(id: RpcId, result: unknown): void
  /** Says something to the agent beside an answer, which has no room for words. */
  say(text: string): void
  /** An ask needs no answer any more. */
  closed(askId: string): void
  /** The person chose to end the turn. */
  stopped(): void
}

/** The open requests of a conversation: what the policy decides is answered at once, the rest waits for a person. */
export interface AskDesk {
  /** False for a request that is not known. */
  take(id: RpcId, method: string, params: Fields): boolean
  answer(askId: string, given: Answer): void
  /** Codex does not wait for an answer any more. */
  drop(requestId: unknown): void
  clear(): void
}

interface OpenAsk {
  id: RpcId
  ask: ServerAsk
  answers: Map<string, Answer>
}

export function createAskDesk(options: AskDeskOptions): AskDesk {
  const { access, permissions, cwd } = options.request
  const open = new Map<string, OpenAsk>()

  function close(key: string): void {
    const closing = open.get(key)
    open.delete(key)
    for (const each of closing?.ask.asks ?? []) options.closed(each.askId)
  }

  /** What the person says with a denial. */
  function tellWhy({ ask, answers }: OpenAsk): void {
    for (const each of ask.asks) {
      const given = answers.get(each.askId)
      const option = each.options.find((one) => one.id === given?.optionId)
      const why = given?.text?.trim()
      if (each.kind === 'permission' && option?.kind === 'deny' && why) options.say(why)
    }
  }

  return {
    take(id, method, params) {
      const askId = JSON.stringify(id)
      const ask = readServerRequest(method, params, { askId, cwd, item: options.item })
      if (!ask) return false
      // An approved command leaves the sandbox here, so for a role that may only read it counts as a change.
      const kind = access === 'read' && ask.kind === 'exec' ? 'edit' : ask.kind
      const judged = kind === undefined ? undefined : judgePermission(access, permissions, kind)
      if (judged?.verdict === 'allow') options.answer(id, ask.accepted)
      else if (judged?.verdict === 'deny') {
        options.answer(id, ask.declined)
        options.say(judged.reason)
      } else if (ask.asks.length === 0) options.answer(id, ask.declined)
      else {
        open.set(askId, { id, ask, answers: new Map() })
        for (const each of ask.asks) options.emit(each)
      }
      return true
    },
    answer(askId, given) {
      const found = [...open.values()].find(({ ask }) => ask.asks.some((each) => each.askId === askId))
      if (!found) return
      found.answers.set(askId, given)
      if (found.answers.size < found.ask.asks.length) return
      close(JSON.stringify(found.id))
      const { result, stops } = found.ask.reply(found.answers)
      if (stops) options.stopped()
      options.answer(found.id, result)
      if (!stops) tellWhy(found)
    },
    drop: (requestId) => close(JSON.stringify(requestId) ?? ''),
    clear() {
      for (const key of [...open.keys()]) close(key)
    },
  }
}
