// The project that every liar and every twin works on: a converter of temperatures with real tests, two tasks to do.
// Plain data, read by the agents and by the tests.

export const specPath = 'docs/changes/scales/proposal.md'
export const slug = 'changes--scales--proposal'
export const sessionDir = `.harness/sessions/${slug}`

/** One task of a plan, and what an honest executor does for it. */
export interface SampleTask {
  name: string
  /** Written into the heading of the task. */
  checkpoint?: 'human-verify' | 'decision' | 'human-action'
  /** What the plan names beside the task's own two files. */
  alsoFiles?: string[]
  /** A line of its own in the plan. */
  remark?: string
  /** Fails until it is dispatched again. */
  fails?: boolean
}

export interface SamplePhase {
  name: string
  tasks: SampleTask[]
}

export const onePhase: SamplePhase[] = [
  { name: 'More scales', tasks: [{ name: 'kelvin' }, { name: 'rankine' }] },
]

export const twoPhases: SamplePhase[] = [
  { name: 'More scales', tasks: [{ name: 'kelvin' }] },
  { name: 'Old scales', tasks: [{ name: 'reaumur' }] },
]

/** One phase of two tasks, the second of which is changed. */
export function withSecond(change: Partial<SampleTask>): SamplePhase[] {
  return [{ name: 'More scales', tasks: [{ name: 'kelvin' }, { name: 'rankine', ...change }] }]
}

export function specText(phases: readonly SamplePhase[]): string {
  const parts = phases.map(
    (phase, at) =>
      `### Phase ${at + 1}: ${phase.name}\n<!-- complexity: low -->\n\nScales: ${phase.tasks.map(({ name }) => name).join(', ')}.\n`,
  )
  return `# Scales\n\nThe converter learns more scales of temperature.\n\n## Implementation Order\n\n${parts.join('\n')}`
}

export const sourceOf = (scale: string) => `src/${scale}.js`
export const testOf = (scale: string) => `test/${scale}.test.js`

export function planText(phase: SamplePhase): string {
  const tasks = phase.tasks.map((task, at) => {
    const marker = task.checkpoint ? ` [checkpoint:${task.checkpoint}]` : ''
    const files = [sourceOf(task.name), testOf(task.name), ...(task.alsoFiles ?? [])]
    const remark = task.remark ? `\n${task.remark}\n` : ''
    return `### Task ${at + 1}: The scale ${task.name}${marker}\n\n**Depends on:** none\n**Files:** ${files.join(', ')}\n${remark}\n1. Write ${sourceOf(task.name)} and its test.\n2. Run the tests.\n3. Commit \`feat: ${task.name}\`.\n`
  })
  return `# Plan: ${phase.name}\n\n**Spec:** ${specPath}\n**Tasks:** ${phase.tasks.length}\n\n## Goal\n\nThe converter knows these scales.\n\n## Tasks\n\n${tasks.join('\n')}`
}

const offsets: Record<string, number> = { kelvin: 273, rankine: 491, reaumur: 0 }

export function sourceText(scale: string): string {
  return `export function ${scale}(celsius) {\n  return celsius + ${offsets[scale] ?? 1}\n}\n`
}

export function testText(scale: string): string {
  return `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { ${scale} } from '../src/${scale}.js'

test('${scale} of freezing water', () => equal(${scale}(0), ${offsets[scale] ?? 1}))
test('${scale} of warm water', () => equal(${scale}(40), ${40 + (offsets[scale] ?? 1)}))
`
}

/** The first commit, beside the spec. */
export const sampleFiles: Record<string, string> = {
  'package.json': `${JSON.stringify(
    {
      name: 'scales',
      version: '1.0.0',
      private: true,
      type: 'module',
      scripts: { test: 'node --test' },
    },
    null,
    2,
  )}\n`,
  '.gitignore': 'node_modules/\ndist/\n.env\n',
  'src/fahrenheit.js': 'export function fahrenheit(celsius) {\n  return celsius * 1.8 + 32\n}\n',
  'test/fahrenheit.test.js': `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { fahrenheit } from '../src/fahrenheit.js'

test('fahrenheit of freezing water', () => equal(fahrenheit(0), 32))
test('fahrenheit of boiling water', () => equal(fahrenheit(100), 212))
`,
  // All of them in one process: a whole run of the tests begins in a moment.
  'tools/tests.mjs': `import { readdirSync } from 'node:fs'

const folder = new URL('../test/', import.meta.url)
for (const name of readdirSync(folder).sort()) if (name.endsWith('.test.js')) await import(new URL(name, folder))
`,
  'docs/notes.md': '# Notes\n\nNothing yet.\n',
  'AGENTS.md': '# For agents\n\nRun `npm test` before a commit.\n',
}
