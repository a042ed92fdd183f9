import { z } from 'zod'
import { crashMessage } from '../../processes/child-end.js'
import type { Conversation } from '../agent.js'
import { type ChildLink, openChildConversation, type Protocol } from '../child-conversation.js'
import { stoppedByUs } from '../end-of-process.js'
import { createTextRecord } from '../text-record.js'
import { cancelledReply, openPermissionDesk, permissionRequestSchema } from './acp-permissions.js'
import { openSession } from './acp-session.js'
import {
  type Acp,
  type AcpStart,
  broke,
  cancel,
  emit,
  endTurn,
  follow,
  openDamage,
  takeUpdate,
} from './acp-talk.js'
import { runTurn } from './acp-turn.js'
import { askedTool, beforeUpdates, deniedTool, settledTools } from './acp-updates.js'
import { createWire } from './acp-wire.js'

/**
 * Starts the program at once and shakes hands within the first turn, so that whoever opened it can stop it meanwhile.
 * The process stays for further turns until `close`.
 */
export function startAcpConversation(start: AcpStart): Conversation {
  const { silenceHint } = start
  return openChildConversation(
    {
      file: start.file,
      args: start.args,
      env: start.env,
      request: start.request,
      sink: start.sink,
      now: start.now,
      start: start.startChild,
      ...(silenceHint === undefined ? {} : { silenceHint }),
    },
    (link) => acpProtocol(openAcp(start, link)),
  )
}

function openAcp(start: AcpStart, link: ChildLink): Acp {
  const { request } = start
  const desk = openPermissionDesk({
    access: request.access,
    policy: request.permissions,
    tools: {
      asked(call) {
        const [next, facts, tool] = askedTool(acp.updates, call)
        follow(acp, next, facts)
        return tool
      },
      denied(toolCallId, reason) {
        follow(acp, ...deniedTool(acp.updates, toolCallId, reason))
      },
    },
    sink: (event) => emit(acp, event),
    answered: link.answered,
    denied({ title, reason, by }) {
      const line = `Denied: ${title}. ${reason}`
      // A person's word is told to the agent in any case, a rule only if the agent stops for it.
      if (by === 'person') acp.messages.push(line)
      else acp.denials.push(line)
    },
  })
  const wire = createWire({
    write: (text) => void link.write(text),
    alive: () => link.alive(),
    update: (params) => takeUpdate(acp, params),
    answered() {
      if (acp.talk.at === 'prompting') acp.talk = { at: 'answered' }
    },
    noise: (line) => link.log(line),
    damaged: (line) => broke(acp, line),
  })
  const acp: Acp = {
    start,
    link,
    wire,
    desk,
    talk: { at: 'handshake', isReplaying: false },
    updates: beforeUpdates,
    cost: { told: 0, isCounted: false },
    turns: 0,
    said: createTextRecord(),
    messages: [],
    denials: [],
    prompted: Promise.resolve(),
    damage: openDamage(),
  }
  return acp
}

function acpProtocol(acp: Acp): Protocol {
  const { link, wire, desk, messages, damage } = acp
  return {
    opened: () => void runTurn(acp, () => connect(acp)),
    line: wire.line,
    /** The turn is cancelled, then the end of input lets the agent go. */
    leave() {
      cancel(acp)
      void acp.prompted.then(() => setImmediate(() => link.endInput()))
    },
    lastWords: (exit) => ({ said: 'nothing', missing: crashMessage(exit) }),
    gone() {
      desk.cancel()
      wire.end()
      return undefined
    },
    turnEnded() {
      for (const text of messages.splice(0)) link.log(`not delivered, as the turn is over: ${text}`)
      acp.updates = settledTools(acp.updates)
    },
    sessionId: () => acp.sessionId,
    send(text) {
      const isRunning = link.turn().at === 'running'
      if (damage.isThere() || link.process() !== 'running') return 'unsupported'
      if (!isRunning && acp.sessionId === undefined) return 'unsupported'
      if (isRunning) {
        messages.push(text)
        return 'queued'
      }
      link.begin()
      void runTurn(acp, async () => text)
      return 'sent'
    },
    answer: desk.answer,
    async interrupt() {
      if (link.turn().at === 'over') return
      const done = link.done()
      endTurn(acp, stoppedByUs)
      await done
    },
  }
}

async function connect(acp: Acp): Promise<string> {
  const { start, link, wire, desk } = acp
  const sdk = await import('@agentclientprotocol/sdk')
  const { client } = sdk.methods
  const isOpen = () => {
    const turn = link.turn()
    return turn.at === 'running' && turn.ending === undefined && link.process() === 'running'
  }
  acp.connection = sdk
    .client({ name: 'autopilot' })
    .onRequest(client.session.requestPermission, permissionRequestSchema, ({ params }) =>
      isOpen() ? desk.request(params) : cancelledReply,
    )
    .onRequest(client.fs.writeTextFile, z.unknown(), () => ({}))
    .connect(wire.stream)
  const opened = await openSession(acp.connection.agent, {
    request: start.request,
    sink: start.sink,
    modelIsSet: start.modelIsSet,
    replaying(isReplaying) {
      acp.talk = { at: 'handshake', isReplaying }
    },
  })
  acp.sessionId = opened.id
  return opened.prompt
}
