import { expect, test } from 'vitest'
import { programsOf } from '../../source/sessions/session.js'
import { registry } from '../../source/workflows/registry.js'

test('the trust question knows every program that a workflow starts beside agents and git', () => {
  expect(programsOf(registry)).toEqual(expect.arrayContaining(['gh', 'harness']))
})
