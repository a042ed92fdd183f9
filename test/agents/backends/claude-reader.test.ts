import { describe, expect, it } from 'vitest'
import type { AgentEvent, Outcome } from '../../../source/agents/agent.js'
import { openDialogue } from '../../../source/agents/backends/claude-asks.js'
import type { ClaudeFailure } from '../../../source/agents/backends/claude-errors.js'
import {
  beforeClaude,
  type ClaudeState,
  isUnbegun,
  readClaudeLine,
  wordsOfClaude,
} from '../../../source/agents/backends/claude-reader.js'
import { billRest } from '../../../source/agents/backends/claude-usage.js'
import { outcomeOfProcess } from '../../../source/agents/end-of-process.js'
import type { ChildExit } from '../../../source/processes/supervisor.js'
import {
  corrupted,
  corruptions,
  cuts,
  expectGolden,
  loadTranscripts,
  type Transcript,
} from './transcripts.js'

const transcripts = loadTranscripts('claude')
const recordedAt = Date.parse('2026-11-27T20:45:00Z')
const withSchema = new Set(['success-schema', 'resume', 'schema-missing'])

function exitOf(exit: Transcript['exit']): ChildExit {
  const [code, signal] = typeof exit === 'number' ? [exit, null] : [null, exit]
  return { code, signal, stderrTail: '', outputBytes: 1, leftovers: 0, unkillable: [] }
}

interface Played {
  events: AgentEvent[]
  outcome: Outcome
  steps: string[]
}

/** A program whose lines are read one after the other. */
function reading(mode: ClaudeState['mode'], hasSchema: boolean, now: number) {
  let state = beforeClaude('/project', mode)
  let hopeless: ClaudeFailure | undefined
  return {
    line(text: string) {
      const [next, steps] = readClaudeLine(state, text, now)
      state = next
      for (const step of steps) if (step.step === 'hopeless') hopeless = step.failure
      return steps
    },
    unbilled() {
      const [bill, rest] = billRest(state.bill)
      state = { ...state, bill }
      return rest
    },
    outcome: (exit: ChildExit) =>
      outcomeOfProcess({
        exit,
        words: wordsOfClaude(state, { hasSchema, now }),
        isWrongInput: isUnbegun(state, exit),
        ...(hopeless ? { ours: hopeless } : {}),
        file: 'claude',
        cwd: '/project',
        wallMs: 60_000,
        usage: state.bill.total,
      }),
  }
}

function play(transcript: Transcript, now = recordedAt): Played {
  const mode = transcript.name.startsWith('resume') ? 'resume' : 'new'
  const reader = reading(mode, withSchema.has(transcript.name), now)
  const steps = transcript.lines.flatMap((line) => reader.line(line))
  const events = steps.flatMap((each): AgentEvent[] => {
    if (each.step === 'event') return [each.event]
    return each.step === 'request' ? [openDialogue(each.request, 'full').first] : []
  })
  const rest = reader.unbilled()
  if (rest) events.push({ type: 'usage', ...rest, scope: 'turn' })
  const outcome = reader.outcome(exitOf(transcript.exit))
  return { events: [...events, { type: 'end', outcome }], outcome, steps: steps.map((each) => each.step) }
}

function named(name: string): Transcript {
  const found = transcripts.find((each) => each.name === name)
  if (!found) throw new Error(`no transcript ${name}`)
  return found
}

const succeeding = new Set(transcripts.filter((each) => play(each).outcome.ok).map((each) => each.name))

/** 0-based numbers of the result lines. */
function resultLines(transcript: Transcript): number[] {
  return transcript.lines.flatMap((line, at) => (JSON.parse(line).type === 'result' ? [at] : []))
}

describe('every recorded run', () => {
  it.each(transcripts)('becomes the same events: $name', async (transcript) => {
    await expectGolden('claude', transcript.name, play(transcript).events)
  })

  it('succeeds exactly where the program did', () => {
    expect([...succeeding].sort()).toEqual([
      'ask-user',
      'limit-builtin-wait',
      'limit-warning',
      'permission-allow',
      'permission-always',
      'permission-deny',
      'permission-none',
      'plan-exit',
      'resume',
      'steer',
      'subagent',
      'success-deltas',
      'success-schema',
    ])
  })

  it.each([
    ['budget', 'budget', 'never'],
    ['error-401', 'auth', 'never'],
    ['error-429-apikey', 'overloaded', 'later'],
    ['error-429-reset', 'limit', 'later'],
    ['error-429-retry', 'overloaded', 'later'],
    ['error-500', 'overloaded', 'later'],
    ['interrupt', 'aborted', 'now'],
    ['max-turns', 'turns', 'never'],
    ['permission-deny-stop', 'denied', 'never'],
    ['resume-missing', 'input', 'never'],
    ['schema-missing', 'schema', 'now'],
    ['sigint', 'aborted', 'now'],
    ['sigterm-tool', 'crash', 'now'],
  ])('%s fails as %s, retry %s', (name, error, retry) => {
    expect(play(named(name)).outcome).toMatchObject({ ok: false, error, retry })
  })
})

