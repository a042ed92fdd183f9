import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { counted } from '../source/counted.js'

describe('counted words', () => {
  it('stand in the number of their count', () => {
    expect([0, 1, 2].map((count) => counted(count, 'task'))).toEqual(['0 tasks', '1 task', '2 tasks'])
    expect(counted(1, 'retry', 'retries')).toBe('1 retry')
    expect(counted(3, 'retry', 'retries')).toBe('3 retries')
    expect(counted(1, 'line is', 'lines are')).toBe('1 line is')
  })

  it('are written in one way everywhere, so that nobody reads "1 tasks"', () => {
    const source = join(import.meta.dirname, '../source')
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.tsx?$/.test(path),
    )
    const loose = files.flatMap((path) =>
      readFileSync(join(source, path), 'utf8')
        .split('\n')
        .filter((text) => looseCount.test(text) && !allowed.some((part) => text.includes(part)))
        .map((text) => `${path}: ${text.trim()}`),
    )
    expect(files.length).toBeGreaterThan(300)
    expect(loose).toEqual([])
  })
})

/** A count, an adjective perhaps, and a noun that is in the plural whatever the count is. */
const looseCount =
  /\$\{[^}]*\} (?:(?:more|open|earlier|other|new|changed|complete|completed|failed|further|short) )?(?:agents|retries|lines|tasks|phases|minutes|requirements|blockers|gaps|checkpoints|markers|findings|learnings|features|milestones|entries|headings|parts|criteria|issues|files|commits|plans|waves|questions|steps|rows|batches|records|days|versions|items|warnings|sessions|tests|processes|decisions|attempts|dispatches|events|tools|options|notes|worktrees|concerns|deficiencies)\b|\((?:s|es)\)/

const allowed = [
  // Lines of files whose words other programs know (docs/harness.md, "Learnings and failures", "Summary and index").
  'sum.phases} phases, ',
  'sum.phases} phases with ',
  'totals(state).tasks}/',
  // Bounds that are never one.
  'mostCommits} commits',
  'response} lines',
  // The sample project of the demo, which says "since yesterday" of one.
  'days} days',
  // No counts.
  'source} findings of',
  'key} findings under',
]
