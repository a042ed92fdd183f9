import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readLifecycleState } from '../../source/documents/lifecycle-state.js'
import { createProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { answer, waitForGate } from './journey.js'

// The life of a project by keys, in a real terminal.

const program = join(import.meta.dirname, '../../bin/autopilot.js')
const run = promisify(execFile)

test('the demo: documented, specified, decomposed, left at the boundary, resumed, one failure that a retry mends', async () => {
  const project = await createProject({ git: false })
  const env = { ...project.env, AUTOPILOT_REHEARSAL_PACE: '0' }
  const dir = join(project.dir, 'bill')
  const state = async () => readLifecycleState(await project.read('bill/_docs/_autopilot_state.md'))
  const argv = ['demo', 'bill', '--workflow', 'lifecycle']
  const size = { cols: 130, rows: 40 }

  const first = openTerminal({ argv, cwd: project.dir, env, ...size })
  await waitForGate(first, 'Q-START', 120_000)
  await answer(first, { choose: 'start' })
  const asked = await waitForGate(first, 'Q-WORKER', 120_000)
  expect(asked.title).toBe('What should this become?')
  await answer(first, { choose: 'A) A library', text: 'small' })
  const boundary = await waitForGate(first, 'Q-BOUNDARY', 180_000)
  expect(boundary.options.map((label) => label.slice(0, 2))).toEqual(['A)', 'B)', 'st'])
  expect((await state()).current).toMatchObject({ step: 4, name: 'Implement Tests', status: 'not_started' })
  await first.press('q')
  expect((await first.exit).code).toBe(3)

  const told = await run(process.execPath, [program, 'status'], { cwd: dir, env })
  expect(told.stdout).toContain('Next: start Implement Tests')
  const inspected = await run(process.execPath, [program, 'inspect', '_docs/_autopilot_state.md', '--json'], {
    cwd: dir,
    env,
  })
  expect(JSON.parse(inspected.stdout)).toMatchObject({ kind: 'lifecycle-state', current: { step: 4 } })

  const second = openTerminal({ argv, cwd: project.dir, env, ...size })
  await waitForGate(second, 'Q-BOUNDARY', 120_000)
  await answer(second, { choose: 'A)' })
  const confirm = await waitForGate(second, 'Q-CONFIRM', 180_000)
  expect(confirm.title).toBe('Step 5 Run Tests is reported complete. Is it?')
  const after = await state()
  expect(after.completed.map(({ name }) => name)).toEqual([
    'Document',
    'Test Spec',
    'Decompose Tests',
    'Implement Tests',
  ])
  expect(
    after.decisions.some((line) =>
      line.includes('Q-WORKER: 1 Document, vision: A library for other programs (small)'),
    ),
  ).toBe(true)
  await second.press('q')
  expect((await second.exit).code).toBe(3)
  expect((await project.git('-C', dir, 'log', '--reverse', '--format=%s')).split('\n')).toEqual([
    'Share a bill',
    '[autopilot] Step 1: Document',
    '[autopilot] Step 2: Test Spec',
    '[autopilot] Step 3: Decompose Tests',
    '[autopilot] Step 4: Implement Tests',
  ])
})
