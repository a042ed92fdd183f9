import {
  criteriaOutcomes,
  failureText,
  projectChecks,
  redChecks,
  specOutcomes,
  specReport,
} from '../checks.js'
import { outcomeText, reportsOf } from '../criteria/run-criterion.js'
import { againstPass } from '../decisions/against-itself.js'
import { pathLine } from '../integrity/facts.js'
import type { FileFindings, Verified } from '../opinions.js'
import type { CommandReport, OrderCriterion } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import type { PhasePlan } from '../plans.js'
import { moveVerificationAside } from '../records/verification.js'
import type { VerificationResult, VisualResult } from '../results.js'
import { type CommandsTold, send } from '../send.js'
import { categoryOfCheck, isCategory } from '../taxonomy.js'
import { visualFailures } from '../visual/visual-checks.js'
import { subjectOf } from '../work.js'
import { toldMadeUp } from './citations.js'
import { failedStep, note, type Outcome } from './failure.js'
import { settleFallenPhases } from './fallen-phases.js'
import { fileFindings } from './file-findings.js'
import { listRewritten, settleLostTests } from './lost-tests.js'
import { runStep } from './step.js'
import { lookAtScreens, pictureReports, settleScreens } from './visual.js'

export interface VerifyWish {
  plan: PhasePlan
  criteria: readonly OrderCriterion[]
  /** What triage saw hold, where nothing else was done. */
  triageEvidence: readonly CommandReport[] | undefined
  /** Nobody is sent to mend what is red any more. */
  isLast: boolean
}

export const diffCommandOf = ({ input }: Pass) => `git diff ${input.checkpoint}..HEAD`

/** 7 VERIFY: every command by the program itself, then a verifier who hears nothing of what the executor says. */
export function verify(pass: Pass, wish: VerifyWish): Promise<Outcome<{ verified: Verified }>> {
  return runStep<'verify', Outcome<{ verified: Verified }>>(pass, 'verify', async () => {
    const { run, at, facts, input, tools } = pass
    pass.log.steps.verify.agent_spawned = true
    await run.step(`${at}verification-aside`, () => moveVerificationAside(pass))
    const own = await ownChecks(pass, wish)
    const screens = await lookAtScreens(pass, 'verify-visual')
    const from = await run.step(`${at}verify-from`, () => tools.now().getTime())
    const sent = await send(
      pass,
      'verification',
      {
        planPaths: wish.plan.paths,
        criteria: wish.criteria,
        lastCheckpointSha: input.checkpoint,
        diffCommand: diffCommandOf(pass),
        commandResults: [...own.reports, ...pictureReports(screens)],
        ...(wish.triageEvidence === undefined ? {} : { triageEvidence: wish.triageEvidence }),
        ...(input.enforcement === undefined ? {} : { enforcement: input.enforcement }),
      },
      { key: 'verify', title: `Verify ${subjectOf(pass)}: ${facts.name}` },
    )
    if (!sent.ok)
      return failedStep(pass, 'verify', {
        ok: false,
        failure: `verify: ${sent.message}`,
        category: sent.category,
      })
    const to = await run.step(`${at}verify-to`, () => tools.now().getTime())
    const visual = await settleScreens(pass, screens, sent.result.visual_test_results)
    const seconds = Math.max(0, Math.round((to - from) / 1000))
    const unfounded = await unfoundedOf(pass, sent.result)
    const verified = judged(pass, own, {
      result: sent.result,
      unfounded,
      visual,
      seconds,
      told: commandsTold(sent),
    })
    pass.log.steps.verify.status = verified.passed ? 'pass' : 'fail'
    return {
      result: { ok: true, verified },
      end: {
        record: {
          status: verified.passed ? 'pass' : 'fail',
          automated: {
            compile: verified.automated.compile,
            tests: verified.automated.test,
            lint: verified.automated.lint,
            build: verified.automated.build,
          },
          scope_creep: sent.result.scope_creep,
        },
        mark: verified.passed ? 'pass' : 'fail',
        failed: !verified.passed,
        more: verified.failures[0] ?? '',
        change: (phase) => ({
          ...phase,
          automated_checks: { ...phase.automated_checks, ...verified.automated },
        }),
      },
    }
  })
}

type OwnChecks = Pick<Verified, 'checks' | 'criteria' | 'specs' | 'files' | 'reports' | 'failing'> & {
  /** What is red, in words. */
  red: string[]
}

