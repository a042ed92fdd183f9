import { expect, test } from 'vitest'
import {
  minimalSpan,
  newSpans,
  readTrace,
  spanLine,
} from '../../../../source/workflows/playbook/records/traces.js'

const span = {
  timestamp: '2030-01-01T10:00:00Z',
  phase_id: '2',
  step: 'verify',
  action: 'command_run' as const,
  input_summary: 'npm test',
  output_summary: '12 passed',
  duration_ms: 450,
  status: 'success' as const,
}
const line = JSON.stringify(span)
const bytes = (text: string) => Buffer.from(text, 'utf8')

test('only new whole lines are taken, and the offset is that of the last one', () => {
  const first = newSpans(bytes(`${line}\n${line.slice(0, 20)}`), 0)
  expect(first).toEqual({ lines: [line], offset: line.length + 1, skipped: 0 })
  const whole = bytes(`${line}\n${line}\n`)
  expect(newSpans(whole, first.offset)).toEqual({ lines: [line], offset: whole.length, skipped: 0 })
  expect(newSpans(whole, whole.length)).toEqual({ lines: [], offset: whole.length, skipped: 0 })
})

test('offsets are bytes, not characters', () => {
  const text = `${JSON.stringify({ ...span, input_summary: 'prüfe' })}\n`
  const { offset } = newSpans(bytes(text), 0)
  expect(offset).toBe(bytes(text).length)
  expect(newSpans(bytes(`${text}${line}\n`), offset).lines).toEqual([line])
})

test('a file that was written anew is read from its beginning', () => {
  expect(newSpans(bytes(`${line}\n`), 10_000).lines).toEqual([line])
})

test('bad lines are skipped: no JSON, no object, no step, endless', () => {
  const bad = ['{"a"', '[1]', '"x"', '{"timestamp": "t"}', `{"x": "${'y'.repeat(70_000)}"}`]
  expect(newSpans(bytes(`${[...bad, line].join('\n')}\n\n`), 0)).toMatchObject({ lines: [line], skipped: 5 })
  expect(readTrace(`nonsense\n${line}\n`)).toEqual([span])
})

test('summaries are cut to 200 characters, and what is no text is empty', () => {
  const long = spanLine({ ...span, input_summary: 'x'.repeat(500), output_summary: 7 as unknown as string })
  expect(JSON.parse(long)).toMatchObject({ input_summary: 'x'.repeat(200), output_summary: '' })
})

test('a step without a trace leaves one span', () => {
  const facts = { at: span.timestamp, phase: '2', input: 'sent', output: 'done', ms: 12.6, ok: false }
  expect(minimalSpan('judge', facts)).toMatchObject({
    step: 'judge',
    action: 'agent_spawn',
    duration_ms: 13,
    status: 'failure',
  })
  expect(minimalSpan('judge', { ...facts, ok: true }).status).toBe('success')
})
