import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../source/agents/agent.js'
import { answerAt, messages, play, playedChild } from './acp-kit.js'
import {
  type Corruption,
  corrupted,
  corruptions,
  cuts,
  type Damage,
  expectGolden,
  loadTranscripts,
  type Transcript,
} from './transcripts.js'

const folders = ['acp-toy', 'gemini-acp', 'opencode-acp'] as const
type Recording = { folder: string; name: string; transcript: Transcript }

const recordings: Recording[] = folders.flatMap((folder) =>
  loadTranscripts(folder).map((transcript) => ({
    folder,
    transcript,
    name: `${folder}/${transcript.name}`,
  })),
)

describe('recorded conversations', () => {
  it.each(recordings)('$name', async ({ folder, transcript }) => {
    const { events, heard } = await play(transcript)
    await expectGolden(folder, transcript.name, events)
    expect(withoutPlace(heard)).toEqual(withoutPlace(expectedInput(transcript.name, transcript.input)))
  })
})

/** We never send a second prompt into the first, and cancel a turn whose answer is torn instead of complaining. */
function expectedInput(name: string, input: string[]): unknown[] {
  const all = messages(input)
  if (name === 'second-prompt') return all.slice(0, -1)
  if (name !== 'crash') return all
  const cancel = { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'toy-1' } }
  return [...all.slice(0, -1), cancel]
}

function withoutPlace(sent: unknown[]): unknown[] {
  const text = JSON.stringify(sent, (key, value) => (['cwd', 'version'].includes(key) ? '*' : value))
  // Cancelling and answering the open question may come in either order.
  return JSON.parse(text).toSorted((a: object, b: object) =>
    JSON.stringify(a).localeCompare(JSON.stringify(b)),
  )
}

/** With a schema, so that nothing counts without its result. */
const withSchema = { schema: { type: 'object' } }
const kinds = Object.keys(corruptions) as Corruption[]

/** The errors with which a damaged transcript may end; never success. */
function errorsAfter(original: Transcript, damage: Damage, whole: Outcome): string[] {
  const answer = answerAt(original)
  if (damage.at > answer) return ['crash', whole.ok ? 'schema' : whole.error]
  const isCancelled = messages(original.input).some(({ method }) => method === 'session/cancel')
  const question = original.lines.findIndex((line) => line.includes('session/request_permission'))
  const cancelledFrom = question < 0 ? answer : question + 1
  return isCancelled && damage.at >= cancelledFrom ? ['crash', 'aborted'] : ['crash']
}

async function expectNoSuccess(original: Transcript, damages: Damage[]): Promise<void> {
  const whole = await playInMemory(original, original)
  for (const damage of damages) {
    const outcome = await playInMemory(damage.transcript, original)
    const error = outcome.ok ? 'success' : outcome.error
    expect(errorsAfter(original, damage, whole), `${damage.title} ended as ${error}`).toContain(error)
  }
}

async function playInMemory(transcript: Transcript, original: Transcript): Promise<Outcome> {
  const { outcome } = await play(transcript, original, {
    request: withSchema,
    start: playedChild(transcript),
  })
  return outcome
}

describe('cut before each line', () => {
  it.each(recordings)('$name is no success', async ({ transcript }) => {
    await expectNoSuccess(transcript, cuts(transcript))
  })
})

describe('each line corrupted in turn', () => {
  const audible = kinds.filter((kind) => kind !== 'empty')
  const cases = recordings.flatMap((recording) => audible.map((kind) => ({ ...recording, kind })))

  it.each(cases)('$name, $kind, is no success', async ({ transcript, kind }) => {
    // A torn line cannot be read to be changed.
    const lines = transcript.lines.filter((line) => messages([line]).length > 0)
    await expectNoSuccess(transcript, corrupted({ ...transcript, lines }, kind))
  })
})

describe('each line lost in turn', () => {
  it.each(recordings)('$name ends, and only a lost update may pass', async ({ transcript }) => {
    const whole = await playInMemory(transcript, transcript)
    const usual = whole.ok ? ['success', 'schema'] : [whole.error]
    const answer = answerAt(transcript)
    for (const { at, title, transcript: lossy } of corrupted(transcript, 'empty')) {
      const outcome = await playInMemory(lossy, transcript)
      const error = outcome.ok ? 'success' : outcome.error
      if (at < 2) expect(error, title).toBe('timeout')
      else if (at === answer) expect(['crash', 'aborted'], title).toContain(error)
      else expect(usual, title).toContain(error)
    }
  })
})
