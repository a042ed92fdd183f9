import type { QuestionDraft } from '../../view/question.js'
import { stop } from '../options.js'
import type { DispatchTools } from './tools.js'
import { type FailedReply, goesOn, type Try } from './tries.js'

// Usage limits and overload (docs/agents.md, "Usage limits"): a countdown that is on disk, and keys to skip or
// cancel it.

const minute = 60_000
const usualMaxWaitHours = 6
const mostCountdowns = 3
/** Waits where nobody knows when the limit resets. */
const unknownWaits = [15, 30, 60].map((minutes) => minutes * minute)
const overloadWaits = [1, 3, 10].map((minutes) => minutes * minute)

export function isLimit(reply: FailedReply): boolean {
  return reply.error === 'limit' || (reply.error === 'overloaded' && reply.retry !== 'never')
}

export type LimitAnswer = 'again' | 'fallback'

/** Waits for a limit with the person: goes on by itself when its time has come, at most three times in a row. */
export async function waitForLimit<State, Result>(
  one: Try<State, Result>,
  reply: FailedReply,
): Promise<LimitAnswer> {
  const { run, tools } = one.setting
  const fallback = tools.fallback !== undefined
  const until = await run.step(`${one.key}-until`, () => waitUntil(tools, reply, one.tries.waits))
  const resumes = goesOn(one, reply)
  const first = await run.ask(`${one.key}-wait`, qLimit(reply, until, { fallback, resumes }))
  if (first.value !== 'cancel') return first.value === 'fallback' ? 'fallback' : 'again'
  const second = await run.ask(`${one.key}-decide`, qLimit(reply, null, { fallback, resumes }))
  return second.value === 'fallback' ? 'fallback' : 'again'
}

/** ISO time at which the run goes on by itself, or null when a person has to say so. */
function waitUntil(tools: DispatchTools, reply: FailedReply, count: number): string | null {
  if (count > mostCountdowns) return null
  const now = tools.now().getTime()
  const waits = reply.error === 'overloaded' ? overloadWaits : unknownWaits
  const known = reply.resetsAt !== undefined && reply.resetsAt > now
  // Nobody knows how long: a person says so, unless the settings allow to wait unattended.
  if (!known && reply.error === 'limit' && tools.limits.maxWaitHours === undefined) return null
  // Everybody's limit resets at the same moment; a little later is kinder and more likely to work.
  const jitter = 30_000 + Math.floor(Math.random() * minute)
  const until = known ? (reply.resetsAt ?? now) + jitter : now + (waits[count - 1] ?? 60 * minute)
  const most = (tools.limits.maxWaitHours ?? usualMaxWaitHours) * 60 * minute
  return until - now > most ? null : new Date(until).toISOString()
}

/** As clocks on the wall say it, with the day. */
function localTime(epochMs: number): string {
  const date = new Date(epochMs)
  const two = (count: number) => String(count).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${two(date.getHours())}:${two(date.getMinutes())} on ${day}`
}

/** A model that is overloaded for a moment has nothing that resets. */
function resetLines({ error, resetsAt }: FailedReply): string[] {
  if (resetsAt) return [`It resets at ${localTime(resetsAt)}.`]
  return error === 'overloaded' ? [] : ['When it resets is not known.']
}

/** What is open to a dispatch that has to wait: another backend, and its own conversation. */
export interface WaitChoices {
  fallback: boolean
  resumes: boolean
}

/** `until`: when the run goes on by itself; null where a person has to say so. */
export function qLimit(
  reply: FailedReply,
  until: string | null,
  { fallback, resumes }: WaitChoices,
): QuestionDraft {
  return {
    gate: 'Q-LIMIT',
    title: reply.error === 'overloaded' ? 'The model is overloaded' : 'The usage limit is reached',
    body: [
      reply.message,
      ...resetLines(reply),
      until
        ? `${resumes ? 'The same conversation goes on' : 'The agent is sent again'} by itself a little later, also after a restart.`
        : 'The run waits for you.',
    ],
    options: [
      {
        value: 'again',
        label: 'try again now',
        consequence: resumes ? 'go on in the same conversation' : 'send the agent again',
        ...(until ? {} : { safe: true }),
      },
      ...(until
        ? [{ value: 'cancel', label: 'do not go on by itself', consequence: 'wait until you say so' }]
        : []),
      ...(fallback
        ? [
            {
              value: 'fallback',
              label: 'other backend',
              consequence: 'the configured fallback does this step',
            },
          ]
        : []),
      until ? { ...stop, consequence: 'save the state and exit; the countdown goes on', safe: true } : stop,
    ],
    ...(until ? { countdown: { until, value: 'again' } } : {}),
  }
}
