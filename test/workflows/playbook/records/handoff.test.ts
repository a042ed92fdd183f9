import { expect, test } from 'vitest'
import { readHandoff } from '../../../../source/workflows/playbook/records/handoff.js'

test('tables are read', () => {
  const text = `# Phase 2.1 Partial Progress Handoff

**Phase ID:** 2.1
**Reason:** Context exhaustion detected during EXECUTE
**Last Checkpoint SHA:** 4be1c09

## Tasks Completed

| Task ID | Status | Commit SHA |
|---------|--------|------------|
| 02.1-01 | COMPLETED | abc |

## Tasks Remaining

| Task ID | Description | Estimated Complexity |
|---------|-------------|----------------------|
| 02.1-02 | Two | medium |
| 02.1-03 |  | medium |

## Files Modified (partial list)

- src/a.ts

## Partial Progress State

- Current step: execute
`
  expect(readHandoff(text)).toEqual({
    phaseId: '2.1',
    reason: 'Context exhaustion detected during EXECUTE',
    lastCheckpointSha: '4be1c09',
    currentStep: 'execute',
    completed: ['02.1-01'],
    remaining: ['02.1-02', '02.1-03'],
    files: ['src/a.ts'],
  })
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
