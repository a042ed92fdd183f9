import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newLifecycleState } from '../../../source/documents/lifecycle-edit.js'
import { lifecycleCodec } from '../../../source/workflows/lifecycle/state/state.js'
import { createStage, play, says, statePath, upTo } from './stage.js'

// What an agent says has no end of its own (docs/lifecycle.md, "The worker").

test('a failure of three megabytes, four times: neither journal nor state file grows with it, and the next try is told', async () => {
  const noise = `cannot open the box ${'x'.repeat(3 * 1024 * 1024)} at the lid`
  const text = newLifecycleState('greenfield', 2, 'Research')
  const project = await createStage(upTo('greenfield', 'Research', text))
  const played = await play(project, {
    askFirst: () => ({ value: 'adopt' }),
    acts: { Research: says({ status: 'failed', error: noise }) },
  })
  expect(played.gates.at(-1)).toBe('Q-BLOCKED')
  const [error = ''] = played.dispatches[1]?.brief.retry.errors ?? []
  expect(error).toMatch(/^cannot open the box x+/)
  expect(error.endsWith('at the lid')).toBe(true)
  expect(error).toContain('characters left out')
  const { size } = await stat(project.path('.autopilot/lifecycle/journal.jsonl'))
  expect(size).toBeLessThan(noise.length)
  expect(played.text.length).toBeLessThan(40_000)
  expect(lifecycleCodec.read(Buffer.from(await project.read(statePath))).kind).toBe('ok')
  expect(played.record.blockers).toHaveLength(1)
})
