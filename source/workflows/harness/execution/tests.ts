import { createHash } from 'node:crypto'
import { readText } from '../../../project/text-files.js'
import { settleTrust } from '../../dispatch/persona.js'
import { linesLost } from '../../evidence/claims/lines-lost.js'
import { rewrittenTests } from '../../evidence/claims/rewritten-tests.js'
import { runTestCommand } from '../../evidence/claims/run-tests.js'
import { isTestFile, type LostTests, lostTests } from '../../evidence/claims/test-files.js'
import { isWorse, type TestRun, testRunText, unitsOf } from '../../evidence/claims/test-run.js'
import { workMark } from '../../evidence/claims/work-mark.js'
import { qTests, qTestsRed, withListed } from '../../evidence/questions.js'
import { listedLines } from '../evidence-lines.js'
import { withPhase } from '../phases.js'
import type { HarnessState, PhaseEvidence } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import type { PhaseWork } from '../work.js'
import { isAccepted, recordAccepted } from './completion.js'
import type { ExecutorOrder, Round } from './orders.js'
import type { PlanWork } from './plan-work.js'

// The tests of the project, run by us: as the phase begins, and after its work (docs/evidence.md, "Tests").

/** A copy of the state with more known of a phase (0-based). */
export function withEvidence(
  state: HarnessState,
  index: number,
  change: Partial<PhaseEvidence>,
): HarnessState {
  const before: PhaseEvidence = state.phases[index]?.evidence ?? { tasks: {} }
  return withPhase(state, index, { evidence: { ...before, ...change } })
}

/** Runs the test command of the project once; null where it has none. `key` is unique in the visit, `before` an earlier run. */
export async function runTests(
  { run, tools }: Pick<PhaseWork, 'run' | 'tools'>,
  key: string,
  before?: TestRun,
): Promise<{ tests: TestRun | null; tree: string }> {
  const argv = await run.step(`${key}-command`, async () => (await tools.testCommand?.()) ?? null)
  if (argv !== null) await settleTrust({ run, tools }, key)
  return run.step(key, async () => {
    const tree = await treeNow(tools)
    if (argv === null) return { tests: null, tree }
    return { tests: await runTestCommand(tools, argv, run.signal, before), tree }
  }) as Promise<{ tests: TestRun | null; tree: string }>
}

async function treeNow(tools: HarnessTools): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify(await workMark(tools.git)))
    .digest('hex')
}

/** What the tests come to before anything is done; the last run of the phase before counts on the same work tree. */
export async function testsAtStart(work: PlanWork): Promise<void> {
  const { run, phase, tools, state } = work
  if (phase.record.evidence?.testsBefore !== undefined || state.fix) return
  const known = await run.step('tests-known', async () => {
    const last = state.phases.findLast((one) => one.evidence?.tests)?.evidence
    const fits = last?.testedTree !== undefined && last.testedTree === (await treeNow(tools))
    return fits ? (last.tests ?? null) : null
  })
  const tests = known ?? (await runTests(work, 'tests-before')).tests
  await run.update('tests-before', (latest) =>
    withEvidence(withoutUnits(latest, phase.index), phase.index, { testsBefore: tests as TestRun }),
  )
  if (tests) await run.note('tests-before', `Before the work: ${testRunText(tests as TestRun)}`)
}

/** Which tests the runs of other phases named is not compared any more, and the state is written at every transition. */
export function withoutUnits(state: HarnessState, index: number): HarnessState {
  const bare = (run: TestRun | null | undefined) => {
    if (!run) return run
    const { units: _, ...rest } = run
    return rest
  }
  const phases = state.phases.map((one, at) => {
    const { evidence } = one
    if (at === index || !(evidence?.tests?.units || evidence?.testsBefore?.units)) return one
    const [testsBefore, tests] = [bare(evidence.testsBefore), bare(evidence.tests)]
    return {
      ...one,
      evidence: { ...evidence, ...(testsBefore ? { testsBefore } : {}), ...(tests ? { tests } : {}) },
    }
  })
  return { ...state, phases }
}

/** Runs the tests after the work. Returns the order that follows; undefined where nothing is left to ask. */
export async function settleTests(work: PlanWork, round: Round): Promise<ExecutorOrder | undefined> {
  const { run, phase } = work
  const key = `tests-${round.number}`
  const before = run.state.phases[phase.index]?.evidence?.testsBefore ?? undefined
  const { tests, tree } = await runTests(work, key, before)
  await run.update(key, (latest) =>
    withEvidence(latest, phase.index, { tests: tests as TestRun, testedTree: tree }),
  )
  if (tests) await run.note(key, testRunText(tests), tests.outcome === 'passed' ? 'note' : 'warning')
  await listRewritten(work, key)
  const lost = await settleLostTests(work, round, { before, now: tests })
  if (lost) return lost
  return tests && isWorse(before, tests) ? redTests(work, round, tests) : undefined
}

