import { describe, expect, it, test } from 'vitest'
import {
  afterCap,
  afterPassedPhase,
  afterRound,
  type Breaker,
  type BreakerStep,
  closedBreaker,
  errorTotal,
  halfOpen,
  type Round,
} from '../../../../source/workflows/playbook/breaker/breaker.js'
import { reachedCap, retryCap } from '../../../../source/workflows/playbook/breaker/caps.js'
import { leastScoreOf, usualLimits } from '../../../../source/workflows/playbook/breaker/limits.js'
import { artifactHash, hasProgress } from '../../../../source/workflows/playbook/breaker/progress.js'
import { errorSignature, normalMessage } from '../../../../source/workflows/playbook/breaker/signature.js'

const now = '2030-01-01T10:00:00.000Z'
const nothing: Round = { progress: false }
const error = errorSignature('verify', 'lint_failure', 'x is not defined')

function rounds(from: Breaker, ...each: Round[]): BreakerStep {
  return each.reduce<BreakerStep>((step, round) => afterRound(step.breaker, round, usualLimits, now), {
    breaker: from,
  })
}

const times = (count: number, round: Round) => Array.from({ length: count }, () => round)

describe('a phase that passed', () => {
  it('begins every count in a row anew, and keeps those of the whole run', () => {
    const { breaker } = rounds(closedBreaker, ...times(2, { progress: false, error }))
    expect(afterPassedPhase(breaker)).toEqual({
      breaker: { ...closedBreaker, error_counts: { [error]: 2 } },
    })
  })

  it('closes a breaker whose probe it was, and leaves one that is open', () => {
    const { breaker: open } = rounds(closedBreaker, ...times(3, nothing))
    expect(afterPassedPhase(open)).toEqual({ breaker: open })
    expect(afterPassedPhase(halfOpen(open))).toEqual({
      breaker: closedBreaker,
      happened: { kind: 'closed' },
    })
  })
})

describe('closed', () => {
  it('opens after three rounds without progress, not after two, and any progress begins anew', () => {
    expect(rounds(closedBreaker, ...times(2, nothing)).happened).toBeUndefined()
    expect(rounds(closedBreaker, ...times(3, nothing))).toMatchObject({
      breaker: { state: 'open', consecutive_no_progress: 3, cooldown_until: '2030-01-01T10:05:00.000Z' },
      happened: { kind: 'opened', reason: 'no_progress', threshold: 3, value: 3 },
    })
    const moved = rounds(closedBreaker, nothing, nothing, { progress: true }, nothing, nothing)
    expect(moved.breaker).toMatchObject({ state: 'closed', consecutive_no_progress: 2 })
  })

  it('opens at the fifth same error in a row; another one counts from one', () => {
    const same = { progress: true, error }
    expect(rounds(closedBreaker, ...times(4, same)).breaker.state).toBe('closed')
    expect(rounds(closedBreaker, ...times(5, same)).happened).toMatchObject({
      reason: 'same_error',
      value: 5,
    })
    const other = errorSignature('verify', 'lint_failure', 'something else')
    const mixed = rounds(closedBreaker, ...times(4, same), { progress: true, error: other })
    expect(mixed.breaker).toMatchObject({ consecutive_same_error: 1, last_error: other })
  })

  it('forgets an error when its own step succeeds, and no other', () => {
    const at = rounds(closedBreaker, ...times(4, { progress: true, error })).breaker
    const judged = rounds(at, { progress: true, succeeded: ['judge'] }).breaker
    expect(judged.consecutive_same_error).toBe(4)
    const verified = rounds(at, { progress: true, succeeded: ['verify'] }).breaker
    expect(verified).toMatchObject({ consecutive_same_error: 0, last_error: null })
    expect(verified.error_counts[error]).toBe(4)
  })

  it('opens when a signature came ten times in the run, in a row or not', () => {
    const between = { progress: true, succeeded: ['verify'] }
    const nine = times(errorTotal - 1, { progress: true, error }).flatMap((round) => [round, between])
    const before = rounds(closedBreaker, ...nine)
    expect(before.breaker.state).toBe('closed')
    expect(rounds(before.breaker, { progress: true, error }).happened).toMatchObject({
      reason: 'error_total',
      threshold: 10,
      value: 10,
    })
  })
})

const open = rounds(closedBreaker, ...times(3, nothing)).breaker

describe('open', () => {
  it('counts nothing', () => {
    expect(rounds(open, nothing).breaker).toEqual(open)
  })

  it('is probed after it was waited for', () => {
    expect(halfOpen(open)).toMatchObject({
      state: 'half_open',
      cooldown_until: null,
      consecutive_no_progress: 3,
    })
    expect(halfOpen(closedBreaker)).toBe(closedBreaker)
  })
})

