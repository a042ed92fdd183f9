import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { aboutText } from '../../durations.js'
import { runCommand } from '../../processes/commands.js'
import { type Tool, ToolFailure, type ToolRun } from './tool.js'

/** One tool runs this long at most (docs/agents.md, "Watchdogs"). */
const longestMs = 15 * 60_000
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
  const end = await runCommand(['/bin/bash', '-c', command], {
    cwd: options.cwd,
    env: options.env,
    mark: { name: commandMarker, value: randomUUID() },
    signal: run.signal,
    timeoutMs: limitMs,
    output: (bytes) => run.output.push(bytes),
    outputCap: 0,
    // Nothing is asked first when it is stopped; a server that it left running goes on.
    graceMs: 0,
    leaveChildren: true,
  })
  if (end.timedOut)
    throw new ToolFailure(
      `The command was ended after ${aboutText(Math.max(1000, limitMs))}: its time was up.`,
    )
  if (run.signal.aborted) throw new ToolFailure('The command was ended: the person interrupted the work.')
  if (end.missing) throw new ToolFailure('bash could not be started: there is no /bin/bash, or no directory.')
  if (end.signal !== null) throw new ToolFailure(`The command was ended by ${end.signal}.`)
  if (end.code !== 0) throw new ToolFailure(`The command ended with exit code ${end.code}.`)
}
