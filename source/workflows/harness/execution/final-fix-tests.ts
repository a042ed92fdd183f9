import { readText } from '../../../project/text-files.js'
import { linesLost } from '../../evidence/claims/lines-lost.js'
import { rewrittenTests } from '../../evidence/claims/rewritten-tests.js'
import { type LostTests, lostTests } from '../../evidence/claims/test-files.js'
import { isWorse, type TestRun, testRunText, unitsOf } from '../../evidence/claims/test-run.js'
import type { WorkMark } from '../../evidence/claims/work-mark.js'
import { qTests, qTestsRed } from '../../evidence/questions.js'
import type { Finding } from '../state/state.js'
import type { PhaseWork } from '../work.js'
import { isAccepted, recordAccepted } from './completion.js'
import { redFinding, runTests, withEvidence } from './tests.js'

// Whoever mends what the final review has found is an executor like any other: its work is tested (docs/evidence.md, "Tests").

export interface FinalFix {
  /** 1-based; part of the keys. */
  round: number
  /** Where the work tree stood before the first dispatch of this cycle. */
  mark: WorkMark
  findings: readonly Finding[]
  /** The dispatch before left red tests, and this one was told. */
  wasRed: boolean
}

export type FinalTests =
  | { kind: 'settled' }
  /** What the agent is told of it. */
  | { kind: 'again'; red: boolean; doubts: string[] }

const label = 'Final review'

/** Runs the tests after a fix and holds them against the last run of the phases. What is worse goes back, or is asked. */
export async function settleFinalTests(work: PhaseWork, fix: FinalFix): Promise<FinalTests> {
  const { run } = work
  const key = `fix-tests-${fix.round}`
  const before = run.state.phases.findLast(({ evidence }) => evidence?.tests)?.evidence?.tests ?? undefined
  const { tests: now } = await runTests(work, key, before)
  if (now) await run.note(key, testRunText(now), now.outcome === 'passed' ? 'note' : 'warning')
  await listRewritten(work, fix, key)
  const lost = await settleLost(work, fix, { before, now })
  if (lost) return { kind: 'again', red: false, doubts: lost }
  return now && isWorse(before, now) ? await settleRed(work, fix, now) : { kind: 'settled' }
}

/** What tests are held to now stands with what the last phase has rewritten. */
async function listRewritten({ run, tools }: PhaseWork, { mark }: FinalFix, key: string): Promise<void> {
  const lines = await run.step(`${key}-rewritten`, async () => {
    if (mark.head === null || !(await tools.git.exists(mark.head))) return []
    return await rewrittenTests(tools.git, { start: mark.head, read: (path) => readText(tools, path) })
  })
  if (lines.length === 0) return
  await run.update(`${key}-rewritten`, (latest) => {
    const last = latest.phases.length - 1
    const known = latest.phases[last]?.evidence?.rewritten ?? []
    return withEvidence(latest, last, { rewritten: [...new Set([...known, ...lines])] })
  })
}

async function settleLost(
  work: PhaseWork,
  { round, mark, findings }: FinalFix,
  runs: { before: TestRun | undefined; now: TestRun | null },
): Promise<string[] | undefined> {
  const { run, tools } = work
  const key = `fix-tests-lost-${round}`
  const files = (await run.step(key, async () => {
    if (mark.head === null || !(await tools.git.exists(mark.head))) return []
    const read = (path: string) => readText(tools, path)
    const units = unitsOf(runs.before, runs.now)
    return await lostTests(tools.git, { start: mark.head, read, plan: wanted(findings), units })
  })) as LostTests[]
  const open = linesLost(files, runs).filter((line) => !isAccepted(work, line))
  if (open.length === 0) return undefined
  const planned = files.filter((file) => file.planned).map(({ text }) => text)
  const answer = await run.ask(key, qTests(label, open, planned))
  if (answer.value === 'fix') return open.map((line) => `Put the tests back: ${line}`)
  await recordAccepted(work, `${key}-accepted`, 'accepted_fewer_tests', open)
  return undefined
}

/** What a reviewer wants to have taken away is planned. */
const wanted = (findings: readonly Finding[]) =>
  findings.map(({ file, title, rationale }) => `### ${file}\n${title}\n${rationale ?? ''}`).join('\n')

/** Red: the agent is told, and the second time the person. */
async function settleRed(work: PhaseWork, { round, wasRed }: FinalFix, now: TestRun): Promise<FinalTests> {
  const again: FinalTests = { kind: 'again', red: true, doubts: [redFinding(now)] }
  if (!wasRed && !now.hung) return again
  const key = `fix-tests-red-${round}`
  const text = testRunText(now)
  const answer = await work.run.ask(key, qTestsRed(label, text, now.tail, 'review'))
  if (answer.value === 'fix') return again
  await recordAccepted(work, `${key}-accepted`, 'accepted_red_tests', [text])
  return { kind: 'settled' }
}
