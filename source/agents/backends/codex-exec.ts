import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashMessage, leftoverLine, spawnMessage, timeoutMessage } from '../../processes/child-end.js'
import type { LadderTimes } from '../../processes/ladder.js'
import { type ChildExit, startChild } from '../../processes/supervisor.js'
import { watchActivity } from '../activity.js'
import type { AgentEvent, Conversation, OpenRequest, Outcome } from '../agent.js'
import { sandboxFor } from './codex-access.js'
import { createExecReader, type ExecReport } from './codex-exec-reader.js'
import { finishedOutcome, skippedLine } from './codex-outcome.js'
import { createErrorLines } from './codex-refusals.js'
import { type StrictSchema, strictSchema } from './codex-schema.js'
import type { Counted } from './codex-usage.js'

// One run of `codex exec --json` (agents.md section 2.2): for roles where nobody is asked, as it cannot ask.

type Failed = Extract<Outcome, { ok: false }>

export interface ExecOptions {
  /** Program and arguments, without `exec`. */
  argv: readonly string[]
  now(): number
  start?: typeof startChild
  /** Of the stop ladder. */
  times?: LadderTimes
  /** See codex-exec-reader.ts; kept over the runs of one backend. */
  billed: Map<string, Counted>
}

export async function openExec(
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
  options: ExecOptions,
): Promise<Conversation> {
  const [file = '', ...args] = options.argv
  const schema = request.schema === undefined ? undefined : strictSchema(request.schema)
  const scratch = schema && (await writeSchema(schema))
  const activity = watchActivity({ busy: (on) => child.busy(on), overdue: () => void child.stop('tool') })
  const emit = (event: AgentEvent) => {
    activity.event(event)
    sink(event)
  }
  const reader = createExecReader({
    cwd: request.cwd,
    now: options.now,
    billed: options.billed,
    emit,
  })

  const child = (options.start ?? startChild)({
    file,
    args: [...args, ...execArguments(request, scratch?.path)],
    cwd: request.cwd,
    env: request.env,
    runId: request.runId,
    dispatchId: request.dispatchId,
    input:
      request.systemAppend === undefined ? request.prompt : `${request.systemAppend}\n\n${request.prompt}`,
    limits: request.limits,
    raw: request.raw,
    times: options.times,
    line(text) {
      child.touch()
      activity.touch()
      reader.line(text)
      if (reader.hopeless()) void child.stop('aborted')
    },
    errorLine: createErrorLines(emit),
    skipped: (stream, bytes) => sink({ type: 'log', stream, line: skippedLine(bytes) }),
  })

  let isStopped = false
  const stop = () => {
    isStopped = true
    return child.stop('aborted')
  }

  const done = child.exit.then(async (exit) => {
    activity.clear()
    await scratch?.remove()
    const left = leftoverLine(exit)
    if (left !== undefined) sink({ type: 'log', stream: 'stderr', line: left })
    const hopeless = isStopped ? undefined : reader.hopeless()
    const report = reader.report()
    const outcome: Outcome = hopeless
      ? { ok: false, ...hopeless, usage: report.usage }
      : judge({ file, request, exit, report, schema })
    sink({ type: 'end', outcome })
    return outcome
  })

  return {
    get sessionId() {
      return reader.report().threadId
    },
    pid: child.pid,
    done,
    send: () => 'unsupported',
    answer: () => {},
    async interrupt() {
      await stop()
    },
    pause(on) {
      activity.pause(on)
      void child.pause(on)
    },
    async close() {
      await stop()
      return done
    },
  }
}

/** The command line without the prompt, which goes to stdin. A resumed run knows no `-s`, so it is told by `-c`. */
export function execArguments(request: OpenRequest, schemaFile: string | undefined): string[] {
  const { session, access, model, cwd } = request
  const sandbox = sandboxFor(access)
  const isOld = session !== undefined && session.mode !== 'new'
  const rights =
    sandbox === 'danger-full-access'
      ? ['--dangerously-bypass-approvals-and-sandbox']
      : isOld
        ? ['-c', `sandbox_mode="${sandbox}"`]
        : ['-s', sandbox]
  return [
    'exec',
    ...(isOld ? [session.mode] : []),
    '--json',
    '--skip-git-repo-check',
    ...(isOld ? [] : ['-C', cwd]),
    ...(model === undefined ? [] : ['-m', model]),
    ...rights,
    ...(schemaFile === undefined ? [] : ['--output-schema', schemaFile]),
    ...(isOld ? [session.id] : []),
    '-',
  ]
}

async function writeSchema({ schema }: StrictSchema): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'autopilot-codex-'))
  const path = join(directory, 'result-schema.json')
  await writeFile(path, JSON.stringify(schema), { mode: 0o600 })
  return { path, remove: () => rm(directory, { recursive: true, force: true }) }
}

interface Evidence {
  file: string
  request: OpenRequest
  exit: ChildExit
  report: ExecReport
  schema: StrictSchema | undefined
}

/** Success is the final event, exit code 0, a result if one is expected, and that we did not stop it. */
function judge({ file, request, exit, report, schema }: Evidence): Outcome {
  const failed = (error: Failed['error'], message: string, retry: Failed['retry']): Failed => ({
    ok: false,
    error,
    message,
    retry,
    usage: report.usage,
  })
  if (exit.spawnError) return failed('spawn', spawnMessage(exit.spawnError, file, request.cwd), 'never')
  if (exit.stopped === 'aborted') return failed('aborted', 'The agent was stopped.', 'now')
  if (exit.stopped) return failed('timeout', timeoutMessage(exit.stopped, request.limits.wallMs), 'now')
  const { failure } = report
  if (failure) return { ok: false, ...failure, usage: report.usage }
  if (exit.code !== 0) {
    const isUnknown = request.session !== undefined && /no rollout found|not found/i.test(exit.stderrTail)
    return failed(isUnknown ? 'input' : 'crash', crashMessage(exit), isUnknown ? 'never' : 'now')
  }
  if (!report.isCompleted) return failed('crash', 'Codex ended before its turn was over.', 'now')
  return finishedOutcome({
    text: report.text,
    isResultExpected: request.schema !== undefined,
    schema,
    usage: report.usage,
  })
}
