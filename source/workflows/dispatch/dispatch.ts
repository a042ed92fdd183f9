import type { AgentEvent, AgentTask, DispatchReply } from '../../agents/agent.js'
import { dispatchAgent } from '../../agents/dispatch.js'
import { resumePrompt } from '../../agents/resume-prompt.js'
import type { DispatchHooks, Run } from '../../run/run.js'
import { addUsage } from '../../view/usage.js'
import type { Usage } from '../../view/view.js'
import { sessionFiles } from '../harness/artifacts/files.js'
import { knownDecisions, withDecision } from '../harness/decisions.js'
import { type PhaseContext, phaseDescription } from '../harness/phases.js'
import type { HarnessState, RigorLevel } from '../harness/state/state.js'
import type { HarnessTools } from '../harness/tools.js'
import { budgetText, phaseUsage, type ReachedBudget, raisedLimit, reachedBudget } from './budget.js'
import { permissionAnswer, qPermission } from './permission.js'
import { qAgent, qBudget, qInterrupted, qTrustAgain } from './questions.js'
import { isLimit, waitForLimit } from './usage-limit.js'

export type HarnessPersona =
  | 'harness-planner'
  | 'harness-task-executor'
  | 'harness-verifier'
  | 'harness-code-reviewer'

/** How a dispatch begins. */
export interface DispatchBegin {
  /** An earlier process of this dispatch was broken off, and its conversation cannot be continued. */
  interrupted: boolean
  /** What the person wants the agent to know. */
  note?: string
}

export type PersonaRequest<Result> = Omit<AgentTask<Result>, 'workflow' | 'prompt' | 'wallMs' | 'attempt'> & {
  persona: HarnessPersona
  attempt?: number
  prompt(begin: DispatchBegin): string
  /** Called with the id of each dispatch that came to a reply, replayed ones included. */
  onReply?(dispatchId: string): void
  /** How the gate names this work when it fails. */
  failedTitle: string
}

/** Executors may work for 15 minutes, the others for 10 (section 7, upstream time limits). */
const wallMinutes: Record<HarnessPersona, number> = {
  'harness-planner': 10,
  'harness-task-executor': 15,
  'harness-verifier': 10,
  'harness-code-reviewer': 10,
}

export type PersonaOutcome<Result> =
  | { kind: 'done'; result: Result }
  /** The person named a plan file instead. */
  | { kind: 'chosen'; text: string }

/** Dispatches one persona until it succeeds; the run ends with a stop otherwise. */
export async function dispatchPersona<Result>(
  run: Run<HarnessState>,
  tools: HarnessTools,
  key: string,
  request: PersonaRequest<Result>,
): Promise<Result> {
  const outcome = await dispatchOrChoose(run, tools, key, request, false)
  if (outcome.kind !== 'done') throw new Error('only a planner can be replaced by a plan file')
  return outcome.result
}

/**
 * Dispatches one persona until it succeeds or the person decides otherwise: a failure is a gate, a usage limit a
 * countdown, a reached budget a question. Another try goes on in the same conversation where the backend can.
 */
export async function dispatchOrChoose<Result>(
  run: Run<HarnessState>,
  tools: HarnessTools,
  key: string,
  request: PersonaRequest<Result>,
  choosePlan: boolean,
): Promise<PersonaOutcome<Result>> {
  let conversation: string | undefined
  let fallback = false
  let limits = 0
  let note: string | undefined
  for (let round = 1; ; round += 1) {
    const at = round === 1 ? key : `${key}-again-${round}`
    await settleTrust(run, tools, at)
    await settleBudget(run, tools, `${at}-before`, request.phase, reachedBefore(run, tools, request.phase))
    const reply: DispatchReply<Result> = await dispatchOnce(run, tools, at, request, {
      conversation,
      fallback,
      note,
      again: round > 1,
    })
    note = undefined
    if (reply.ok) return { kind: 'done', result: reply.result }
    if (isLimit(reply)) {
      limits += 1
      fallback = (await waitForLimit(run, tools, at, reply, limits)) === 'fallback' || fallback
    } else if (reply.error === 'budget' || reply.error === 'turns') {
      await run.ask(`${at}-budget`, qBudget(reply.message))
      await raise(
        run,
        tools,
        `${at}-raised`,
        request.phase,
        reply.error === 'turns' ? 'turns' : overrun(reply.message),
      )
    } else if (reply.error === 'aborted') {
      const resumes = tools.backendFor(request.persona).caps.resume && reply.sessionId !== undefined
      const answer = await run.ask(`${at}-interrupted`, qInterrupted(request.title, resumes, choosePlan))
      if (answer.value === 'choose') return { kind: 'chosen', text: answer.text ?? '' }
      note = answer.text
    } else {
      const answer = await run.ask(
        `${at}-failed`,
        qAgent(request.failedTitle, failureLines(reply), choosePlan),
      )
      if (answer.value === 'choose') return { kind: 'chosen', text: answer.text ?? '' }
    }
    conversation = fallback || reply.error === 'schema' ? undefined : reply.sessionId
  }
}

