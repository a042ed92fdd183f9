import { basename, join } from 'node:path'
import type { AgentEvent, AgentTask } from '../../agents/agent.js'
import type { Sight } from '../../agents/confinement.js'
import { dispatchAgent } from '../../agents/dispatch.js'
import type { DispatchContext } from '../../agents/dispatch-context.js'
import {
  againText,
  freshPrompt,
  resumePrompt,
  retryPrompt,
  type SentAgain,
} from '../../agents/resume-prompt.js'
import type { Around, DispatchHooks } from '../../run/run.js'
import type { Usage } from '../../view/view.js'
import type { Place } from '../place.js'
import { budgetText, type ReachedBudget, raisedLimit, reachedBudget } from './budgets.js'
import { permissionAnswer, qPermission } from './permission.js'
import { type PersonaReply, raisesOf, spentBefore, type Try } from './tries.js'

/** One try of a dispatch: recorded before and after, followed while it works, ended when a bound is reached. */
export async function dispatchOnce<State, Result>(
  one: Try<State, Result>,
  around: Around,
  sight: () => Promise<Sight>,
): Promise<PersonaReply<Result> & { dispatchId: string; left?: unknown }> {
  const { request, key, tries } = one
  const { run } = one.setting
  const { persona, title, cwd } = request
  const meta = { persona, title, phase: request.phase.id, ...(cwd === undefined ? {} : { cwd }) }
  const work = async (hooks: DispatchHooks): Promise<PersonaReply<Result>> => {
    if (tries.note) hooks.line({ kind: 'note', text: `you: ${oneLine(tries.note)}` })
    const budget = watchBudget(one, hooks)
    const [task, context] = opened(one, hooks, budget)
    const came = await dispatchAgent(task, { ...context, sight: await sight() })
    if (came.ok) return came
    const reached = budget.reached()
    if (reached) return { ...came, error: 'budget', message: budgetText(reached), budget: reached }
    const kept = keptByBackend(one, came)
    return kept ? { ...came, budget: kept } : came
  }
  const reply = await run.agent<PersonaReply<Result>>(key, meta, work, around)
  // A result came out of JSON and through a schema, so its recorded form is the result itself.
  return reply as unknown as PersonaReply<Result> & { dispatchId: string }
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/** What the agent is asked and how it is followed. */
function opened<State, Result>(
  one: Try<State, Result>,
  hooks: DispatchHooks,
  budget: { signal: AbortSignal; used(usage: Usage): void },
): [AgentTask<Result>, DispatchContext] {
  const { setting, request, tries } = one
  const { tools } = setting
  const { persona } = request
  const backend = tries.fallback && tools.fallback ? tools.fallback : tools.backendFor(persona)
  const begun = hooks.interrupted !== undefined || one.again
  const first = begun ? undefined : request.conversation
  const resumed = hooks.interrupted?.sessionId ?? tries.conversation ?? first
  const interrupted = begun && !(backend.caps.resume && resumed)
  const note = [...(tries.note ? [tries.note] : []), ...hooks.messages].join('\n\n')
  const { idleMinutes } = tools.limits
  const usd = raisedLimit(tools.limits, raisesOf(one), 'usd')
  const turns = raisedLimit(tools.limits, raisesOf(one), 'turns')
  const model = tools.modelFor(persona)
  const task = request.prompt({ interrupted, ...(note === '' ? {} : { note }) })
  const again = sentAgain(one, note)
  const prompt = tries.full > 0 ? freshPrompt(task, request.remaining?.()) : retryPrompt(task, again)
  return [
    {
      ...request,
      workflow: setting.workflow,
      phase: request.phase.number,
      attempt: request.attempt ?? 1,
      wallMs: wallMinutes(one) * 60_000,
      prompt,
      brief: { ...request.brief, ...briefNote(request.brief.note, againText(again)) },
    },
    {
      backend,
      runId: tools.runId,
      dispatchId: hooks.dispatchId,
      projectDir: tools.root,
      ...(request.cwd === undefined ? {} : { cwd: join(tools.root, request.cwd) }),
      sessionDir: tools.place.sessionDir,
      signal: budget.signal,
      ...(tools.guard ? { guard: tools.guard } : {}),
      ...(tools.confinement ? { confinement: tools.confinement } : {}),
      records: recordsOf(tools.place),
      env: tools.environment,
      permissions: tools.permissionsFor(persona),
      ...(model ? { model } : {}),
      ...(idleMinutes ? { idleMs: idleMinutes * 60_000 } : {}),
      ...(turns === undefined ? {} : { turns }),
      ...(usd === undefined ? {} : { usd }),
      ...(resumed ? { resume: { sessionId: resumed, prompt: begun ? resumePrompt(again) : prompt } } : {}),
      line: hooks.line,
      ...(request.event ? { event: request.event } : {}),
      usage: (usage) => budget.used(usage),
      session: hooks.session,
      ask: (event) => answerAgent(hooks, persona, event),
      say: (send) => hooks.control({ say: send }),
      hold: (suspend) => hooks.control({ suspend }),
      interrupt: (interrupt) => hooks.control({ interrupt }),
    },
  ]
}

/** Why this try is made, if it is not the first. */
function sentAgain<State, Result>({ request, tries }: Try<State, Result>, note: string): SentAgain {
  const { asked, reason = request.reason } = tries
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(asked === undefined ? {} : { asked }),
    ...(note === '' ? {} : { note }),
  }
}

function wallMinutes<State, Result>({ setting, request }: Try<State, Result>): number {
  const usual = setting.personas[request.persona]?.wallMinutes
  if (usual === undefined) throw new Error(`${setting.workflow} has no persona ${request.persona}`)
  return setting.tools.limits.wallMinutes ?? usual
}

/** The note of the dispatch file: that of the workflow, then why it is tried again and the person's word for it. */
function briefNote(own: unknown, note: string | undefined): { note?: string } {
  if (note === undefined) return {}
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
function watchBudget<State, Result>(one: Try<State, Result>, hooks: DispatchHooks) {
  const { run, tools } = one.setting
  const over = new AbortController()
  const raises = raisesOf(one)
  const before = spentBefore(run, one.request.phase.id)
  let reached: ReachedBudget | undefined
  return {
    signal: AbortSignal.any([hooks.signal, over.signal]),
    reached: () => reached,
    used(dispatch: Usage) {
      hooks.usage(dispatch)
      reached ??= reachedBudget(tools.limits, raises, { ...before, dispatch })
      if (reached) over.abort()
    },
  }
}

/** A bound that the agent program kept by itself: turns, or the cost that it was told not to exceed. */
function keptByBackend<State, Result>(
  one: Try<State, Result>,
  reply: { error: string; usage: Usage },
): ReachedBudget | undefined {
  const { limits } = one.setting.tools
  if (reply.error === 'turns') {
    const limit = raisedLimit(limits, raisesOf(one), 'turns')
    return limit === undefined ? undefined : { name: 'turns', scope: 'dispatch', limit, used: limit }
  }
  if (reply.error !== 'budget') return undefined
  const limit = raisedLimit(limits, raisesOf(one), 'usd')
  if (limit === undefined) return undefined
  return { name: 'usd', scope: 'dispatch', limit, used: reply.usage.usd ?? limit }
}

/** Names of the state file and its backup, which no agent writes. */
function recordsOf({ stateFile, backupFile = `${stateFile}.bak` }: Place): string[] {
  return [basename(stateFile), basename(backupFile)]
}
