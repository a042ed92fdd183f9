import { expect, it } from 'vitest'
import { judgePermission } from '../../source/agents/permission-policy.js'

it.each([
  ['full', undefined, 'ask ask ask allow'],
  ['full', 'ask', 'ask ask ask allow'],
  ['full', 'edits', 'allow ask ask allow'],
  ['full', 'all', 'allow allow allow allow'],
  ['edit', 'edits', 'allow ask ask allow'],
  ['edit', 'all', 'allow ask ask allow'],
  ['read', 'all', 'deny allow allow allow'],
  ['read', 'ask', 'deny ask ask allow'],
] as const)('access %s, policy %s: edit, exec, other, read = %s', (access, policy, verdicts) => {
  const kinds = ['edit', 'exec', 'other', 'read'] as const
  expect(kinds.map((kind) => judgePermission(access, policy, kind).verdict).join(' ')).toBe(verdicts)
})