function failureLines(reply: Extract<DispatchReply<unknown>, { ok: false }>): string[] {
  return [`The agent did not succeed (${reply.error}):`, ...reply.message.split('\n')]
}

/** Budgets are named in the message of the reply, since a reply is all that is recorded of a dispatch. */
function overrun(message: string): string {
  return /^\[(\w+)\]/.exec(message)?.[1] ?? 'usd'
}

async function dispatchOnce<Result>(
  run: Run<HarnessState>,
  tools: HarnessTools,
  key: string,
  request: PersonaRequest<Result>,
  way: { conversation: string | undefined; fallback: boolean; note: string | undefined; again: boolean },
): Promise<DispatchReply<Result>> {
  const { persona } = request
  const meta = { persona, title: request.title, phase: String(request.phase) }
  const raised = raisedBudgets(run.state)
  const reply = await run.agent<DispatchReply<Result>>(key, meta, async (hooks) => {
    if (way.note) hooks.line({ kind: 'note', text: `you: ${way.note.replace(/\s*\n\s*/g, ' ')}` })
    const budget = watchBudget(run, tools, request.phase, hooks)
    const resumed = hooks.interrupted?.sessionId ?? way.conversation
    const backend = way.fallback && tools.fallback ? tools.fallback : tools.backendFor(persona)
    const begun = hooks.interrupted !== undefined || way.again
    const interrupted = begun && !(backend.caps.resume && resumed)
    const note = [...(way.note ? [way.note] : []), ...hooks.messages].join('\n\n')
    const told = note === '' ? {} : { note }
    const { turns, idleMinutes } = tools.limits
    const task: AgentTask<Result> = {
      ...request,
      workflow: 'harness',
      attempt: request.attempt ?? 1,
      wallMs: (tools.limits.wallMinutes ?? wallMinutes[persona]) * 60_000,
      prompt: request.prompt({ interrupted, ...told }),
      brief: { ...request.brief, ...briefNote(request.brief.note, note) },
    }
    const usd = raisedLimit(tools.limits, raised, 'usd')
    const reply = await dispatchAgent(task, {
      backend,
      runId: tools.runId,
      dispatchId: hooks.dispatchId,
      projectDir: tools.root,
      sessionDir: tools.sessionDir,
      signal: budget.signal,
      env: tools.environment,
      permissions: tools.permissionsFor(persona),
      ...(tools.modelFor(persona) ? { model: tools.modelFor(persona) } : {}),
      ...(idleMinutes ? { idleMs: idleMinutes * 60_000 } : {}),
      ...(turns ? { turns: turns * 2 ** raised.filter((name) => name === 'turns').length } : {}),
      ...(usd === undefined ? {} : { usd }),
      ...(resumed ? { resume: { sessionId: resumed, prompt: resumePrompt(note) } } : {}),
      line: hooks.line,
      usage: (usage) => budget.used(usage),
      session: hooks.session,
      ask: (event) => answerAgent(hooks, persona, event),
      say: (send) => hooks.control({ say: send }),
      hold: (suspend) => hooks.control({ suspend }),
      interrupt: (interrupt) => hooks.control({ interrupt }),
    })
    const over = budget.reached()
    if (!over || reply.ok) return reply
    return { ...reply, error: 'budget', message: `[${over.name}] ${budgetText(over)}` }
  })
  request.onReply?.(reply.dispatchId)
  // A result came out of JSON and through a schema, so its recorded form is the result itself.
  return reply as unknown as DispatchReply<Result>
}

