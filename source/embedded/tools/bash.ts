import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { membersMarked, signalGroup, signalMembers } from '../../processes/process-set.js'
import { type Tool, ToolFailure, type ToolRun } from './tool.js'

/** One tool runs this long at most (agents.md section 1). */
const longestMs = 15 * 60_000
/** How long output may come in after the exit while a child that stays holds the pipe, in milliseconds. */
const lingerMs = 500
const killRounds = 100
const pollMs = 50
const commandMarker = 'AUTOPILOT_COMMAND_ID'

const inputSchema = z.object({
  command: z.string().min(1),
  timeout_seconds: z.number().positive().optional(),
})

export interface BashOptions {
  cwd: string
  /** Complete environment of a command; keys of the model server are not in it. */
  env: Record<string, string>
  /** Where the model names no time, in milliseconds. */
  commandMs: number
}

/** Runs a command in a new shell, in a process group and under a marker of its own. */
export function bashTool(options: BashOptions): Tool {
  const read = (input: unknown) => {
    const parsed = inputSchema.safeParse(input)
    if (!parsed.success) throw new ToolFailure('bash needs a "command", a text that is not empty.')
    return parsed.data
  }
  return {
    name: 'bash',
    kind: 'exec',
    description: [
      'Runs a command with bash in the project directory and returns what it prints, and its exit code if that is',
      'not 0. Each call is a new shell: a change of directory or a variable does not last. There is no terminal and',
      'no input. The command is ended when its time is up.',
    ].join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        timeout_seconds: {
          type: 'number',
          description: `At most ${longestMs / 1000}; ${Math.round(options.commandMs / 1000)} if left out.`,
        },
      },
      required: ['command'],
    },
    title: (input) => inputSchema.safeParse(input).data?.command ?? 'bash',
    async wish(input) {
      const { command } = read(input)
      return { kind: 'exec', title: 'Run a command', detail: command }
    },
    async run(input, run) {
      const { command, timeout_seconds } = read(input)
      const limitMs = timeout_seconds === undefined ? options.commandMs : timeout_seconds * 1000
      await execute(command, Math.min(longestMs, limitMs), options, run)
    },
  }
}

async function execute(command: string, limitMs: number, options: BashOptions, run: ToolRun): Promise<void> {
  const mark = randomUUID()
  const child = spawn('/bin/bash', ['-c', command], {
    cwd: options.cwd,
    env: { ...options.env, [commandMarker]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let open = true
  for (const stream of [child.stdout, child.stderr]) {
    // Read on after the end, without keeping it: a server that was left running must not die of a broken pipe.
    stream.on('data', (bytes: Buffer) => open && run.output.push(bytes))
    stream.on('error', () => {})
  }
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', (error) => reject(new ToolFailure(`bash could not be started: ${error.message}`)))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })

  let ended: 'time' | 'abort' | undefined
  let killing: Promise<void> | undefined
  const end = (why: 'time' | 'abort') => {
    ended ??= why
    killing ??= killAll(child.pid, mark)
  }
  const onAbort = () => end('abort')
  if (run.signal.aborted) onAbort()
  run.signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => end('time'), limitMs)
  try {
    const { code, signal } = await exited
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, lingerMs))])
    await killing
    if (ended === 'time')
      throw new ToolFailure(`The command was ended after ${seconds(limitMs)}: its time was up.`)
    if (ended === 'abort') throw new ToolFailure('The command was ended: the person interrupted the work.')
    if (signal !== null) throw new ToolFailure(`The command was ended by ${signal}.`)
    if (code !== 0) throw new ToolFailure(`The command ended with exit code ${code}.`)
  } finally {
    open = false
    clearTimeout(timer)
    run.signal.removeEventListener('abort', onAbort)
  }
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1000))} s`
}

/** Nothing is asked first: the group dies, then whatever carries the mark, until a scan finds nobody. */
async function killAll(leader: number | undefined, mark: string): Promise<void> {
  if (leader !== undefined) signalGroup(leader, 'SIGKILL')
  for (let round = 0; round < killRounds; round += 1) {
    const left = await membersMarked(mark, commandMarker)
    if (left.length === 0) return
    signalMembers(left, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
