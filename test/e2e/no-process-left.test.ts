import { test } from 'vitest'
import { endAtPermission, endAtWork } from './ends.js'

// The same with the real programs: test/clis.

const agent = { agent: 'embedded' }

test.each(['q', 'SIGKILL', 'close', 'SIGINT', 'twice', 'SIGQUIT', 'SIGUSR2'] as const)(
  '%s at work leaves no process of the run',
  (how) => endAtWork(agent, how),
)

test('an interrupt, and a stop at a permission, leave no process of the run', () => endAtPermission(agent))
