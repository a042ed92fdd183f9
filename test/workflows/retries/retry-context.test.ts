import { describe, expect, test } from 'vitest'
import {
  mentionedFiles,
  retryContext,
  retryContextText,
} from '../../../source/workflows/retries/retry-context.js'
import { createProject } from '../../support/project.js'

// What each attempt is told more than the one before (docs/harness.md, "Execution").

const plan = '# Plan\n\n### Task 1: lid\n\nMake a lid that fits.\n\n### Task 2: box\n\nNo.\n'

async function facts(attempt: number, output?: string) {
  const project = await createProject({
    git: false,
    files: {
      'src/lid.ts': "import { box } from './box.js'\nexport const lid = 1\n// ``` in a comment\n",
      'docs/plan.md': plan,
      'learnings.md':
        '- **2030-01-01 [skill:x]:** assertion of the lid failed on windows\n  <!-- hash:1f -->\n\n- **2030-01-02 [skill:x]:** nothing of that sort\n',
      'kept.md': '# Learnings\n\n- **2030-01-01 [skill:x]:** assertion of the lid failed on windows\n',
      'logs/one.log': [
        '> You are harness-task-executor.',
        ...Array.from({ length: 100 }, (_, index) => `  line ${index}`),
        '  You are harness-task-executor.',
        '  {"type":"tool","output":"of a program"}',
        '# a note of ours',
        '! a warning',
      ].join('\n'),
      '../secret.ts': 'no',
    },
  })
  const task = {
    id: '1',
    title: 'lid',
    line: 3,
    files: ['src/lid.ts'],
  } as unknown as NonNullable<Parameters<typeof retryContext>[1]['task']>
  return retryContext(
    { root: project.dir },
    {
      attempt,
      task,
      errors: ['assertion of the lid failed in ../secret.ts'],
      planPath: 'docs/plan.md',
      logPath: 'logs/one.log',
      learnings: ['learnings.md', 'none.md', 'kept.md'],
      ...(output === undefined ? {} : { output }),
    },
  )
}

describe('the ladder', () => {
  test('1: the errors alone', async () => {
    expect(await facts(1)).toEqual({ relatedFiles: [], similarLearnings: [] })
  })

  test('2: also related files of the project, and learnings that are like the errors', async () => {
    const context = await facts(2)
    expect(context.relatedFiles).toEqual([
      "src/lid.ts\n````\nimport { box } from './box.js'\nexport const lid = 1\n// ``` in a comment\n````",
    ])
    // Once, though two files have it, and without what programs write beside it.
    expect(context.similarLearnings).toEqual([
      '- **2030-01-01 [skill:x]:** assertion of the lid failed on windows',
    ])
    expect(context).not.toHaveProperty('testOutput')
  })

  test('3: also the end of the output, imports, and the text of the task', async () => {
    const context = await facts(3)
    // What the agent printed: no prompt of ours, no records of its program.
    expect(context.testOutput?.split('\n')).toHaveLength(60)
    expect(context.testOutput).toMatch(/line 99\na warning$/)
    expect((await facts(3, '2 of 4 failed')).testOutput).toBe('2 of 4 failed')
    expect(context.imports).toEqual(['src/lid.ts: ./box.js'])
    expect(context.planText).toContain('Make a lid that fits.')
    expect(context.planText).not.toContain('No.')
    expect(retryContextText(context)).toContain('Plan text of the task:')
  })
})

describe('files that a text mentions', () => {
  test('paths with an extension, without what stands around them', () => {
    expect(mentionedFiles('red in src/a.ts:12 and (test/b.test.tsx), see ./c.md. Version 1.2 no.')).toEqual([
      'src/a.ts',
      'test/b.test.tsx',
      './c.md',
    ])
  })

  test('in time that grows with the text alone', () => {
    // A pattern that looks back from every place would need minutes for it, longer than a test may take.
    const long = 'a'.repeat(1_000_000)
    expect(mentionedFiles(`${long} ${'./'.repeat(500_000)}`)).toEqual([])
  })
})
