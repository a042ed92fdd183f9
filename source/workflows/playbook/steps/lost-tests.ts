import { readText } from '../../../project/text-files.js'
import { linesLost } from '../../evidence/claims/lines-lost.js'
import { rewrittenTests } from '../../evidence/claims/rewritten-tests.js'
import { type LostTests, lostTests } from '../../evidence/claims/test-files.js'
import type { TestRun } from '../../evidence/claims/test-run.js'
import { weakerScripts } from '../../evidence/claims/test-script.js'
import { qTests } from '../../evidence/questions.js'
import { projectCheck, testsBefore } from '../checks.js'
import { executedFiles } from '../criteria/executed-files.js'
import { neverFails } from '../criteria/lint.js'
import type { Pass } from '../pass.js'
import { allCriteria, type PhasePlan } from '../plans.js'
import { tell } from '../progress.js'
import { acceptedTests, withAcceptedTests } from '../state/decisions.js'
import { listedLines, listedOf, listKeys } from '../state/listed.js'
import { rootOf, savePhase } from '../work.js'
import { settleGone } from './gone.js'

// Tests that are gone since the phase began (docs/playbook-checks.md, "Tests that are gone").

/** What the tests come to before anything is done, once in a phase; a part has the count of its phase. */
export async function testsAtStart(pass: Pass): Promise<void> {
  const { run, facts, tools, input } = pass
  if (tools.commands().test === null || input.remediation !== undefined) return
  const known = await run.step(`${pass.at}tests-known`, () => testsBefore(run.state, facts.id) !== undefined)
  if (known || input.parts !== undefined) return
  const { tests } = await projectCheck(pass, 'tests-before', 'test')
  if (tests !== undefined)
    await savePhase(pass, 'tests-before-kept', (phase) => ({
      ...phase,
      tests_before: { ...tests, phase: facts.id },
    }))
}

/** One look at the tests: what there is now, and whether nobody is sent to mend it any more. */
export interface TestsLook {
  plan: PhasePlan
  now: TestRun | undefined
  isLast: boolean
}

/** Tests that are gone and that nobody has accepted. */
export async function settleLostTests(pass: Pass, { plan, now, isLast }: TestsLook): Promise<string[]> {
  const { run, facts, at } = pass
  const files = (await run.step(`${at}tests-lost`, () => filesLost(pass, plan))) as LostTests[]
  const accepted = await run.step(`${at}tests-accepted`, () => acceptedTests(run.state, facts.id))
  const listed = files.filter(({ planned }) => planned).map(({ text }) => text)
  if (listed.length > 0)
    await tell(pass, 'tests-planned', `Tests that the plan takes away: ${listed.join('; ')}`)
  const before = await run.step(`${at}tests-counted`, () => testsBefore(run.state, facts.id) ?? null)
  const runs = { before: (before as TestRun | null) ?? undefined, now: now ?? null }
  const open = linesLost(files, runs).filter((line) => !accepted.includes(line))
  const label = `Phase ${facts.id}: ${facts.name}`
  return await settleGone(pass, open, {
    key: 'tests',
    isLast,
    question: qTests(label, open, listed, listedLines(run.state, facts.id)),
    accepted: (state, time) => withAcceptedTests(state, facts.id, open, time),
  })
}

/** What tests are held to now, where that is another than when the phase began: for the next gates and the report. */
export async function listRewritten(pass: Pass, plan: PhasePlan): Promise<void> {
  const { run, facts, at, git, input } = pass
  const lines = await run.step(`${at}tests-rewritten`, async () => {
    if (!(await git.exists(input.checkpoint))) return []
    const read = (path: string) => readText(rootOf(pass), path)
    const now = { start: input.checkpoint, read }
    return [...(await rewrittenTests(git, now)), ...(await changedScripts(pass, plan))]
  })
  if (JSON.stringify(listedOf(run.state, facts.id, 'tests')) === JSON.stringify(lines)) return
  await savePhase(pass, 'tests-rewritten-kept', (phase) => ({ ...phase, [listKeys.tests]: [...lines] }))
  if (lines.length > 0)
    await tell(pass, 'tests-rewritten-told', `Tests rewritten with the code: ${lines.join('; ')}`, 'warning')
}

/** What criteria execute, and the work has changed although no task names it: it may say now what it is to say. */
async function changedScripts({ git, input }: Pass, plan: PhasePlan): Promise<string[]> {
  const named = new Set(plan.tasks.flatMap(({ files }) => files))
  const executed = allCriteria(plan).flatMap(({ text, commands }) =>
    commands.flatMap((command) => executedFiles(command).map((path) => ({ text, path }))),
  )
  if (executed.length === 0) return []
  const before = new Set(await git.pathsAt(input.checkpoint))
  const changed = new Set(await git.changedFrom(input.checkpoint))
  const lines = executed
    .filter(({ path }) => before.has(path) && changed.has(path) && !named.has(path))
    .map(({ text, path }) => `"${text}" is shown by ${path}, which was changed, and no task names it`)
  return [...new Set(lines)]
}

async function filesLost(pass: Pass, plan: PhasePlan): Promise<LostTests[]> {
  const { git, input } = pass
  if (!(await git.exists(input.checkpoint))) return []
  const read = (path: string) => readText(rootOf(pass), path)
  const texts = await Promise.all(plan.paths.map((path) => read(path).catch(() => undefined)))
  const now = { start: input.checkpoint, read, plan: texts.join('\n') }
  return [...(await lostTests(git, now)), ...(await weakerScripts(git, now, neverFails))]
}
