import type { Run } from '../../../run/run.js'
import { testRunText } from '../../evidence/claims/test-run.js'
import { withListed } from '../../evidence/questions.js'
import { enter } from '../opening/entry-checks.js'
import { beginStep, notePending } from '../opening/pending-commit.js'
import type { GateAnswer } from '../orders/order.js'
import { runWorker } from '../orders/worker.js'
import { qClaim, qConfirm, qWorker } from '../questions/claims.js'
import { plainGate, type StepResult, type WorkerGate } from '../results.js'
import { isRowOnly } from '../scan/detectors.js'
import { begun, decided, loopOf, retryFailed, stepEnded, stepFailed } from '../state/changes.js'
import { type LifecycleState, recordOf } from '../state/state.js'
import type { LifecycleTools } from '../tools.js'
import { clock, isElsewhere, type Leave, leaving, type StepWork, stepWork } from '../work.js'
import { stepEvidence } from './evidence.js'
import { answerTo, openGate, recordedId } from './flow-gates.js'
import { listedAt, listedSeen, listRewritten } from './listed.js'
import { settleMixed } from './mixed.js'
import { onPause } from './pause.js'
import { mayStart } from './start-gates.js'
import { settleTests, testsAtStart, testsCode } from './tests.js'

/** STEP: one step of a flow, with its retries, until it is done, has failed or is left (docs/lifecycle.md, "States"). */
export async function step(
  state: LifecycleState,
  run: Run<LifecycleState>,
  tools: LifecycleTools,
): Promise<Leave> {
  const elsewhere = await enter({ run, tools }, state)
  if (elsewhere) return elsewhere
  const work = stepWork(state, { run, tools })
  await run.step('baseline', () => beginStep(work))
  const start = await mayStart(work, recordOf(state))
  if (start.kind === 'leave') return start.leave
  if (await movedAway(work, 'before')) return unchanged
  await testsAtStart(work)
  await run.update('begun', ({ text }) => ({ text: begun(text) }))
  const { current, retryLog } = recordOf(state)
  const first =
    current.status === 'in_progress' && current.retryCount > 0 ? Math.min(3, current.retryCount + 1) : 0
  return attempts(work, {
    retry: first,
    errors: retryLog.flatMap((row) => (row.name === work.step.name ? [row.reason] : [])),
    prepareOnly: start.prepareOnly,
  })
}

interface Attempts {
  /** 0 is the first run, then the retries. */
  retry: number
  errors: string[]
  prepareOnly: boolean
}

/** The first run and its retries; a gate of the worker goes on in the same run. */
async function attempts(work: StepWork, from: Attempts): Promise<Leave> {
  const { run, tools } = work
  let { retry } = from
  const errors = [...from.errors]
  const answered = new Set<string>()
  let gateAnswer: GateAnswer | undefined
  for (let round = 1; ; round += 1) {
    const result = await runWorker(work, `work-${round}`, {
      retry: { attempt: retry, errors },
      ...(gateAnswer ? { gateAnswer } : {}),
      prepareOnly: from.prepareOnly,
    })
    gateAnswer = undefined
    if (await movedAway(work, `after-${round}`)) return unchanged
    if (result.status === 'gate' && result.gate) {
      gateAnswer = await askWorkersGate(work, round, plainGate(result.gate))
      answered.add(result.gate.id)
      if (await movedAway(work, `answered-${round}`)) return unchanged
      continue
    }
    const open = result.status === 'complete' && !from.prepareOnly ? await openGate(work, round) : null
    if (open) {
      gateAnswer = await askWorkersGate(work, round, open, [
        'The flow leaves this to you; the worker reports the step complete and has not asked.',
      ])
      answered.add(open.id)
      if (await movedAway(work, `answered-${round}`)) return unchanged
      continue
    }
    const verdict =
      result.status === 'complete'
        ? await judge(work, round, { result, answered, prepareOnly: from.prepareOnly })
        : ({ kind: 'failed', error: result.error ?? '' } as const)
    if (await movedAway(work, `judged-${round}`)) return unchanged
    if (verdict.kind === 'done') return finish(work, round, verdict.outcome)
    if (verdict.kind === 'prepared') return prepared(work, round, verdict.outcome)
    errors.push(verdict.error)
    const at = await clock(work, `failed-${round}`)
    if (retry > 0) {
      const failed = { retry, reason: verdict.error, at }
      await run.update(`failed-${round}`, ({ text }) => ({ text: retryFailed(text, work.step, failed) }))
    }
    await run.note(
      `failed-${round}`,
      `${work.step.name}: ${retry === 0 ? 'failed' : `retry ${retry} failed`}: ${verdict.error}`,
      'warning',
    )
    if (retry >= tools.flows.maxAutoRetries)
      return leaving(work, ({ text }) => ({
        text: stepFailed(text, work.step, { reason: verdict.error, at }),
      }))
    retry += 1
  }
}

/** Where the file is now is where the work goes on. */
const unchanged: Leave = { change: (latest) => latest }