describe('half open', () => {
  it('closes on progress or a gate that is met, with counters at 0', () => {
    for (const round of [{ progress: true }, { progress: false, gateMet: true }]) {
      expect(rounds(halfOpen(open), round)).toEqual({
        breaker: { ...closedBreaker, error_counts: open.error_counts },
        happened: { kind: 'closed' },
      })
    }
  })

  it('opens once more on a failed probe, with a cooldown of its own; the third time ends the run', () => {
    let breaker = open
    for (const count of [1, 2]) {
      const step = rounds(halfOpen(breaker), nothing)
      expect(step.breaker).toMatchObject({ state: 'open', reopen_count: count })
      expect(step.breaker.cooldown_until).not.toBeNull()
      expect(step.happened).toMatchObject({ kind: 'opened', reason: 'probe_failed', value: count })
      breaker = step.breaker
    }
    expect(rounds(halfOpen(breaker), nothing).happened).toMatchObject({ kind: 'run-failed', value: 3 })
  })
})

describe('caps', () => {
  const used = { phaseTokens: 0, totalTokens: 0, phaseMinutes: 0, totalMinutes: 0 }
  test.each([
    ['phase_tokens', { phaseTokens: 500_001 }, 'phase'],
    ['phase_minutes', { phaseMinutes: 120.1 }, 'phase'],
    ['total_tokens', { totalTokens: 5_000_001 }, 'run'],
    ['total_minutes', { totalMinutes: 1440.5 }, 'run'],
  ])('%s', (reason, more, scope) => {
    const cap = reachedCap({ ...used, ...more }, usualLimits)
    expect(cap).toMatchObject({ reason, scope })
    const step = afterCap(closedBreaker, cap!, usualLimits, now)
    expect(step.happened?.kind).toBe(scope === 'run' ? 'run-failed' : 'opened')
    expect(step.breaker.state).toBe(scope === 'run' ? 'closed' : 'open')
  })

  it('are not reached at their value, and a new allowance moves that of a phase', () => {
    expect(reachedCap({ ...used, phaseTokens: 500_000, totalMinutes: 1440 }, usualLimits)).toBeUndefined()
    const over = { ...used, phaseTokens: 900_000 }
    expect(reachedCap(over, usualLimits, { phase_tokens: 1 })).toBeUndefined()
    expect(reachedCap({ ...over, phaseTokens: 1_000_001 }, usualLimits, { phase_tokens: 1 })).toBeDefined()
  })

  it('bound the retries of a run: the eleventh is none', () => {
    expect(retryCap(9, usualLimits)).toBeUndefined()
    expect(retryCap(10, usualLimits)).toMatchObject({ reason: 'total_retries', scope: 'run', threshold: 10 })
  })
})

describe('signature', () => {
  it('is the same for an error that differs in paths, ids, times, numbers, case and colours only', () => {
    const one = 'TypeError at /home/ada/app/src/a.ts:12:5 in 3.2s, commit 4be1c09aa, 2030-01-01T10:00:00Z'
    const two =
      '\u001b[31mtypeerror at /tmp/x/b.ts:99:1 in 17s, commit deadbeef12, 2031-12-24T23:59:59Z\u001b[0m'
    expect(normalMessage(two)).toBe(normalMessage(one))
    expect(errorSignature('verify', 'tool_failure', two)).toBe(errorSignature('verify', 'tool_failure', one))
  })

  it('differs by step, category and words', () => {
    const of = (step: string, category: 'tool_failure' | 'lint_failure', text: string) =>
      errorSignature(step, category, text)
    const all = [
      of('verify', 'tool_failure', 'a'),
      of('execute', 'tool_failure', 'a'),
      of('verify', 'lint_failure', 'a'),
      of('verify', 'tool_failure', 'b'),
    ]
    expect(new Set(all).size).toBe(4)
  })

  it('looks at 300 characters', () => {
    const long = 'word '.repeat(200)
    expect(normalMessage(long)).toHaveLength(300)
    expect(normalMessage(`${long}end`)).toBe(normalMessage(`${long}other`))
  })
})

describe('progress', () => {
  const mark = { artifact: 'a', head: 'h', stepsReached: 3, score: 7.5 }
  it.each([
    ['another artifact', { artifact: 'b' }, true],
    ['a commit', { head: 'i' }, true],
    ['a step reached for the first time', { stepsReached: 4 }, true],
    ['a better score', { score: 7.6 }, true],
    ['a worse score', { score: 7.4 }, false],
    ['nothing', {}, false],
    ['no artifact any more', { artifact: null }, false],
  ])('%s', (_, change, wanted) => expect(hasProgress(mark, { ...mark, ...change })).toBe(wanted))

  it('a time in an artifact changes nothing', () => {
    const text = (time: string) => `Recorded: ${time}\nfound x\n{"duration_ms": ${time.length}}`
    expect(artifactHash(text('2030-01-01T10:00:00Z'))).toBe(artifactHash(text('2031-02-03T11:12:13.456Z')))
    expect(artifactHash('found y')).not.toBe(artifactHash('found x'))
  })
})

test('a score under seventy percent is degraded', () => {
  expect(leastScoreOf(usualLimits)).toBe(7)
})
