import { counted } from '../../../counted.js'
import { testCommand } from '../../../project/test-command.js'
import { readText } from '../../../project/text-files.js'
import { settleTrust } from '../../dispatch/persona.js'
import { runTestCommand } from '../../evidence/claims/run-tests.js'
import { lostTests } from '../../evidence/claims/test-files.js'
import { fewerTests, isWorse, type TestRun, testRunText, unitsOf } from '../../evidence/claims/test-run.js'
import type { Detector, FlowStep } from '../flow/flow.js'
import { beginTests, readBegun } from '../opening/pending-commit.js'
import { qTests } from '../questions/claims.js'
import { decided } from '../state/changes.js'
import { recordOf } from '../state/state.js'
import { clock, type StepWork } from '../work.js'
import { onPause } from './pause.js'

// The tests of the project, run by us, and those that are gone since a step began (docs/lifecycle.md, "Tests").

/** Steps that change code or run its tests, by their name, their skill or the reports that they leave. */
export function testsCode({ name, skill = '', done }: Pick<FlowStep, 'name' | 'skill' | 'done'>): boolean {
  const words = /^(?:implement|refactor|(?:run|execute) tests?\b|tests?-run\b)/i
  return words.test(name) || words.test(skill) || leavesReport(done)
}

function leavesReport(detector: Detector): boolean {
  if ('all' in detector) return detector.all.some(leavesReport)
  if ('any' in detector) return detector.any.some(leavesReport)
  return 'exists' in detector && /^0[34]_(?:implementation|refactoring)\//.test(detector.exists)
}

/** Runs the test command of the project; null where it has none. `key` is unique in the visit. */
async function runTests(work: StepWork, key: string): Promise<TestRun | null> {
  const { tools, run } = work
  const argv = await run.step(
    `${key}-command`,
    async () => (await testCommand(tools.root, tools.config)) ?? null,
  )
  if (argv === null) return null
  await settleTrust({ run, tools }, key)
  const ran = async () => {
    const before = (await readBegun(work))?.tests ?? undefined
    return await runTestCommand(tools, argv, run.signal, before)
  }
  return run.step(key, ran) as Promise<TestRun | null>
}

/** What the tests come to before a step that changes code; kept as long as the step is not over. */
export async function testsAtStart(work: StepWork): Promise<void> {
  const { run, step } = work
  if (!testsCode(step)) return
  const known = await run.step('tests-known', async () => (await readBegun(work))?.tests !== undefined)
  if (known) return
  const tests = await runTests(work, 'tests-before')
  await run.step('tests-begun', () => beginTests(work, tests))
  if (tests) await run.note('tests-before', `Before the work: ${testRunText(tests)}`)
}

/** The tests after a step, and why it does not count as done where the person does not take it so. */
export interface Tested {
  now: TestRun | null
  error?: string
}

/** Looks for tests that are gone, skipped or red since the step began, and asks about them. */
export async function settleTests(
  work: StepWork,
  round: number,
  listed: readonly string[] = [],
): Promise<Tested> {
  const { run, step } = work
  const key = `tests-${round}`
  const now = testsCode(step) ? await runTests(work, key) : null
  if (now) await run.note(key, testRunText(now), now.outcome === 'passed' ? 'note' : 'warning')
  const doubts = await run.step(`${key}-doubts`, () => doubtsOf(work, now))
  if (doubts.length === 0) return { now }
  const answer = await run.ask(`${key}-lost`, qTests(step, doubts, listed), onPause(work))
  if (answer.value !== 'accept') return { now, error: doubts.join('; ') }
  const at = await clock(work, key)
  await run.update(`${key}-accepted`, ({ text }) => ({
    text: doubts.reduce((latest, doubt) => decided(latest, at, 'Q-TESTS', acceptedLine(step, doubt)), text),
  }))
  return { now }
}

const acceptedLine = ({ id, name }: FlowStep, doubt: string) => `${id} ${name} accepted: ${doubt}`

async function doubtsOf(work: StepWork, now: TestRun | null): Promise<string[]> {
  const { step, run } = work
  const begun = await readBegun(work)
  const before = begun?.tests ?? undefined
  const gone = await filesLost(work, now)
  const counted = [
    ...(before && !now && testsCode(step)
      ? [`${before.command} ran before; there is no test command now.`]
      : []),
    ...(now ? fewerTests(before, now, 'step') : []),
  ]
  const doubts = [
    ...gone.unplanned,
    // A smaller number that planned removals account for is no question of its own.
    ...(gone.planned > 0 && gone.unplanned.length === 0 ? [] : counted),
    // Run Tests shows its run at its own gate.
    ...(now && !('row' in step.done) && isWorse(before, now) ? [redText(now)] : []),
  ]
  const { decisions } = recordOf(run.state)
  return doubts.filter((doubt) => !decisions.some((line) => line.endsWith(acceptedLine(step, doubt))))
}

/** Without its duration, so that the same result is the same line. */
const redText = ({ command, outcome, counts, hung }: TestRun) =>
  `${command} ${outcome === 'failed' ? 'does not pass' : hung ? 'did not end in its time' : 'could not run'}${counts ? `: ${counts.failed} of ${counted(counts.executed, 'test')} ${counts.failed === 1 ? 'fails' : 'fail'}` : ''}.`

/** Test files that lost something since the step began; what tasks of that time speak of is planned. */
async function filesLost(
  work: StepWork,
  now: TestRun | null,
): Promise<{ unplanned: string[]; planned: number }> {
  const { tools } = work
  const begun = await readBegun(work)
  const start = begun?.start
  if (!start || !(await tools.git.exists(start))) return { unplanned: [], planned: 0 }
  const before = new Set(
    begun.dirty.filter(({ path }) => begun.decided[path] !== 'include').map(({ path }) => path),
  )
  const read = (path: string) => readText(tools, path)
  const lost = await lostTests(tools.git, {
    start,
    read,
    plan: await tasksAt(work, start),
    units: unitsOf(begun.tests, now),
  })
  const ours = lost.filter(({ path }) => !before.has(path))
  return {
    unplanned: ours.filter(({ planned }) => !planned).map(({ text }) => text),
    planned: ours.filter(({ planned }) => planned).length,
  }
}

/** Texts of the task files as they were when the step began: what a worker writes meanwhile plans nothing. */
export async function tasksAt({ tools }: StepWork, start: string): Promise<string> {
  const paths = (await tools.git.pathsAt(start)).filter((path) =>
    /^_docs\/02_tasks\/(?:todo|done)\/[^/]+\.md$/i.test(path),
  )
  const texts = await Promise.all(paths.map((path) => tools.git.textAt(start, path)))
  return texts.map((text, at) => `## ${paths[at] ?? ''}\n${text ?? ''}`).join('\n')
}
