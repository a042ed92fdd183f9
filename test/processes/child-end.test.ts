import { expect, it } from 'vitest'
import { crashMessage, timeoutMessage } from '../../source/processes/child-end.js'
import type { ChildExit } from '../../source/processes/supervisor.js'

const exit = (stderrTail: string): ChildExit => ({
  code: 1,
  signal: null,
  stopped: undefined,
  stderrTail,
  outputBytes: 0,
  leftovers: 0,
  unkillable: [],
})

const node = `node:internal/errors:984
  const err = new Error(message);
              ^

Error: Command failed: git commit -m Write
    at genericNodeError (node:internal/errors:984:15)
    at file:///project/my-agent.js:16:3 {
  status: 128,
  stdout: null,
  stderr: null
}

Node.js v20.20.2
`

it('tells the line that names the cause, where the last lines do not', () => {
  expect(crashMessage(exit(node)).split('\n')).toEqual([
    'The agent ended with exit code 1. It wrote:',
    'Error: Command failed: git commit -m Write',
    '  stdout: null,',
    '  stderr: null',
    '}',
    '',
    'Node.js v20.20.2',
  ])
  const python = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no such plan\n'
  expect(crashMessage(exit(python)).match(/ValueError/g)).toHaveLength(1)
  for (const cause of [
    'error[E0308]: mismatched types',
    'fatal: not a repository',
    "thread 'main' panicked at x",
  ])
    expect(crashMessage(exit(`${cause}\n${'note\n'.repeat(9)}`))).toContain(`\n${cause}\nnote`)
  expect(crashMessage(exit('one\ntwo\n'))).toBe('The agent ended with exit code 1. It wrote:\none\ntwo')
  expect(crashMessage(exit(''))).toBe('The agent ended with exit code 1.')
})

it('names the limit that ran out as it was set', () => {
  expect(timeoutMessage('wall', 1200)).toContain('within 2s ')
  expect(timeoutMessage('wall', 30 * 60_000)).toContain('within 30m ')
  expect(timeoutMessage('wall', 1200)).toContain('limits.wallMinutes')
})
