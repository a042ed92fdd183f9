import { describe, expect, it } from 'vitest'
import { type Ending, outcomeOfProcess } from '../../source/agents/end-of-process.js'
import type { ChildExit } from '../../source/processes/supervisor.js'

// Every sign of a success, and what is told where one of them is missing.

const exit: ChildExit = {
  code: 0,
  signal: null,
  stderrTail: '',
  outputBytes: 1,
  leftovers: 0,
  unkillable: [],
}
const usage = { input: 1, output: 2, cached: 0 }
const done: Ending['words'] = { said: 'done', result: { a: 1 }, text: 'all done', hasResult: true }
const limit = { error: 'limit', message: 'full', retry: 'later', resetsAt: 5 } as const
const base = { words: done, file: 'agent', cwd: '/project', wallMs: 60_000, usage }

function outcome(changes: Partial<ChildExit>, more: Partial<Ending> = {}) {
  return outcomeOfProcess({ ...base, exit: { ...exit, ...changes }, ...more })
}

it('a program that says it is done, exits with 0 and was left alone has succeeded', () => {
  expect(outcome({})).toEqual({ ok: true, result: { a: 1 }, text: 'all done', usage })
  expect(
    outcome({}, { words: { said: 'done', result: undefined, text: 'x'.repeat(100_000) } }),
  ).toMatchObject({
    ok: true,
    text: 'x'.repeat(64 * 1024),
  })
})

describe('one missing sign is enough', () => {
  const missing = Object.assign(new Error('spawn agent ENOENT'), { code: 'ENOENT' })
  const cases: [string, Partial<ChildExit>, Partial<Ending>, object][] = [
    [
      'never started',
      { code: null, spawnError: missing },
      { ours: limit },
      { error: 'spawn', retry: 'never' },
    ],
    ['ended by us for a reason', { stopped: 'aborted' }, { ours: limit }, limit],
    ['stopped', { stopped: 'aborted' }, {}, { error: 'aborted', retry: 'now' }],
    ['timed out', { stopped: 'wall' }, {}, { error: 'timeout', retry: 'now' }],
    ['says that it failed', { code: 1 }, { words: { said: 'failure', failure: limit } }, limit],
    [
      'exit code 3',
      { code: 3 },
      {},
      { error: 'crash', message: expect.stringContaining('although it printed') },
    ],
    ['a signal', { code: null, signal: 'SIGKILL' }, {}, { error: 'crash' }],
    [
      'exit code 1 for a wrong input',
      { code: 1 },
      { isWrongInput: true },
      { error: 'input', retry: 'never' },
    ],
    [
      'says nothing',
      {},
      { words: { said: 'nothing', missing: 'no end' } },
      { error: 'crash', message: 'no end' },
    ],
    ['a result that does not count', {}, { words: { said: 'flawed', failure: limit } }, limit],
  ]
  it.each(cases)('%s', (_, changes, more, expected) => {
    expect(outcome(changes, more)).toMatchObject({ ok: false, ...expected, usage })
  })
})

it('a crash comes before a flaw, and silence is explained', () => {
  const flawed = { words: { said: 'flawed', failure: limit, hasResult: true } } as const
  expect(outcome({ code: 2 }, flawed)).toMatchObject({ error: 'crash' })
  const silenceHint = 'It may wait for a limit.'
  expect(outcome({ stopped: 'idle' }, { silenceHint })).toMatchObject({
    message: expect.stringContaining(silenceHint),
  })
  expect(outcome({ stopped: 'wall' }, { silenceHint })).not.toMatchObject({
    message: expect.stringContaining(silenceHint),
  })
})
