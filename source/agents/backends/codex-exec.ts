import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LadderTimes } from '../../processes/ladder.js'
import type { startChild } from '../../processes/supervisor.js'
import type { AgentEvent, Conversation, OpenRequest } from '../agent.js'
import { type ChildLink, openChildConversation, type Protocol } from '../child-conversation.js'
import type { LastWords } from '../end-of-process.js'
import { sandboxFor } from './codex-access.js'
import { beforeExec, type ExecState, endOfExec, readExecLine } from './codex-exec-reader.js'
import { finishedWords } from './codex-outcome.js'
import { createErrorLines } from './codex-refusals.js'
import { type StrictSchema, strictSchema } from './codex-schema.js'
import type { Counted } from './codex-usage.js'

// One run of `codex exec --json` (docs/agents.md, "Codex"): for roles where nobody is asked, as it cannot ask.

export interface ExecOptions {
  /** Program and arguments, without `exec`. */
  argv: readonly string[]
  now(): number
  start?: typeof startChild | undefined
  /** Of the stop ladder. */
  times?: LadderTimes | undefined
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
  return openChildConversation(
    {
      file,
      args: [...args, ...execArguments(request, scratch?.path)],
      env: request.env,
      request,
      sink,
      now: options.now,
      input:
        request.systemAppend === undefined ? request.prompt : `${request.systemAppend}\n\n${request.prompt}`,
      ...(options.times ? { times: options.times } : {}),
      ...(options.start ? { start: options.start } : {}),
    },
    (link) => execProtocol(link, { request, options, schema, forget: () => void scratch?.remove() }),
  )
}

interface Exec {
  request: OpenRequest
  options: ExecOptions
  schema: StrictSchema | undefined
  /** Removes what the run needed beside its input. */
  forget(): void
}

function execProtocol(link: ChildLink, { request, options, schema, forget }: Exec): Protocol {
  const setting = { cwd: request.cwd, now: options.now, billed: options.billed }
  let state = beforeExec
  const take = ([next, events]: [ExecState, AgentEvent[]]) => {
    state = next
    for (const event of events) link.emit(event)
  }
  return {
    line(text) {
      link.alive()
      take(readExecLine(state, text, setting))
      if (!state.hopeless) return
      link.ending(state.hopeless)
      void link.stop()
    },
    errorLine: createErrorLines(link.emit),
    lastWords() {
      take(endOfExec(state, options.now()))
      if (state.threadId !== undefined && state.counted) options.billed.set(state.threadId, state.counted)
      return wordsOf(state, request.schema !== undefined, schema)
    },
    isWrongInput: (exit) =>
      request.session !== undefined && /no rollout found|not found/i.test(exit.stderrTail),
    sessionId: () => state.threadId,
    closed: forget,
  }
}

function wordsOf(state: ExecState, isResultExpected: boolean, schema: StrictSchema | undefined): LastWords {
  if (state.failure) return { said: 'failure', failure: state.failure }
  if (!state.isCompleted) return { said: 'nothing', missing: 'Codex ended before its turn was over.' }
  return finishedWords(state.text, isResultExpected, schema)
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
