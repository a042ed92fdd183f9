import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPlan, taskBody } from '../../source/documents/plan.js'

const plan = `# Plan: Rule parser

**Date:** 2030-04-02
**Spec:** docs/changes/mail-rules/proposal.md
**Tasks:** 3
**Time:** 9 minutes

## Checkpoints

- [checkpoint:human-verify] overview
- [checkpoint:decision] overview

## Tasks

### Task 1: Types

**Depends on:** none
**Files:** \`src/types.ts\`, \`src/index.ts\` (new)

1. Write it.

\`\`\`md
### Task 9: no
[checkpoint:decision]
\`\`\`

### Task 2 [checkpoint:decision]: Pick a format

**Depends on:** Task 1
**Files:**
- \`src/format.ts\`
- src/other.ts

### Task 3: Check it

**Depends on:** Tasks 1, 2

[checkpoint:human-verify]

## Risks
`

describe('a plan', () => {
  it('is read with tasks, lines, fields and checkpoints', () => {
    expect(readPlan(plan)).toEqual({
      name: 'Rule parser',
      taskCount: 3,
      checkpointCount: 2,
      rawCheckpointMarkers: 4,
      declaredTasks: 3,
      tasks: [
        { id: '1', title: 'Types', line: 15, dependsOn: [], files: ['src/types.ts', 'src/index.ts'] },
        {
          id: '2',
          title: 'Pick a format',
          line: 27,
          checkpoint: 'decision',
          dependsOn: ['1'],
          files: ['src/format.ts', 'src/other.ts'],
        },
        { id: '3', title: 'Check it', line: 34, checkpoint: 'human-verify', dependsOn: ['1', '2'] },
      ],
      warnings: ['4 checkpoint markers stand for 2 checkpoints.'],
      asks: [],
      unread: [],
      duplicates: [],
      inComments: [],
    })
  })

  it.each([
    ['**Depends on:** Task 11 | **Files:** `a/spec-4.ts`, `b.ts`', ['11'], ['a/spec-4.ts', 'b.ts']],
    ['**Depends on:** Tasks 1–4 | **Files:** none (verification only)', ['1', '2', '3', '4'], []],
    ['- **Depends on:** Task 2, Task 3a and Task A1', ['2', '3a', 'A1'], undefined],
    ['**Depends on:** 2, 3', ['2', '3'], undefined],
    ['**Depends on:** none', [], undefined],
    ['**Depends on:** Task 2 (2 of 7 helpers), phase 9', ['2'], undefined],
    ['**Files:**\n\n- Create: `x.ts`\n- y.ts (new)\n\n- `no.ts`', undefined, ['x.ts', 'y.ts']],
  ])('reads the fields %s', (text, dependsOn, files) => {
    const [task] = readPlan(`# Plan: x\n\n### Task 12: A\n\n${text}\n`).tasks
    expect([task?.dependsOn, task?.files]).toEqual([dependsOn, files])
  })

  it('gives the text of one task, to the next heading', () => {
    expect(taskBody(plan, '3')).toBe(
      '### Task 3: Check it\n\n**Depends on:** Tasks 1, 2\n\n[checkpoint:human-verify]',
    )
    expect(taskBody(plan, '1')).toContain('### Task 9: no')
    expect(taskBody(plan, '9')).toBeUndefined()
  })

  it('reads the same with CRLF and a BOM', () => {
    expect(readPlan(`\uFEFF${plan.replaceAll('\n', '\r\n')}`)).toEqual(readPlan(plan))
  })
})

describe('task headings', () => {
  it.each([
    ['### Task 1: A', '1', 'A'],
    ['## Task 1: A', '1', 'A'],
    ['#### TASK 12 — A', '12', 'A'],
    ['### Task 1.2.3 - A', '1.2.3', 'A'],
    ['### Task A1: A', 'A1', 'A'],
    ['### Task 3a – A', '3a', 'A'],
    ['### Task 3 (TDD): A', '3', 'A'],
    ['### Task 3 [checkpoint:human-verify] (TDD): A', '3', 'A'],
    ['### Task 3: A [checkpoint:human-verify]', '3', 'A'],
    ['### Task 3: A of [checkpoint] kind', '3', 'A of [checkpoint] kind'],
    ['### Task 3', '3', ''],
    ['### Task 3: A ###', '3', 'A'],
  ])('%s', (heading, id, title) => {
    expect(readPlan(`# Plan: x\n\n${heading}\n`).tasks).toMatchObject([{ id, title, line: 3 }])
  })

  it.each([
    '### Acceptance for Task 7',
    '### Final Steps (after Task 9)',
    '### Handoff Trigger (after Task 3 is done)',
    '## Task List (5 tasks)',
    '### Task 3abc: A',
    '### Task 3 without a separator',
    '# Task 1: A',
    '##### Task 1: A',
    '###Task 1: A',
    'Task 1: A',
    '**Task 1: A**',
  ])('is not misled by %s', (heading) => {
    expect(readPlan(`# Plan: x\n\n${heading}\n`)).toMatchObject({ taskCount: 0, tasks: [] })
  })

  it('takes short headings only where no Task heading stands, and says so', () => {
    const short = readPlan('# Plan: x\n\n## 1. Goal\n\n### T1 — A\n\n### 2. B\n')
    expect(short.tasks.map(({ id, title }) => [id, title])).toEqual([
      ['T1', 'A'],
      ['2', 'B'],
    ])
    expect(short.warnings[0]).toMatch(/No "Task N" headings/)
    expect(readPlan('# Plan: x\n\n### T1 — A\n\n### Task 1: B\n').tasks.map((task) => task.title)).toEqual([
      'B',
    ])
  })

  it('warns about an id that is used twice, and about a wrong declared number', () => {
    const reading = readPlan('# Plan: x\n\n**Estimated tasks:** ~5\n\n### Task 1: A\n\n### Task 1: B\n')
    expect(reading.taskCount).toBe(2)
    expect(reading.declaredTasks).toBe(5)
    expect(reading.warnings).toEqual([
      'Task 1 stands on line 5 and again on line 7.',
      'The plan says 5 tasks, its headings are 2; the headings count.',
    ])
  })

  it('finds no tasks and no declared number in a text without any', () => {
    expect(readPlan('hello')).toMatchObject({ taskCount: 0, checkpointCount: 0, declaredTasks: null })
    expect(readPlan('hello').warnings).toEqual(['No task headings were found ("### Task 1: Name").'])
  })
})

