import { expect, test } from 'vitest'
import { normalMessage } from '../../../source/workflows/playbook/breaker/signature.js'
import { numberOf, outputLines } from '../../../source/workflows/playbook/criteria/evaluate.js'
import { refusalOf } from '../../../source/workflows/playbook/criteria/refusal.js'
import { readTestSpec } from '../../../source/workflows/playbook/criteria/test-spec.js'
import { pathLine } from '../../../source/workflows/playbook/integrity/facts.js'
import { readHandoff } from '../../../source/workflows/playbook/records/handoff.js'
import { readJudgeReport } from '../../../source/workflows/playbook/records/judge-report.js'
import { newSpans } from '../../../source/workflows/playbook/records/traces.js'

// Output of programs and words of agents come in any length: a megabyte in one line takes no longer than to read it.

const size = 500_000
const lines = [
  'a',
  ' ',
  '.',
  '/',
  ':',
  '1 ',
  'EXIT:',
  'no differ ',
  '`',
  '$(',
  'PASS: ',
  '`git ',
  'git ',
].map((word) => word.repeat(Math.ceil(size / word.length)))
const shell = (stdout: string) => ({ code: 0, stdout, stderr: '', timedOut: false, missing: false })

const readers: [string, (text: string) => unknown][] = [
  ['lines of output', (text) => outputLines(text)],
  ['a count', (text) => numberOf('grep -c x a', text)],
  ['a test specification', (text) => readTestSpec('1', 'a.sh', shell(text))],
  ['a command', (text) => refusalOf(text, { root: '/work' })],
  ['an error', (text) => normalMessage(text)],
  ['evidence', (text) => pathLine.test(text)],
  ['a report of a judge', (text) => readJudgeReport(`## Divergence Analysis\n${text}`)],
  ['a handoff', (text) => readHandoff(`## Tasks completed\n- ${text}`)],
  ['a trace', (text) => newSpans(Buffer.from(`${text}\n`), 0)],
]

test('a handoff of blank lines', () => {
  const before = process.cpuUsage().user
  readHandoff(`## Tasks completed\n${'\n'.repeat(size)}`)
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(10_000)
})

test.each(readers)('%s of one long line', (_, read) => {
  const before = process.cpuUsage().user
  for (const line of lines) read(line)
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(10_000)
})