async function movedAway(work: StepWork, key: string): Promise<boolean> {
  const { run, step: one } = work
  const moved = await run.step(`moved-${key}`, () => isElsewhere(work))
  if (moved)
    await run.note(
      `moved-${key}`,
      `The state file was moved away from ${one.id} ${one.name}; the work goes on where it is now.`,
      'warning',
    )
  return moved
}

const shownLines = 20

type Verdict =
  | { kind: 'done'; outcome: string }
  /** A deployment was prepared; the step stays open. */
  | { kind: 'prepared'; outcome: string }
  | { kind: 'failed'; error: string }

interface Claim {
  result: StepResult
  /** Ids of the gates of the worker that a person has answered in this visit. */
  answered: ReadonlySet<string>
  prepareOnly: boolean
}

/** A claim counts when the folders show it, or a person says so. */
async function judge(
  work: StepWork,
  round: number,
  { result, answered, prepareOnly }: Claim,
): Promise<Verdict> {
  const { run, step: one } = work
  const outcome = result.outcome ?? 'done'
  const mixed = await settleMixed(work, round, result, answered)
  if (mixed !== undefined) return { kind: 'failed', error: mixed }
  if (prepareOnly) return { kind: 'prepared', outcome }
  await listRewritten(work, `claim-${round}`)
  const listed = await listedAt(work, `claim-${round}`)
  const tested = await settleTests(work, round, listed)
  if (tested.error !== undefined) return { kind: 'failed', error: tested.error }
  if (isRowOnly(one.done)) {
    const { now } = tested
    const shown = now
      ? [testRunText(now), ...now.tail.slice(-shownLines)]
      : testsCode(one)
        ? ['This project names no test command, so autopilot has run no test itself.']
        : []
    const answer = await run.ask(
      `confirm-${round}`,
      qConfirm(
        one,
        [`The worker says: ${outcome}`, ...shown, ...withListed(listed)],
        now ? now.outcome === 'passed' : undefined,
      ),
      onPause(work),
    )
    await listedSeen(work, `confirm-${round}`)
    return answer.value === 'confirm'
      ? { kind: 'done', outcome }
      : { kind: 'failed', error: 'the result was not confirmed' }
  }
  const evidence = await run.step(`evidence-${round}`, () => stepEvidence(work))
  if (evidence.done) return { kind: 'done', outcome }
  const { answer } = await run.gate(
    `claim-${round}`,
    async () => {
      const now = await stepEvidence(work)
      if (now.done) return { subject: null, settled: 'done' }
      return { subject: null, question: qClaim(one, outcome, [...now.lines, ...withListed(listed)]) }
    },
    onPause(work),
  )
  if (answer.value === 'done') return { kind: 'done', outcome }
  if (answer.value !== 'accept')
    return { kind: 'failed', error: 'reported complete, but the project does not show it' }
  const at = await clock(work, `accepted-${round}`)
  await run.update(`accepted-${round}`, ({ text }) => ({
    text: decided(
      text,
      at,
      'Q-CLAIM',
      `${one.id} ${one.name} accepted without artifacts: ${answer.text ?? ''}`,
    ),
  }))
  return { kind: 'done', outcome: `accepted without artifacts: ${answer.text ?? ''}` }
}

/** The decision is one line of Key Decisions, and what the worker is told next. */
async function askWorkersGate(
  work: StepWork,
  round: number,
  gate: WorkerGate,
  before: readonly string[] = [],
): Promise<GateAnswer> {
  const { run, step: one } = work
  const question = qWorker(one, gate, before)
  const answer = await run.ask(`gate-${round}`, question, onPause(work))
  const at = await clock(work, `gate-${round}`)
  const chosen = question.options.find(({ value }) => value === answer.value)
  const isWords = gate.options.length === 0
  const choice = isWords ? (answer.text ?? '') : (chosen?.label.replace(/^[A-F]\) /, '') ?? answer.value)
  const note = isWords ? undefined : answer.text
  await run.update(`gate-${round}`, ({ text }) => ({
    text: decided(
      text,
      at,
      'Q-WORKER',
      `${answerTo(one, recordedId(one, gate))}${choice}${note ? ` (${note})` : ''}`,
    ),
  }))
  return { id: gate.id, choice, ...(note ? { note } : {}) }
}

/** The row first; the commit follows at the next entry and holds it. */
async function finish(work: StepWork, round: number, outcome: string): Promise<Leave> {
  const { run, tools, flow, step: one, index } = work
  const at = await clock(work, `done-${round}`)
  await run.step(`commit-${round}`, () => notePending(work, `[autopilot] Step ${one.id}: ${one.name}`))
  return leaving(work, ({ text }) => {
    const loop = loopOf(tools.flows, text)
    const told = one.repeat && loop > 1 ? `(loop ${loop}) ${outcome}` : outcome
    return { text: stepEnded(text, flow, index, { at, outcome: told }) }
  })
}

/** Asked again at the beginning of the step, since nothing has been released. */
async function prepared(work: StepWork, round: number, outcome: string): Promise<Leave> {
  const at = await clock(work, `prepared-${round}`)
  return leaving(work, ({ text }) => ({
    text: decided(text, at, 'Q-DEPLOY', `${work.step.id} ${work.step.name} prepared: ${outcome}`),
  }))
}
