import { expect, test } from 'vitest'
import { handoffText, readHandoff } from '../../../../source/workflows/playbook/records/handoff.js'

const handoff = {
  phaseId: '2.1',
  reason: 'Context exhaustion detected during EXECUTE',
  lastCheckpointSha: '4be1c09',
  currentStep: 'execute',
  completed: ['02.1-01'],
  remaining: ['02.1-02', '02.1-03'],
  files: ['src/a.ts'],
}

test('what the program writes it reads', () => {
  const titles = new Map([['02.1-01', { title: 'One', complexity: 'simple', commit: 'abc' }]])
  const text = handoffText(handoff, '2030-01-01T10:00:00Z', titles)
  expect(text).toContain('| 02.1-01 | COMPLETED | abc |')
  expect(readHandoff(text)).toEqual(handoff)
})

test('what agents write is read: lists, bare names, ids with words behind', () => {
  const text = `phase_id: 2
reason: full
last_checkpoint_sha: 4be1c09

tasks_completed:
- 02-01: parser (abc)
- \`02-02\`

## Tasks remaining
1. 02-03 - screens
2. 02-02

files_modified:
- \`src/a.ts\`: parser
- src/b.ts

Current step: execute
`
  expect(readHandoff(text)).toMatchObject({
    phaseId: '2',
    reason: 'full',
    lastCheckpointSha: '4be1c09',
    completed: ['02-01', '02-02'],
    remaining: ['02-03'],
    files: ['src/a.ts', 'src/b.ts'],
  })
})

test('a file that names no task is none', () => {
  expect(readHandoff('I was tired.\n')).toBeUndefined()
  expect(readHandoff('## Tasks Remaining\n\n| Task ID | Description |\n|---|---|\n')).toBeUndefined()
})