describe('checkpoints', () => {
  const task = (body: string) => readPlan(`# Plan: x\n\n### Task 1: A\n\n${body}\n`)

  it.each([
    ['[checkpoint:human-verify]', 'human-verify'],
    ['[checkpoint: decision]', 'decision'],
    ['[checkpoint:human-action]', 'human-action'],
    ['[checkpoint:commit]', 'commit'],
    ['[checkpoint:verify]', 'human-verify'],
    ['[checkpoint:review]', 'human-verify'],
    ['[checkpoint]', 'human-verify'],
    ['[Checkpoint:Decision]', 'decision'],
    ['\\[checkpoint:decision\\]', 'decision'],
    ['- **[checkpoint:decision]** choose', 'decision'],
    ['`[checkpoint:decision]`', 'decision'],
    ['Stop here for a [checkpoint:decision pick one of two].', 'decision'],
  ])('%s is %s', (marker, type) => {
    const reading = task(marker)
    expect(reading.tasks[0]?.checkpoint).toBe(type)
    expect([reading.checkpointCount, reading.rawCheckpointMarkers]).toEqual([1, 1])
  })

  it.each(['```\n[checkpoint:decision]\n```', '[checkpoint:*]', 'checkpoint:decision', '[checkpoints]'])(
    'is not misled by %s',
    (text) => {
      expect(task(text)).toMatchObject({ checkpointCount: 0, rawCheckpointMarkers: 0 })
    },
  )

  it('counts a task once, and the pausing type before commit', () => {
    const reading = task('[checkpoint:commit]\n\n[checkpoint:decision]\n\n[checkpoint:human-verify]')
    expect(reading).toMatchObject({ checkpointCount: 1, rawCheckpointMarkers: 3 })
    expect(reading.tasks[0]?.checkpoint).toBe('decision')
  })

  const twoTasks = (before: string, first = '', after = '') =>
    readPlan(
      `# Plan: x\n\n${before}\n\n## Tasks\n\n### Task 1: A\n\n${first}\n\n### Task 2: B\n\n## End\n\n${after}\n`,
    )

  it('counts tasks that are named by "after Task N" elsewhere, each once', () => {
    expect(twoTasks('- [checkpoint:human-verify after Task 2]').tasks[1]?.checkpoint).toBe('human-verify')
    expect(twoTasks('- [checkpoint:decision] after Task 1', '[checkpoint:decision]').checkpointCount).toBe(1)
    expect(twoTasks('', '', '**[checkpoint:human-verify]** After tasks 1 and 2').checkpointCount).toBe(2)
    const stranger = twoTasks('- [checkpoint:decision] after Task 7')
    expect(stranger.warnings.join()).toMatch(/names Task 7, which is not there/)
  })

  it('adds nothing for overview lists when a task has a marker', () => {
    const reading = twoTasks(
      '- [checkpoint:decision] one\n- [checkpoint:human-verify] two',
      '[checkpoint:decision]',
    )
    expect(reading).toMatchObject({ checkpointCount: 1, rawCheckpointMarkers: 3 })
  })

  it('counts distinct marker lines when no task has one', () => {
    const reading = twoTasks(
      '- [checkpoint:decision] one [checkpoint:commit]\n- [checkpoint:human-verify] two\n- [checkpoint:human-verify] two',
    )
    expect(reading).toMatchObject({ checkpointCount: 2, rawCheckpointMarkers: 4 })
  })

  it('gives a checkpoint heading between two tasks to the task before it', () => {
    const reading = readPlan(
      '## Tasks\n\n### Task 1: A\n\n### [checkpoint:decision] Pick\n\n### Task 2: B\n\n## Notes [checkpoint]\n',
    )
    expect(reading.tasks.map((each) => each.checkpoint)).toEqual(['decision', undefined])
    expect(reading.checkpointCount).toBe(1)
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    '### Task 1: Name',
    '### Task 2a (TDD) — Other',
    '#### Task 1.2 [checkpoint]: Third',
    '## Tasks',
    '### T1 — Short',
    '[checkpoint:decision]',
    '- [checkpoint:human-verify after Task 1]',
    '**Tasks:** 4',
    '**Depends on:** Task 1',
    '**Files:**',
    '- `a.ts`',
    '```',
    '',
    'prose',
  )

  it('is read without a crash, with counts and lines that are right', () => {
    const line = fc.oneof(
      { weight: 6, arbitrary: pieces },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (parts) => {
        const text = parts.join('\n')
        const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
        const reading = readPlan(text)
        expect(reading.taskCount).toBe(reading.tasks.length)
        expect(reading.checkpointCount).toBeLessThanOrEqual(
          Math.max(reading.rawCheckpointMarkers, reading.taskCount),
        )
        for (const task of reading.tasks) {
          expect(lines[task.line - 1]).toContain(task.id)
          expect(lines[task.line - 1]).toContain(task.title)
          expect(taskBody(text, task.id)?.split('\n')[0]).toMatch(/^#+ /)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
