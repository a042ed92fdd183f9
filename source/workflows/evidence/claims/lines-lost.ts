import type { LostTests } from './test-files.js'
import { fewerTests, type TestRun } from './test-run.js'

/** What is gone, line by line, by the files and by the counts. Pure. */
export function linesLost(
  files: readonly LostTests[],
  { before, now }: { before: TestRun | undefined; now: TestRun | null },
): string[] {
  const unplanned = files.filter(({ planned }) => !planned).map(({ text }) => text)
  const counted = [
    ...(before && !now ? [`${before.command} ran before; there is no test command now.`] : []),
    ...(now ? fewerTests(before, now) : []),
  ]
  // A smaller number that the removals of the plan account for is no question of its own.
  return [...unplanned, ...(files.length > 0 && unplanned.length === 0 ? [] : counted)]
}
