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
  expect(readHandoff(text)).toEqual({ completed: ['02.1-01'], remaining: ['02.1-02', '02.1-03'] })
  expect(readHandoff(text.replace('Tasks Completed', 'Tasks completed so far')).completed).toEqual([
    '02.1-01',
  ])
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
  expect(readHandoff(text)).toEqual({ completed: ['02-01', '02-02'], remaining: ['02-03'] })
})

test('a file that names no task leaves none', () => {
  const none = { completed: [], remaining: [] }
  expect(readHandoff('I was tired.\n')).toEqual(none)
  expect(readHandoff('## Tasks Remaining\n\n| Task ID | Description |\n|---|---|\n')).toEqual(none)
})
