import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { QuestionDraft } from '../../../source/view/question.js'
import type { DispatchTools } from '../../../source/workflows/dispatch/tools.js'
import type { FailedReply, Try } from '../../../source/workflows/dispatch/tries.js'
import { isLimit, waitForLimit } from '../../../source/workflows/dispatch/usage-limit.js'

// The table of docs/agents.md, "Usage limits": how long is waited, when a person has to say so, and what the answers mean.

const now = Date.UTC(2030, 0, 1, 12)
const minute = 60_000

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  vi.restoreAllMocks()
})

interface Given {
  reply?: Partial<FailedReply>
  /** Countdowns so far, this one included. */
  waits?: number
  maxWaitHours?: number
  fallback?: boolean
  /** The agent program can go on in a conversation. */
  resumes?: boolean
  answers?: string[]
}

/** Waits once, and tells what was asked and what came of it. */
async function wait(given: Given = {}) {
  const { reply, waits = 1, maxWaitHours, fallback = false, resumes = false, answers = ['again'] } = given
  const asked: QuestionDraft[] = []
  const left = [...answers]
  const tools = {
    now: () => new Date(now),
    limits: maxWaitHours === undefined ? {} : { maxWaitHours },
    ...(fallback ? { fallback: {} } : {}),
    backendFor: () => ({ caps: { resume: resumes } }),
  } as unknown as DispatchTools
  const run = {
    step: async (_key: string, make: () => unknown) => make(),
    ask: async (_key: string, question: QuestionDraft) => {
      asked.push(question)
      return { value: left.shift() }
    },
  }
  const one = { setting: { run, tools }, request: {}, key: 'plan', tries: { waits } } as unknown as Try<
    unknown,
    unknown
  >
  const failed = { ok: false, error: 'limit', message: 'Limit reached.', ...reply } as FailedReply
  const outcome = await waitForLimit(one, failed)
  return { outcome, asked }
}

/** Minutes until the run goes on by itself; null where a person has to say so. */
async function minutes(given: Given): Promise<number | null> {
  const { asked } = await wait(given)
  const until = asked[0]?.countdown?.until
  return until === undefined ? null : (Date.parse(until) - now) / minute
}

const inMinutes = (count: number) => now + count * minute

describe('how long is waited', () => {
  test('to the time that the agent named and a minute, the same for everybody', async () => {
    expect(await minutes({ reply: { resetsAt: inMinutes(50) } })).toBe(51)
  })

  test('where no time is known a person says when, unless the settings allow to wait unattended', async () => {
    expect(await minutes({})).toBeNull()
    expect(await minutes({ reply: { resetsAt: inMinutes(-1) } })).toBeNull()
    expect(await minutes({ maxWaitHours: 6 })).toBe(15)
    expect(await minutes({ maxWaitHours: 6, waits: 2 })).toBe(30)
    expect(await minutes({ maxWaitHours: 6, waits: 3 })).toBe(60)
  })

  test('an overloaded model is waited for 1, 3 and 10 minutes, whatever the settings say', async () => {
    const reply = { error: 'overloaded' } as const
    expect(await minutes({ reply })).toBe(1)
    expect(await minutes({ reply, waits: 2 })).toBe(3)
    expect(await minutes({ reply, waits: 3 })).toBe(10)
  })

  test('after three countdowns a person has to say so', async () => {
    expect(await minutes({ reply: { resetsAt: inMinutes(50) }, waits: 3 })).toBe(51)
    expect(await minutes({ reply: { resetsAt: inMinutes(50) }, waits: 4 })).toBeNull()
    expect(await minutes({ reply: { error: 'overloaded' }, waits: 4 })).toBeNull()
  })

  test('longer than six hours is waited for only where the settings say so', async () => {
    expect(await minutes({ reply: { resetsAt: inMinutes(359) } })).toBe(360)
    expect(await minutes({ reply: { resetsAt: inMinutes(360) } })).toBeNull()
    expect(await minutes({ reply: { resetsAt: inMinutes(360) }, maxWaitHours: 7 })).toBe(361)
    expect(await minutes({ reply: { resetsAt: inMinutes(60) }, maxWaitHours: 1 })).toBeNull()
  })
})

describe('what an answer means', () => {
  const known = { reply: { resetsAt: inMinutes(50) } }

  test('again goes on at once, by itself or by a key', async () => {
    const { outcome, asked } = await wait({ ...known, fallback: true })
    expect(outcome).toBe('again')
    expect(asked).toHaveLength(1)
    expect(asked[0]?.countdown?.value).toBe('again')
  })

  test('the other backend is offered where there is one', async () => {
    const { asked } = await wait(known)
    expect(asked[0]?.options.map(({ value }) => value)).toEqual(['again', 'cancel', 'stop'])
    const other = await wait({ ...known, fallback: true, answers: ['fallback'] })
    expect(other.asked[0]?.options.map(({ value }) => value)).toEqual(['again', 'cancel', 'fallback', 'stop'])
    expect(other.outcome).toBe('fallback')
  })

  test.each(['again', 'fallback'])(
    'who does not want the countdown is asked without one: %s',
    async (then) => {
      const { outcome, asked } = await wait({ ...known, fallback: true, answers: ['cancel', then] })
      expect(asked).toHaveLength(2)
      expect(asked[1]?.countdown).toBeUndefined()
      expect(asked[1]?.options.map(({ value }) => value)).toEqual(['again', 'fallback', 'stop'])
      expect(outcome).toBe(then)
    },
  )

  test('only an agent with a conversation goes on in it, others are sent again', async () => {
    const words = async (given: Given) => {
      const { asked } = await wait({ ...known, ...given })
      return [...(asked[0]?.body ?? []), asked[0]?.options[0]?.consequence].join('\n')
    }
    const talks = await words({ resumes: true, reply: { ...known.reply, sessionId: 'talk-1' } })
    expect(talks).toContain('The same conversation goes on by itself')
    expect(talks).toContain('go on in the same conversation')
    for (const given of [{ resumes: true }, { reply: { ...known.reply, sessionId: 'talk-1' } }]) {
      const anew = await words(given)
      expect(anew).toContain('The agent is sent again by itself')
      expect(anew).toContain('send the agent again')
      expect(anew).not.toContain('conversation')
    }
  })

  test('an overloaded model has nothing that resets', async () => {
    const body = async (error: 'limit' | 'overloaded') => (await wait({ reply: { error } })).asked[0]?.body
    expect(await body('limit')).toContain('When it resets is not known.')
    expect(await body('overloaded')).not.toContain('When it resets is not known.')
  })

  test('what may be lit is the option that only waits or stops', async () => {
    const safe = (question: QuestionDraft | undefined) =>
      question?.options.filter((option) => option.safe).map(({ value }) => value)
    expect(safe((await wait(known)).asked[0])).toEqual(['stop'])
    expect(safe((await wait({})).asked[0])).toEqual(['again'])
  })
})

test('a limit is one, overload only where another try may help', () => {
  const reply = (more: object) => ({ ok: false, message: '', ...more }) as FailedReply
  expect(isLimit(reply({ error: 'limit' }))).toBe(true)
  expect(isLimit(reply({ error: 'limit', retry: 'never' }))).toBe(true)
  expect(isLimit(reply({ error: 'overloaded' }))).toBe(true)
  expect(isLimit(reply({ error: 'overloaded', retry: 'never' }))).toBe(false)
  expect(isLimit(reply({ error: 'crash' }))).toBe(false)
})