/** The note of the dispatch file: that of the workflow, then the person's word for this dispatch. */
function briefNote(own: unknown, note: string): { note?: string } {
  if (note === '') return {}
  return { note: typeof own === 'string' ? `${own}\n\n${note}` : note }
}

async function answerAgent(
  hooks: DispatchHooks,
  persona: string,
  event: Extract<AgentEvent, { type: 'ask' }>,
) {
  const answer = await hooks.ask(qPermission(persona, event))
  return permissionAnswer(answer.value, answer.text)
}

/** Follows what a dispatch uses and ends it when a bound is reached. */
function watchBudget(run: Run<HarnessState>, tools: HarnessTools, phase: number, hooks: DispatchHooks) {
  const over = new AbortController()
  const raised = raisedBudgets(run.state)
  const before = { phase: phaseUsage(run.spent.byPhase, String(phase)), run: run.spent.total }
  let reached: ReachedBudget | undefined
  return {
    signal: AbortSignal.any([hooks.signal, over.signal]),
    reached: () => reached,
    used(dispatch: Usage) {
      hooks.usage(dispatch)
      reached ??= reachedBudget(tools.limits, raised, { ...before, dispatch })
      if (reached) over.abort()
    },
  }
}

function reachedBefore(
  run: Run<HarnessState>,
  tools: HarnessTools,
  phase: number,
): ReachedBudget | undefined {
  const none: Usage = { inputTokens: 0, outputTokens: 0 }
  const spent = { phase: phaseUsage(run.spent.byPhase, String(phase)), run: run.spent.total, dispatch: none }
  return reachedBudget(tools.limits, raisedBudgets(run.state), { ...spent, dispatch: addUsage(none, none) })
}

/** An agent may have rewritten what is executed next, itself included: nothing of it runs unasked. */
async function settleTrust(run: Run<HarnessState>, tools: HarnessTools, key: string): Promise<void> {
  if (!tools.changedPrograms) return
  const changed = await tools.changedPrograms()
  if (changed === null) return
  // The key names the content: an answer holds for nothing else.
  await run.ask(`${key}-trust-${changed.hash.slice(0, 12)}`, qTrustAgain(changed.lines))
  await tools.trustAgain?.()
}

/** A phase or a run that has used up its budget starts nothing before somebody raises it. */
async function settleBudget(
  run: Run<HarnessState>,
  tools: HarnessTools,
  key: string,
  phase: number,
  now: ReachedBudget | undefined,
): Promise<void> {
  const reached = await run.step(key, () => now ?? null)
  if (!reached) return
  await run.ask(key, qBudget(budgetText(reached)))
  await raise(run, tools, `${key}-raised`, phase, reached.name)
}

async function raise(
  run: Run<HarnessState>,
  tools: HarnessTools,
  key: string,
  phase: number,
  name: string,
): Promise<void> {
  await run.update(key, (latest) =>
    withDecision(latest, {
      phase: phase - 1,
      decision: 'budget_raised',
      timestamp: tools.now().toISOString(),
      choice: name,
    }),
  )
}

/** Names of the budgets that were raised, once per raise. */
function raisedBudgets(state: HarnessState): string[] {
  return knownDecisions(state).flatMap((entry) =>
    entry.decision === 'budget_raised' ? (entry.choice ?? []) : [],
  )
}

/** What every prompt names (section 7). */
export function sessionFields(tools: HarnessTools, rigor: RigorLevel, begin: DispatchBegin) {
  return {
    projectDir: tools.root,
    sessionDir: tools.sessionDir,
    slug: tools.slug,
    specPath: tools.specPath,
    rigor,
    ...begin,
  }
}

export function phaseFields(tools: HarnessTools, context: PhaseContext, begin: DispatchBegin) {
  return {
    ...sessionFields(tools, context.rigor, begin),
    phase: { number: context.number, name: context.phase.name, total: context.total },
  }
}

/** The fields of the dispatch file that every persona gets (design.md section 4). */
export async function commonBrief(
  tools: HarnessTools,
  context: PhaseContext,
): Promise<Record<string, unknown>> {
  const files = sessionFiles(tools.sessionDir)
  return {
    slug: tools.slug,
    rigor: context.rigor,
    phase: {
      number: context.number,
      name: context.phase.name,
      description: await phaseDescription(tools, context),
      total: context.total,
    },
    specPath: tools.specPath,
    statePath: files.taskState,
    handoffPath: files.handoff,
  }
}
