import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentEvent, Conversation, Outcome } from '../../../source/agents/agent.js'
import { openAppServer } from '../../../source/agents/backends/codex-app-server.js'
import { openExec } from '../../../source/agents/backends/codex-exec.js'
import { personIn, playInside, recordedAt, requestOf, runs, servers, wantedSchema } from './codex-kit.js'
import { type Corruption, corrupted, corruptions, cuts, type Damage, type Transcript } from './transcripts.js'

// Every recording cut before each line and with each line corrupted in turn. Nothing of it may hang, throw or count
// as a success that the whole recording is not.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: recordedAt })
})

afterEach(() => {
  vi.useRealTimers()
})

const hours = 3_600_000
const realTimeout = setTimeout
const realTime = (ms: number) => new Promise<void>((resolve) => realTimeout(resolve, ms).unref())
const hows = Object.keys(corruptions) as Corruption[]

/** The first turn of a recording: what follows is another one. */
function firstTurn(transcript: Transcript): Transcript {
  const end = transcript.lines.findIndex((line) => line.includes('"method":"turn/completed"'))
  return { ...transcript, lines: transcript.lines.slice(0, end + 1) }
}

/** How the whole recordings end: `ok`, or the class of the failure. */
const wholes: Record<string, string> = {
  'error-401': 'auth',
  'error-429': 'overloaded',
  'error-429-reset': 'limit',
  'error-500': 'overloaded',
  interrupt: 'aborted',
  'permission-cancel': 'denied',
  sigint: 'crash',
}

function kindOf(outcome: Outcome): string {
  return outcome.ok ? 'ok' : outcome.error
}

/** What the person of a recording ended; that goes before whatever becomes of the program. */
const byPerson: Record<string, string> = { 'permission-cancel': 'denied', interrupt: 'aborted' }

interface Ending {
  outcome: Outcome
  events: AgentEvent[]
}

/** Lets pass whatever time it takes; fails where the conversation does not come to an end. */
async function ending(conversation: Conversation, events: AgentEvent[]): Promise<Ending> {
  let outcome: Outcome | undefined
  void conversation.done.then((settled) => {
    outcome = settled
  })
  for (let round = 0; round < 4 && outcome === undefined; round += 1) await vi.advanceTimersByTimeAsync(hours)
  // What is left is not waiting for a clock, but for the file system.
  await Promise.race([conversation.done, realTime(20_000)])
  if (outcome === undefined) throw new Error('the conversation hangs')
  await conversation.close()
  expect(events.filter((event) => event.type === 'end')).toEqual([{ type: 'end', outcome }])
  return { outcome, events }
}

async function serve(
  transcript: Transcript,
  original: Transcript,
  atEnd: 'exit' | 'wait' = 'wait',
): Promise<Ending> {
  const { start } = playInside(transcript, { original: original.lines, atEnd })
  const events: AgentEvent[] = []
  const person = personIn(original)
  const conversation: Conversation = openAppServer(
    requestOf(original, { schema: wantedSchema }),
    (event) => {
      events.push(event)
      person(event, conversation)
    },
    { argv: ['codex'], now: Date.now, start },
  )
  return ending(conversation, events)
}

async function execute(transcript: Transcript): Promise<Ending> {
  const { start } = playInside(transcript, { original: transcript.lines.map(() => '{}'), atEnd: 'exit' })
  const events: AgentEvent[] = []
  const conversation = await openExec(
    requestOf(transcript, { schema: wantedSchema }),
    (event) => events.push(event),
    { argv: ['codex'], now: Date.now, start, billed: new Map() },
  )
  return ending(conversation, events)
}

/** A success must be the success of the whole recording, in its very words. */
function expectNoFalseSuccess({ outcome }: Ending, whole: Outcome, { title }: Damage): void {
  if (!outcome.ok) return
  expect(whole.ok, title).toBe(true)
  if (whole.ok) expect([title, outcome.result, outcome.text]).toEqual([title, whole.result, whole.text])
}

describe('codex app-server', () => {
  it.each(servers.map(firstTurn))('$name, cut before every line', async (transcript) => {
    for (const damage of cuts(transcript)) {
      const exited = await serve(damage.transcript, transcript, 'exit')
      const errors = ['crash', byPerson[transcript.name]]
      expect(errors, damage.title).toContain(kindOf(exited.outcome))
      const silent = await serve(damage.transcript, transcript, 'wait')
      expect(silent.outcome, damage.title).toMatchObject({ ok: false })
    }
  })

  it.each(servers.map(firstTurn))('$name, every line corrupted', async (transcript) => {
    const whole = await serve(transcript, transcript)
    expect(kindOf(whole.outcome)).toBe(wholes[transcript.name] ?? 'ok')
    for (const how of hows) {
      for (const damage of corrupted(transcript, how)) {
        const found = await serve(damage.transcript, transcript)
        expectNoFalseSuccess(found, whole.outcome, damage)
        if (damage.at === transcript.lines.length - 1) {
          expect(found.outcome.ok, damage.title).toBe(false)
        }
      }
    }
  })
})

describe('codex exec', () => {
  it.each(runs)('$name, cut before every line', async (transcript) => {
    for (const damage of cuts(transcript)) {
      const found = await execute(damage.transcript)
      expect(found.outcome, damage.title).toMatchObject({ ok: false })
    }
  })

  it.each(runs)('$name, every line corrupted', async (transcript) => {
    const whole = await execute(transcript)
    expect(kindOf(whole.outcome)).toBe(wholes[transcript.name] ?? 'ok')
    for (const how of hows) {
      for (const damage of corrupted(transcript, how)) {
        expectNoFalseSuccess(await execute(damage.transcript), whole.outcome, damage)
      }
    }
  })
})
