import type { AgentTask, DispatchReply } from '../../agents/agent.js'
import { dispatchAgent } from '../../agents/dispatch.js'
import type { QuestionDraft } from '../../run/question.js'
import type { Run } from '../../run/run.js'
import { sessionFiles } from './artifacts/files.js'
import { type PhaseContext, phaseDescription } from './phase-context.js'
import { qAgent } from './questions.js'
import type { HarnessState, RigorLevel } from './state.js'
import type { HarnessTools } from './tools.js'

export type HarnessPersona =
  | 'harness-planner'
  | 'harness-task-executor'
  | 'harness-verifier'
  | 'harness-code-reviewer'

export type PersonaRequest<Result> = Omit<AgentTask<Result>, 'workflow' | 'prompt'> & {
  persona: HarnessPersona
  /** `interrupted`: an earlier process of this dispatch was broken off, and its conversation cannot be continued. */
  prompt(interrupted: boolean): string
  /** Called with the id of a dispatch that really starts (not when it is replayed). */
  onDispatch?(dispatchId: string): void
}

/** Executors may take 15 minutes of silence-free work, the others 10 (section 7, upstream time limits). */
export const wallMs = { executor: 900_000, other: 600_000 } as const

/** Dispatches one persona through the run: recorded, and told when an earlier process was interrupted. */
export async function dispatchPersona<Result>(
  run: Run<HarnessState>,
  tools: HarnessTools,
  key: string,
  request: PersonaRequest<Result>,
): Promise<DispatchReply<Result>> {
  const meta = { persona: request.persona, title: request.title, phase: request.phase }
  return run.agent<DispatchReply<Result>>(key, meta, (hooks) => {
    request.onDispatch?.(hooks.dispatchId)
    return dispatchAgent(
      {
        ...request,
        workflow: 'harness',
        prompt: request.prompt(hooks.interrupted !== undefined),
      },
      {
        backend: tools.backendFor(request.persona),
        runId: tools.runId,
        dispatchId: hooks.dispatchId,
        projectDir: tools.root,
        sessionDir: tools.sessionDir,
        signal: hooks.signal,
        env: tools.environment,
        ...(hooks.interrupted?.sessionId ? { resume: { sessionId: hooks.interrupted.sessionId } } : {}),
        line: hooks.line,
        usage: (usage) =>
          hooks.usage({
            inputTokens: usage.input,
            outputTokens: usage.output,
            ...(usage.usd === undefined ? {} : { usd: usage.usd }),
          }),
        session: hooks.session,
      },
    )
  })
}

/** What every prompt names (section 7). */
export function sessionFields(tools: HarnessTools, rigor: RigorLevel, interrupted: boolean) {
  return {
    projectDir: tools.root,
    sessionDir: tools.sessionDir,
    slug: tools.slug,
    specPath: tools.specPath,
    rigor,
    interrupted,
  }
}

export function phaseFields(tools: HarnessTools, context: PhaseContext, interrupted: boolean) {
  return {
    ...sessionFields(tools, context.rigor, interrupted),
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
    projectDir: tools.root,
    sessionDir: tools.sessionDir,
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

/** The gate for a dispatch that failed. */
export function failedDispatch(
  title: string,
  reply: Extract<DispatchReply<unknown>, { ok: false }>,
  choosePlan = false,
): QuestionDraft {
  return qAgent(`${title}: the agent did not succeed`, [`${reply.error}: ${reply.message}`], choosePlan)
}
