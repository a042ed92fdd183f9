import { describe, expect, it } from 'vitest'
import { classifyCodexError, readRetry } from '../../../source/agents/backends/codex-errors.js'
import {
  limitRejected,
  limitResetsAt,
  noRateLimits,
  updateRateLimits,
} from '../../../source/agents/backends/codex-limits.js'
import { refusalIn } from '../../../source/agents/backends/codex-refusals.js'
import type { Fields } from '../../../source/agents/fields.js'

const now = new Date(2026, 10, 27, 21, 0, 30).getTime()
/** An account whose windows change while we look at it. */
function account() {
  let limits = noRateLimits
  return {
    update(snapshot: Fields) {
      const [next, warning] = updateRateLimits(limits, snapshot, now)
      limits = next
      return warning
    },
    resetsAt: (prose: string) => limitResetsAt(limits, prose, now),
    rejected: (prose: string) => limitRejected(limits, prose, now),
  }
}
const local = (month: number, day: number, hour: number, minute: number, year = 2026) =>
  new Date(year, month - 1, day, hour, minute).getTime()
const limit = (when: string) => `You’ve hit your usage limit. Upgrade to Pro or try again ${when}.`

describe('usage limits', () => {
  const window = (usedPercent: number, resetsAt: number | null) => ({
    usedPercent,
    windowDurationMins: 300,
    resetsAt: resetsAt === null ? null : resetsAt / 1000,
  })

  it('warns from 80 % on, once for each percent', () => {
    const limits = account()
    expect(limits.update({ primary: window(79.9, now + 60_000) })).toBeUndefined()
    expect(limits.update({ primary: window(80, now + 60_000) })).toEqual({
      type: 'limit',
      status: 'warning',
      resetsAt: now + 60_000,
      window: '5h',
      usedPct: 80,
    })
    expect(limits.update({ primary: window(80.4, now + 60_000) })).toBeUndefined()
    expect(limits.update({ primary: window(81, null) })).toEqual({
      type: 'limit',
      status: 'warning',
      window: '5h',
      usedPct: 81,
    })
  })

  it('waits for the last of the full windows, and keeps what a sparse update leaves out', () => {
    const limits = account()
    limits.update({ primary: window(100, now + 60_000), secondary: window(100, now + 90_000) })
    limits.update({ primary: null, secondary: null })
    expect(limits.resetsAt('')).toBe(now + 90_000)
    expect(limits.rejected('')).toMatchObject({ status: 'rejected', resetsAt: now + 90_000 })
  })

  it('takes the prose where no window is full, and does not believe what is past or too far', () => {
    const limits = account()
    limits.update({ primary: window(40, now + 60_000) })
    expect(limits.resetsAt(limit('at 11:56 PM'))).toBe(local(11, 27, 23, 56))
    expect(limits.resetsAt('')).toBe(now + 60_000)
    limits.update({ primary: window(100, now - 1000) })
    expect(limits.resetsAt('')).toBeUndefined()
    limits.update({ primary: window(100, now + 9 * 86_400_000) })
    expect(limits.rejected('')).not.toHaveProperty('resetsAt')
  })
})

describe('classes of errors', () => {
  it.each([
    ['usageLimitExceeded', '', 'limit', 'later'],
    ['usage_limit_exceeded', '', 'limit', 'later'],
    [{ usageLimitExceeded: {} }, '', 'limit', 'later'],
    ['other', 'You have reached your weekly limit', 'limit', 'later'],
    ['constructor', '', 'crash', 'now'],
    ['contextWindowExceeded', '', 'context', 'never'],
    ['unauthorized', '', 'auth', 'never'],
    ['serverOverloaded', '', 'overloaded', 'later'],
    ['cyberPolicy', '', 'refused', 'never'],
    ['sessionBudgetExceeded', '', 'budget', 'never'],
    [{ httpConnectionFailed: { httpStatusCode: 401 } }, '', 'auth', 'never'],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, '', 'overloaded', 'later'],
    [{ responseStreamDisconnected: { httpStatusCode: 503 } }, '', 'overloaded', 'later'],
    [{ responseStreamDisconnected: { httpStatusCode: 400 } }, '', 'input', 'never'],
    [{ responseStreamDisconnected: { httpStatusCode: null } }, 'gone', 'network', 'later'],
    [undefined, 'unexpected status 401 Unauthorized: no key', 'auth', 'never'],
    [undefined, 'exceeded retry limit, last status: 429 Too Many Requests', 'overloaded', 'later'],
    [undefined, 'last status: 429: You’ve hit your usage limit.', 'limit', 'later'],
    [undefined, 'last status: 400: Your input exceeds the context window.', 'context', 'never'],
    [undefined, 'Codex ran out of room in the model’s context window.', 'context', 'never'],
    [undefined, 'error sending request for url', 'network', 'later'],
    ['somethingNew', 'who knows', 'crash', 'now'],
    [17, 'who knows', 'crash', 'now'],
  ])('%j %s', (info, message, error, retry) => {
    expect(classifyCodexError(info, message)).toEqual({ error, retry })
  })

  it('reads the count of a retry', () => {
    expect(readRetry('Reconnecting... 2/5')).toEqual({ attempt: 2, max: 5 })
    expect(readRetry('Reconnecting... waiting for network')).toBeUndefined()
  })

  it('knows a refusal on stderr from one that a person gave', () => {
    const line = (error: string) => `2026-11-27T23:55:30Z ERROR codex_core::tools::router: error=${error}`
    const refused =
      'patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings'
    expect(refusalIn(line(refused))).toBe(refused)
    expect(refusalIn(line('exec_command failed: Rejected("rejected by user")'))).toBeUndefined()
    expect(refusalIn(line('connection reset'))).toBeUndefined()
    expect(refusalIn(refused)).toBeUndefined()
  })
})
