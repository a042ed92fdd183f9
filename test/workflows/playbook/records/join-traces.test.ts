import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addSpan, joinTrace } from '../../../../source/workflows/playbook/records/join-traces.js'
import { readTrace, runnerSpan } from '../../../../source/workflows/playbook/records/traces.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autopilot-trace-test-'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

const facts = { at: '2030-01-01T10:00:00Z', phase: '2', input: 'sent', output: 'done', ms: 1, ok: true }
const line = (step: string) =>
  `${JSON.stringify(runnerSpan('decision', facts)).replace('phase_runner', step)}\n`
const trace = async () =>
  readTrace(await readFile(join(folder, 'TRACE.jsonl'), 'utf8')).map(({ step }) => step)

test('what is new is added, once, and the rest of a file that grew', async () => {
  await writeFile(join(folder, 'verify-trace.jsonl'), `${line('one')}nonsense\n`)
  const first = await joinTrace(folder, 'verify', {}, facts)
  expect(first).toMatchObject({ added: 1, skipped: 1 })
  await appendFile(join(folder, 'verify-trace.jsonl'), line('two'))
  const second = await joinTrace(folder, 'verify', first.offsets, facts)
  expect(second).toMatchObject({ added: 1, skipped: 0 })
  expect((await joinTrace(folder, 'verify', second.offsets, facts)).added).toBe(0)
  expect(await trace()).toEqual(['one', 'two'])
})

test('a step without a trace leaves one span, the program its own', async () => {
  await joinTrace(folder, 'judge', {}, facts)
  expect(await addSpan(folder, runnerSpan('decision', facts))).toBeUndefined()
  expect(await trace()).toEqual(['judge', 'phase_runner'])
})

test('trouble is told and thrown at nobody', async () => {
  const gone = join(folder, 'gone')
  expect((await joinTrace(gone, 'judge', {}, facts)).trouble).toContain('could not be joined')
  expect(await addSpan(gone, runnerSpan('decision', facts))).toContain('could not be written')
})
