import { saysNothing } from '../../../documents/says-something.js'
import { detectProject } from '../../../project/project-commands.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { lastWords, reasonOr } from '../../dispatch/last-words.js'
import type { PersonaDone } from '../../dispatch/persona.js'
import { qAgent } from '../../dispatch/questions.js'
import { areDocuments, failuresIn, judgeVerdict, otherLists } from '../../evidence/claims/verdict.js'
import { type HandoffMark, handoffMark, leftHandoff, writeSkillHandoff } from '../artifacts/handoff.js'
import { dispatchVerifier } from '../dispatches/verifier.js'
import { listedLines } from '../evidence-lines.js'
import { withEvidence } from '../execution/tests.js'
import { settleBasesOnce } from '../opening/settle-bases.js'
import { type PhaseContext, withPhase } from '../phases.js'
import { qValidate, qVerify } from '../questions/verify.js'
import type { VerificationResult } from '../results.js'
import { withDecision } from '../state/decisions.js'
import { freshRetryBudget, type HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { validationGaps, validationReason } from '../validate.js'
import { type PhaseWork, phaseWork } from '../work.js'

type Leave = Transition<HarnessState>

/** VERIFY: fast runs the validate command, the other levels an independent verifier (docs/harness.md, "Rigor"). */
export async function verify(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Leave> {
  await settleBasesOnce({ run, tools }, run.state)
  const work = phaseWork(state, run, tools)
  const { phase } = work
  if (phase.rigor !== 'fast') return verifyByAgent(work)

  const outcome = await run.step('validate', () => tools.validate(run.signal))
  switch (outcome.kind) {
    case 'pass':
      await run.note('validated', `${phase.label}: validation passed`)
      return passed(phase, false)
    case 'failed':
      return notPassed(work, validationGaps(outcome))
    default: {
      const reason = validationReason(outcome)
      const answer = await run.ask('validate', qValidate(reason))
      return answer.value === 'verifier' ? verifyByAgent(work) : skipped(work, reason)
    }
  }
}

async function verifyByAgent(work: PhaseWork): Promise<Leave> {
  const { run, tools, phase } = work
  let reason: string | undefined
  for (let round = 1; ; round += 1) {
    const before = await run.step(`before-${round}`, () => handoffMark(tools))
    const done = await dispatchVerifier(work, round, reason)
    const { result, commands, failedCommands } = done
    const contradiction = await run.step(`compare-${round}`, () => compareHandoff(work, result, before))
    if (contradiction) {
      const question = qAgent(`${phase.label}: what the verifier left does not fit`, [contradiction])
      const answer = await run.ask(`contradiction-${round}`, question)
      reason = contradiction
      if (answer.value === 'retry') continue
    }
    const tests = run.state.phases[phase.index]?.evidence?.tests?.outcome
    // What it calls a failure itself is a gap, wherever it says so.
    const said = [...failuresIn(result.evidence ?? []), ...otherLists(result)]
    const gaps = [...result.gaps, ...(result.verdict === 'pass' ? said : [])]
    const isRead = await run.step(`read-${round}`, () => canOnlyBeRead(work, commands !== undefined))
    const { verdict, why, verified } = judgeVerdict({
      verdict: result.verdict,
      gaps,
      isRead,
      ...(failedCommands === undefined ? {} : { failedCommands }),
      ...(commands === undefined ? {} : { commands }),
      ...(tests === undefined ? {} : { tests }),
    })
    const kind = verdict === 'pass' ? 'note' : 'warning'
    await run.note(`verdict-${round}`, `${phase.label}: verification ${verdict}`, kind)
    // Anything but a clear pass counts as a fail (docs/harness.md, "Settled decisions").
    if (verdict === 'pass') return passed(phase, verified)
    const told = gaps.length + why.length > 0 ? [...why, ...gaps] : unnamedGaps(done)
    return notPassed(work, verdict === 'incomplete' ? ['The verification is incomplete.', ...told] : told)
  }
}

/** What a verifier that names no gap has found all the same: in its evidence, beside it, or in its last words. */
function unnamedGaps(done: PersonaDone<VerificationResult>): string[] {
  const evidence = (done.result.evidence ?? []).filter((entry) => !saysNothing(entry))
  const failures = failuresIn(evidence)
  const told = [...(failures.length > 0 ? failures : evidence), ...otherLists(done.result)]
  const none = 'The verifier did not pass the phase and named no gap.'
  return told.length > 0
    ? [none, 'Its evidence says:', ...told]
    : `${none} ${reasonOr(undefined, lastWords(done))}`.split('\n')
}

/** Documents are read; and where no manifest says what the project is, an agent that tells no tools may have read as well. */
async function canOnlyBeRead({ tools, phase }: PhaseWork, tellsTools: boolean): Promise<boolean> {
  if (!tellsTools && (await detectProject(tools.root)).type === 'unknown') return true
  const { startCommit, planPath } = phase.record
  if (startCommit === undefined || !(await tools.git.exists(startCommit))) return false
  const changed = await tools.git.changedFrom(startCommit)
  return areDocuments(changed.filter((path) => path !== planPath && !path.startsWith('.harness/')))
}

const passing = /^(?:pass(?:ed|es|ing)?|ok|success(?:ful)?)$/i
const failing = /^fail(?:ed|s|ing|ure)?$/i

/** A word of a handoff as results have it. */
const verdictOf = (word: string) =>
  passing.test(word.trim()) ? 'pass' : failing.test(word.trim()) ? 'fail' : word.trim().toLowerCase()

const saidGaps = (gaps: readonly string[] | undefined) => (gaps ?? []).filter((gap) => !saysNothing(gap))

/** The verdict in a handoff of the same dispatch has to be the same; a missing handoff is written from the result. */
async function compareHandoff(
  { tools, phase }: PhaseWork,
  result: VerificationResult,
  before: HandoffMark,
): Promise<string | null> {
  const left = await leftHandoff(tools, 'harness-verification', before)
  if (left.kind === 'foreign') return left.problem
  const recorded = left.kind === 'own' ? left.handoff.verdict : undefined
  if (recorded !== undefined && verdictOf(recorded) !== result.verdict) {
    return `The verifier's result says ${result.verdict}, its handoff says ${recorded}.`
  }
  const gaps = left.kind === 'own' ? saidGaps(left.handoff.gaps) : []
  if (result.verdict === 'pass' && result.gaps.length === 0 && gaps.length > 0)
    return `The verifier's result names no gaps, its handoff does: ${gaps.slice(0, 3).join('; ')}`
  if (left.kind === 'own') return null
  await writeSkillHandoff(tools, {
    timestamp: tools.now().toISOString(),
    fromSkill: 'harness-verification',
    phase: 'COMPLETE',
    summary: `${phase.label}: ${result.verdict}`,
    completed: [],
    pending: [],
    concerns: result.gaps,
    decisions: [],
    blockers: [],
    contextKeywords: [],
  })
  return null
}

/** `verified`: by an independent agent, and not by our tests or the validate command alone. */
function passed(phase: PhaseContext, verified: boolean): Leave {
  return {
    change: (latest) => ({
      ...withEvidence(
        withPhase(latest, phase.index, { verification: 'pass', verificationWarnings: undefined }),
        phase.index,
        { verified },
      ),
      currentState: 'REVIEW',
    }),
  }
}

function skipped({ tools, phase }: PhaseWork, warnings: string[]): Leave {
  return {
    change: (latest) => ({
      ...withDecision(
        withPhase(latest, phase.index, { verification: 'skipped', verificationWarnings: warnings }),
        { phase: phase.index, decision: 'skipped_verification', timestamp: tools.now().toISOString() },
      ),
      currentState: 'REVIEW',
    }),
  }
}

/** The person has it fixed, or goes on to a reviewer who is warned. */
async function notPassed(work: PhaseWork, gaps: string[]): Promise<Leave> {
  const { run, phase } = work
  await run.update('failed', (latest) => withPhase(latest, phase.index, { verification: 'fail' }))
  const answer = await run.ask('verify', qVerify(gaps, listedLines(run.state, phase.index)))
  if (answer.value === 'skip') return skipped(work, gaps)
  return {
    change: (latest) => ({
      ...latest,
      fix: { source: 'verification', findings: gaps },
      retryBudget: freshRetryBudget,
      currentState: 'EXECUTE',
    }),
  }
}
