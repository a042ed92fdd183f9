import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Who recommends there, and why it is more than a place where the menu may open (`safe`). */
const recommending = [
  // The program has evidence: findings that block, gaps, work that git does not show, what an agent surely left.
  'workflows/evidence/questions.ts',
  'workflows/evidence/touched-question.ts',
  'workflows/harness/opening/settle-migration.ts',
  'workflows/harness/questions/review.ts',
  'workflows/harness/questions/verify.ts',
  // The worker, or a rule of the workflow.
  'workflows/lifecycle/questions/begin.ts',
  'workflows/lifecycle/questions/claims.ts',
  'workflows/lifecycle/questions/ends.ts',
  'workflows/lifecycle/questions/options.ts',
  // The agent that asks.
  'workflows/playbook/questions/discuss.ts',
]

test('nothing is called recommended that nobody recommends', () => {
  const source = join(import.meta.dirname, '../../source')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
  // Who draws the mark, or keeps it, asks nothing.
  const asking = files.filter((path) => !/^(?:ui|view|run)\//.test(path))
  const marks = asking.filter((path) =>
    /recommended: (?:true|[a-z])|\brecommended\b[,)]/.test(readFileSync(join(source, path), 'utf8')),
  )
  expect(marks.sort()).toEqual(recommending)
})