describe('a transcript that is cut', () => {
  it.each(transcripts)('never succeeds without its result: $name', (transcript) => {
    const results = resultLines(transcript)
    for (const { title, at, transcript: cut } of cuts(transcript)) {
      const isDecided = succeeding.has(transcript.name) && results.some((line) => line < at)
      expect(play(cut).outcome.ok, title).toBe(isDecided)
    }
  })

  it('is decided before its end only where the program printed a second result', () => {
    const early = transcripts.filter(({ lines, ...rest }) => {
      const results = resultLines({ lines, ...rest })
      return succeeding.has(rest.name) && (results[0] ?? 0) < lines.length - 1
    })
    expect(early.map((each) => each.name)).toEqual(['subagent'])
  })
})

describe('a transcript with a corrupted line', () => {
  const ways = Object.keys(corruptions) as (keyof typeof corruptions)[]

  it.each(ways)('succeeds only when what decides is whole: %s', (how) => {
    for (const transcript of transcripts) {
      const last = resultLines(transcript).at(-1)
      const others = resultLines(transcript).slice(0, -1)
      for (const { title, at, transcript: damaged } of corrupted(transcript, how)) {
        const { outcome } = play(damaged)
        // Text and nothing are no second result, so the first one of two still stands.
        const stands = others.length > 0 && (how === 'garbage' || how === 'empty')
        const isDecided = succeeding.has(transcript.name) && (at !== last || stands)
        expect(outcome.ok, title).toBe(isDecided)
      }
    }
  })

  it.each(ways)('never takes a failed run for a good one, whatever its exit code: %s', (how) => {
    for (const transcript of transcripts.filter((each) => !succeeding.has(each.name))) {
      for (const exit of [0, transcript.exit]) {
        for (const { title, transcript: damaged } of corrupted(transcript, how, exit)) {
          expect(play(damaged).outcome.ok, title).toBe(false)
        }
      }
    }
  })
})

describe('the signs of success', () => {
  const good = named('success-schema')

  it.each([1, 143, 'SIGTERM' as const])('a good result with exit %s is none', (exit) => {
    expect(play({ ...good, exit }).outcome).toMatchObject({ ok: false, error: 'crash' })
  })

  it('a result that was printed before we stopped the program is none', () => {
    const reader = reading('new', true, 0)
    for (const line of good.lines) reader.line(line)
    const stopped = (reason: 'aborted' | 'wall') => reader.outcome({ ...exitOf(0), stopped: reason })
    expect(stopped('aborted')).toMatchObject({ ok: false, error: 'aborted' })
    expect(stopped('wall')).toMatchObject({ ok: false, error: 'timeout' })
  })

  it('a refusal of the model is none', () => {
    const lines = good.lines.map((line) =>
      line.replace('"stop_reason":"tool_use","session_id"', '"stop_reason":"refusal","session_id"'),
    )
    expect(play({ ...good, lines }).outcome).toMatchObject({ ok: false, error: 'refused' })
  })

  it('the result of an earlier turn is none', () => {
    const turn = named('permission-deny')
    const lines = [...turn.lines, turn.lines[0] ?? '']
    expect(play({ ...turn, lines }).outcome).toMatchObject({ ok: false, error: 'crash' })
  })

  it('a program that said nothing but ended with 1 was given something wrong', () => {
    expect(play({ ...good, lines: [], exit: 1 }).outcome).toMatchObject({ error: 'input', retry: 'never' })
  })
})

