import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { commonBrief, dispatchPersona, phaseFields } from '../../dispatch/dispatch.js'
import { qAgent } from '../../dispatch/questions.js'
import { findHandoff, writeSkillHandoff } from '../artifacts/handoff.js'
import { withDecision } from '../decisions.js'
import { verifierPrompt } from '../personas/verifier.js'
import { currentPhase, type PhaseContext, withPhase } from '../phases.js'
import { qValidate, qVerify } from '../questions/verify.js'
import { type VerificationResult, verificationResultSchema } from '../results.js'
import { freshRetryBudget, type HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import type { ValidateOutcome } from '../validate.js'

type Leave = Transition<HarnessState>

/** VERIFY: fast runs the validate command, the other levels an independent verifier (section 1.5). */
export async function verify(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Leave> {
  const context = currentPhase(state)
  if (context.rigor !== 'fast') return verifyByAgent(run, tools, context)

  const outcome = await run.step('validate', () => tools.validate(run.signal))
  switch (outcome.kind) {
    case 'pass':
      await run.note('validated', `${context.label}: validation passed`)
      return passed(context)
    case 'failed':
      return notPassed(run, tools, context, validationGaps(outcome))
    default: {
      const answer = await run.ask('validate', qValidate(validationReason(outcome)))
      if (answer.value === 'verifier') return verifyByAgent(run, tools, context)
      return skipped(tools, context, validationReason(outcome))
    }
  }
}

export function validationGaps(outcome: Extract<ValidateOutcome, { kind: 'failed' }>): string[] {
  return outcome.issues.map((issue) =>
    [
      issue.file ? `${issue.file}:` : '',
      `${issue.check}: ${issue.message}`,
      issue.suggestion ? `(${issue.suggestion})` : '',
    ]
      .filter(Boolean)
      .join(' '),
  )
}

/** Why a validation says nothing about the project (section 2.10). */
export function validationReason(outcome: Exclude<ValidateOutcome, { kind: 'pass' | 'failed' }>): string[] {
  switch (outcome.kind) {
    case 'cannot-run':
      return [`It cannot run here: ${outcome.reason}`]
    case 'unavailable':
      return [`Checks that are not available: ${outcome.checks.join(', ')}`]
    case 'not-installed':
      return ['No `harness` command is installed and the configuration names no validate command.']
  }
}

async function verifyByAgent(
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
): Promise<Leave> {
  for (let round = 1; ; round += 1) {
    const before = await run.step(`before-${round}`, () => tools.now().toISOString())
    const result = await dispatchVerifier(run, tools, context, round)
    const { verdict, gaps } = result
    const contradiction = await run.step(`compare-${round}`, () =>
      compareHandoff(tools, context, result, before),
    )
    if (contradiction) {
      const answer = await run.ask(
        `contradiction-${round}`,
        qAgent(`${context.label}: two verdicts`, [contradiction], false),
      )
      if (answer.value === 'retry') continue
    }
    await run.note(
      `verdict-${round}`,
      `${context.label}: verification ${verdict}`,
      verdict === 'pass' ? 'note' : 'warning',
    )
    // Anything but a clear pass counts as a fail (section 5.1).
    return verdict === 'pass'
      ? passed(context)
      : notPassed(
          run,
          tools,
          context,
          verdict === 'incomplete' ? ['The verification is incomplete.', ...gaps] : gaps,
        )
  }
}

async function dispatchVerifier(
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
  round: number,
) {
  const from = context.phase.startCommit
  return dispatchPersona<VerificationResult>(run, tools, `verifier-${round}`, {
    persona: 'harness-verifier',
    title: `Verify ${context.label}`,
    attempt: round,
    phase: context.number,
    expects: verificationResultSchema,
    access: 'read',
    failedTitle: `${context.label}: the verification did not succeed`,
    brief: {
      ...(await commonBrief(tools, context)),
      planPath: context.phase.planPath,
      expects: 'verification',
      ...(from ? { diffBase: from } : {}),
    },
    prompt: (begin) =>
      verifierPrompt({
        ...phaseFields(tools, context, begin),
        planPath: context.phase.planPath ?? '',
        ...(from ? { startCommit: from } : {}),
      }),
  })
}

/** The verdict in a handoff of the same dispatch has to be the same; a missing handoff is written from the result. */
async function compareHandoff(
  tools: HarnessTools,
  context: PhaseContext,
  result: VerificationResult,
  before: string,
): Promise<string | null> {
  const found = await findHandoff(tools, 'harness-verification', before)
  const recorded = found?.fresh ? found.handoff.verdict : undefined
  if (recorded !== undefined && recorded.toLowerCase() !== result.verdict) {
    return `The verifier's result says ${result.verdict}, its handoff says ${recorded}.`
  }
  if (!found?.fresh) {
    await writeSkillHandoff(tools, {
      timestamp: tools.now().toISOString(),
      fromSkill: 'harness-verification',
      phase: 'COMPLETE',
      summary: `${context.label}: ${result.verdict}`,
      completed: [],
      pending: [],
      concerns: result.gaps,
      decisions: [],
      blockers: [],
      contextKeywords: [],
    })
  }
  return null
}

function passed(context: PhaseContext): Leave {
  return {
    change: (latest) => ({
      ...withPhase(latest, context.index, { verification: 'pass', verificationWarnings: undefined }),
      currentState: 'REVIEW',
    }),
  }
}

function skipped(tools: HarnessTools, context: PhaseContext, warnings: string[]): Leave {
  return {
    change: (latest) => ({
      ...withDecision(
        withPhase(latest, context.index, { verification: 'skipped', verificationWarnings: warnings }),
        { phase: context.index, decision: 'skipped_verification', timestamp: tools.now().toISOString() },
      ),
      currentState: 'REVIEW',
    }),
  }
}

async function notPassed(
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
  gaps: string[],
): Promise<Leave> {
  await run.update('failed', (latest) => withPhase(latest, context.index, { verification: 'fail' }))
  const answer = await run.ask('verify', qVerify(gaps))
  if (answer.value === 'skip') return skipped(tools, context, gaps)
  return {
    change: (latest) => ({
      ...latest,
      fix: { source: 'verification', findings: gaps },
      retryBudget: freshRetryBudget,
      currentState: 'EXECUTE',
    }),
  }
}
