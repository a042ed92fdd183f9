import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hiddenPaths } from '../../../source/processes/confine/policy.js'
import { makeTemporary } from '../../support/temporary.js'

test('what lies below a place that is hidden is hidden with it, and only once', async () => {
  const home = await makeTemporary('hidden')
  const [config, state] = [join(home, 'settings'), join(home, 'settings', 'state')]
  await mkdir(state, { recursive: true })
  expect(hiddenPaths({ home, env: {}, allowed: [], autopilotPaths: [config, state] })).toEqual([config])
})