describe('usage', () => {
  it('bills a resumed conversation only for what is new', () => {
    const used = (name: string) => play(named(name)).outcome.usage
    expect(used('resume')).toEqual(used('success-schema'))
    expect(used('resume').usd).toBeCloseTo(0.003348)
  })

  it('adds both turns of one process up, and counts no token twice', () => {
    expect(play(named('interrupt')).outcome.usage).toMatchObject({ input: 624, output: 112, cached: 8000 })
    expect(play(named('subagent')).outcome.usage).toMatchObject({ input: 1872, output: 300 })
  })

  it('counts what a killed run used, without a price', () => {
    const { lines, ...rest } = named('success-deltas')
    const { outcome } = play({ ...rest, lines: lines.slice(0, 30), exit: 'SIGKILL' })
    expect(outcome).toMatchObject({ ok: false, usage: { input: 624, output: 51, cached: 8000 } })
    expect(outcome.usage.usd).toBeUndefined()
  })

  it('falls back on the totals where a version does not tell what is new', () => {
    const plain = (name: string) => {
      const { lines, ...rest } = named(name)
      const old = lines.map((line) => line.replace('model_usage_since_last_result', 'unknown'))
      return play({ ...rest, lines: old }).outcome.usage
    }
    expect(plain('success-schema')).toMatchObject({
      input: 624,
      output: 100,
      cached: 8000,
      usd: 0.0033480000000000003,
    })
    expect(plain('resume').usd).toBeUndefined()
  })
})

describe('limits', () => {
  const limited = named('error-429-reset')

  it('tells when the limit ends', () => {
    expect(play(limited).outcome).toMatchObject({ error: 'limit', resetsAt: 1795823562000 })
  })

  it.each([
    ['in the past', 1795823562000 + 1],
    ['more than eight days away', 1795823562000 - 8 * 86_400_000 - 1],
  ])('does not know a reset %s', (_, now) => {
    const { events, outcome } = play(limited, now)
    expect(outcome).toMatchObject({ error: 'limit', retry: 'later' })
    expect(outcome).not.toHaveProperty('resetsAt')
    expect(events.find((event) => event.type === 'limit')).toMatchObject({ resetsAt: undefined })
  })

  it('reads the time from the text where there is nothing else', () => {
    const lines = limited.lines
      .filter((line) => !line.includes('"rate_limit_event"'))
      .map((line) => line.replaceAll('"resetsAt"', '"gone"'))
    expect(play({ ...limited, lines }).outcome).toMatchObject({
      resetsAt: Date.parse('2026-11-27T23:52:00Z'),
    })
    const later = play({ ...limited, lines }, Date.parse('2026-11-27T23:53:00Z')).outcome
    expect(later).toMatchObject({ resetsAt: Date.parse('2026-11-28T23:52:00Z') })
  })

  it.each([401, 403])('gives up at once when the key is refused with %s', (status) => {
    const { lines, ...rest } = named('error-429-retry')
    const refused = lines
      .slice(0, 2)
      .map((line) => line.replace('"error_status":429', `"error_status":${status}`))
    const { steps, outcome } = play({ ...rest, lines: refused })
    expect(steps.at(-1)).toBe('hopeless')
    expect(outcome).toMatchObject({ error: 'auth', retry: 'never' })
  })
})

describe('lines that nobody has seen yet', () => {
  it('are ignored or logged', () => {
    const reader = reading('new', false, 0)
    const unknown = [
      '{"type":"news"}',
      '{"type":"system","subtype":"weather"}',
      '{}',
      '{"type":"stream_event"}',
    ]
    expect(unknown.flatMap((line) => reader.line(line))).toEqual([])
    for (const line of ['hello', '42', 'null', '[]', '{"type":"assist']) {
      expect(reader.line(line)).toEqual([{ step: 'event', event: { type: 'log', stream: 'stdout', line } }])
    }
  })

  it('a request that is not known is still answered', () => {
    const reader = reading('new', false, 0)
    const line = '{"type":"control_request","request_id":"r1","request":{"subtype":"hook_callback"}}'
    expect(reader.line(line)).toEqual([{ step: 'foreign', id: 'r1' }])
  })

  it('a request with a number for an id is one, and its withdrawal', () => {
    const reader = reading('new', false, 0)
    const request = (id: number, body: string) =>
      reader.line(`{"type":"control_request","request_id":${id},"request":{${body}}}`)
    expect(request(0, '"subtype":"hook_callback"')).toEqual([{ step: 'foreign', id: 0 }])
    expect(request(7, '"subtype":"can_use_tool","tool_name":"Bash","input":{}')).toMatchObject([
      { step: 'request', request: { id: 7, tool: 'Bash' } },
    ])
    expect(reader.line('{"type":"control_cancel_request","request_id":7}')).toEqual([
      { step: 'withdrawn', id: 7 },
    ])
  })
})