async function ownChecks(pass: Pass, wish: VerifyWish): Promise<OwnChecks> {
  const { run, at } = pass
  const checks = await projectChecks(pass, 'verify-check')
  const criteria = await criteriaOutcomes(pass, 'verify-criterion', wish.criteria)
  const specs = await specOutcomes(
    pass,
    'verify',
    wish.plan.tasks.map(({ id }) => id),
  )
  await listRewritten(pass, wish.plan)
  const gone = await settleLostTests(pass, { plan: wish.plan, now: checks.test.tests, isLast: wish.isLast })
  const fallen = await settleFallenPhases(pass, wish)
  const files = (await run.step(`${at}verify-files`, () => fileFindings(pass))) as FileFindings
  const ran = Object.values(checks).flatMap(({ report }) => report ?? [])
  const broken = criteria.filter(({ status }) => status === 'fail')
  const redSpecs = specs.map(specReport).filter(({ assessment }) => assessment !== 'pass')
  return {
    checks,
    criteria,
    specs,
    files,
    reports: [...ran, ...reportsOf(criteria), ...specs.map(specReport)],
    failing: [...redChecks(checks), ...reportsOf(broken), ...redSpecs],
    red: [
      ...redChecks(checks).map(failureText),
      ...broken.map(outcomeText),
      ...redSpecs.map(failureText),
      ...gone.map((line) => `Tests are gone: ${line}`),
      ...fallen.map((line) => `Earlier work is gone: ${line}`),
      ...files.faults,
      ...files.orphans,
    ],
  }
}

/** Evidence that names files and lines which are not there shows nothing, and is told. */
function unfoundedOf(pass: Pass, { criteria_results: results }: VerificationResult): Promise<string[]> {
  return toldMadeUp(
    pass,
    'verify-cited',
    results.map(({ evidence }) => evidence),
    (made) => `VERIFY: the evidence names what is not there: ${made.join('; ')}`,
  )
}

interface Seen {
  result: VerificationResult
  unfounded: string[]
  visual: VisualResult | undefined
  seconds: number
  told: CommandsTold
}

const commandsTold = ({ commands, failedCommands }: CommandsTold): CommandsTold => ({
  ...(commands === undefined ? {} : { commands }),
  ...(failedCommands === undefined ? {} : { failedCommands }),
})

/** No word of the verifier overrides a red command; its own doubts count too. */
function judged(pass: Pass, own: OwnChecks, { result, unfounded, visual, seconds, told }: Seen): Verified {
  const faults = visual === undefined ? [] : visualFailures(visual)
  const doubted = result.criteria_results.filter(({ status }) => status === 'failed')
  const against = againstPass(result, own.checks)
  const failures = [
    ...own.red,
    ...faults,
    ...doubted.map(({ criterion, evidence }) => `${criterion}: ${evidence}`),
    ...result.failures,
    ...against,
  ]
  const passed =
    own.red.length === 0 &&
    faults.length === 0 &&
    result.pass &&
    doubted.length === 0 &&
    result.failures.length === 0 &&
    against.length === 0
  noteFailures(pass, own, result, passed ? [] : failures)
  pass.log.commandsRun.push(
    ...own.reports.map(({ command, assessment }) => `${command} -> ${assessment}`),
    ...result.commands_run,
  )
  pass.log.filesChecked.push(
    ...result.criteria_results.flatMap(({ criterion, evidence }) =>
      pathLine.test(evidence) && !unfounded.includes(evidence) ? [`${evidence} -- ${criterion}`] : [],
    ),
  )
  const { checks } = own
  return {
    ...own,
    passed,
    automated: {
      compile: checks.compile.status,
      build: checks.build.status,
      lint: checks.lint.status,
      test: checks.test.status,
    },
    failures: passed ? [] : failures.length > 0 ? failures : ['the verifier does not let it pass'],
    result,
    unfounded,
    ...(visual === undefined ? {} : { visual }),
    seconds,
    told,
  }
}

function noteFailures(
  pass: Pass,
  own: OwnChecks,
  result: VerificationResult,
  failures: readonly string[],
): void {
  for (const [name, { status }] of Object.entries(own.checks))
    if (status === false) note(pass, 'verify', { failure: `${name} fails`, category: categoryOfCheck(name) })
  const told = new Map(result.failure_categories.map(({ failure, category }) => [failure, category]))
  const checks = redChecks(own.checks).map(failureText)
  for (const failure of failures.filter((one) => !checks.includes(one))) {
    const category = told.get(failure) ?? ''
    note(pass, 'verify', { failure, category: isCategory(category) ? category : 'acceptance_criteria_unmet' })
  }
}