/** What tests are held to now, where that is another than before: for the next gates. */
async function listRewritten({ run, phase, tools }: PlanWork, key: string): Promise<void> {
  const lines = await run.step(`${key}-rewritten`, async () => {
    const { startCommit } = phase.record
    if (startCommit === undefined || !(await tools.git.exists(startCommit))) return []
    const read = (path: string) => readText(tools, path)
    return await rewrittenTests(tools.git, { start: startCommit, read })
  })
  const known = run.state.phases[phase.index]?.evidence?.rewritten ?? []
  if (JSON.stringify(known) === JSON.stringify(lines)) return
  await run.update(`${key}-rewritten`, (latest) =>
    withEvidence(latest, phase.index, { rewritten: [...lines] }),
  )
  if (lines.length > 0)
    await run.note(`${key}-rewritten`, `Tests rewritten with the code: ${lines.join('; ')}`, 'warning')
}

/** What an agent is told of a red run. */
export const redFinding = ({ command, tail }: TestRun) =>
  `The tests do not pass: ${command}\n${tail.join('\n')}`

/** Red: an order to fix them, and the second time the person. */
async function redTests(work: PlanWork, round: Round, tests: TestRun): Promise<ExecutorOrder | undefined> {
  const text = testRunText(tests)
  const order: ExecutorOrder = {
    kind: 'fix',
    source: 'tests',
    findings: [redFinding(tests)],
  }
  // Tests that hang are not waited for twice before somebody hears of it.
  if (!tests.hung && (round.order.kind !== 'fix' || round.order.source !== 'tests')) return order
  const key = `tests-red-${round.number}`
  const suspects = tests.hung ? await work.run.step(`${key}-of`, () => changedTests(work)) : []
  const tail = [...suspects, ...tests.tail, ...withListed(listedLines(work.run.state, work.phase.index))]
  const answer = await work.run.ask(key, qTestsRed(work.phase.label, text, tail))
  if (answer.value === 'fix') return order
  await recordAccepted(work, `${key}-accepted`, 'accepted_red_tests', [text])
  return undefined
}

/** Where a run that does not end may hang. */
async function changedTests({ tools, phase }: PlanWork): Promise<string[]> {
  const { startCommit } = phase.record
  if (startCommit === undefined || !(await tools.git.exists(startCommit))) return []
  const changed = (await tools.git.changedFrom(startCommit)).filter(isTestFile)
  return changed.length === 0 ? [] : [`Test files of this phase: ${changed.slice(0, 12).join(', ')}`]
}

/** Tests that are gone, skipped or not executed any more, unless the plan speaks of it. */
async function settleLostTests(
  work: PlanWork,
  round: Round,
  runs: { before: TestRun | undefined; now: TestRun | null },
): Promise<ExecutorOrder | undefined> {
  const { run, phase } = work
  const key = `tests-lost-${round.number}`
  const files = (await run.step(key, () => filesLost(work, runs))) as LostTests[]
  const listed = files.filter(({ planned }) => planned).map(({ text }) => text)
  const open = linesLost(files, runs).filter((line) => !isAccepted(work, line))
  if (listed.length > 0) await run.note(key, `Tests that the plan takes away: ${listed.join('; ')}`)
  if (open.length === 0) return undefined
  const rewritten = listedLines(run.state, phase.index)
  const answer = await run.ask(key, qTests(phase.label, open, listed, rewritten))
  if (answer.value === 'fix') {
    return { kind: 'fix', source: 'tests', findings: open.map((line) => `Put the tests back: ${line}`) }
  }
  await recordAccepted(work, `${key}-accepted`, 'accepted_fewer_tests', open)
  return undefined
}

async function filesLost(
  { tools, phase, plan }: PlanWork,
  { before, now }: { before: TestRun | undefined; now: TestRun | null },
): Promise<LostTests[]> {
  const { startCommit } = phase.record
  if (startCommit === undefined || !(await tools.git.exists(startCommit))) return []
  const read = (path: string) => readText(tools, path)
  return lostTests(tools.git, { start: startCommit, read, plan, units: unitsOf(before, now) })
}
