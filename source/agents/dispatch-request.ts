import { mkdir, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createTextRedactor, recordedSecrets, redactValue } from '../secrets/redact.js'
import type { AgentTask, OpenRequest } from './agent.js'
import { type DispatchContext, dispatchFilePath } from './dispatch-context.js'
import type { DispatchLog } from './log.js'
import { resumePrompt } from './resume-prompt.js'

/** Watchdogs where a backend names none of its own (docs/agents.md, "Watchdogs"). */
const usualSilence = { firstMs: 30_000, idleMs: 180_000 }

/** What the backend is asked, with the dispatch file named in the agent's environment. */
export function openRequest<Result>(
  task: AgentTask<Result>,
  context: DispatchContext,
  made: { schema: unknown; file: string; log: DispatchLog },
): OpenRequest {
  const { backend, resume } = context
  const silence = backend.silence ?? usualSilence
  const session = resume && backend.caps.resume ? resume : undefined
  return {
    runId: context.runId,
    dispatchId: context.dispatchId,
    role: task.persona,
    cwd: context.cwd ?? context.projectDir,
    folder: join(context.projectDir, context.sessionDir),
    prompt: session ? (session.prompt ?? resumePrompt()) : task.prompt,
    schema: made.schema,
    model: context.model,
    access: task.access,
    permissions: context.permissions,
    env: {
      ...context.env,
      AUTOPILOT_RUN_ID: context.runId,
      AUTOPILOT_SESSION_DIR: context.sessionDir,
      AUTOPILOT_PERSONA: task.persona,
      AUTOPILOT_PHASE: String(task.phase),
      AUTOPILOT_ATTEMPT: String(task.attempt),
      AUTOPILOT_DISPATCH: made.file,
    },
    session: session ? { id: session.sessionId, mode: 'resume', task: task.prompt } : undefined,
    limits: {
      ...silence,
      idleMs: context.idleMs ?? silence.idleMs,
      wallMs: task.wallMs,
      turns: context.turns,
      usd: context.usd,
    },
    raw: (stream, bytes) => made.log.raw(stream, bytes),
  }
}

/** Fields in which a person's own words to this dispatch are: they stay as they were typed. */
const typed = ['note', 'checkpointAnswer']

/** What a dispatch file says of files and agents, without secrets. */
function hiddenBrief(brief: Record<string, unknown>, { env }: DispatchContext): Record<string, unknown> {
  const hide = createTextRedactor(recordedSecrets(process.env, env))
  return Object.fromEntries(
    Object.entries(brief).map(([name, value]) => [
      name,
      typed.includes(name) ? value : redactValue(hide, value),
    ]),
  )
}

/** Writes the file that AUTOPILOT_DISPATCH names and returns its absolute path. Replaces one of an earlier try. */
export async function writeDispatchFile<Result>(
  task: AgentTask<Result>,
  context: DispatchContext,
  resultSchema: unknown,
): Promise<string> {
  const content = {
    id: context.dispatchId,
    workflow: task.workflow,
    persona: task.persona,
    attempt: task.attempt,
    projectDir: context.projectDir,
    ...(context.cwd === undefined ? {} : { cwd: context.cwd }),
    sessionDir: context.sessionDir,
    ...hiddenBrief(task.brief, context),
    resultSchema,
  }
  const path = join(context.projectDir, dispatchFilePath(context.sessionDir, context.dispatchId))
  const draft = `${path}.${process.pid}.tmp`
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`)
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    throw error
  }
  return path
}
