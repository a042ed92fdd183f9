import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { Problem } from '../problem.js'
import { groupGone, signalGroup } from './process-group.js'

// Running programs of the project: reliability.md sections 6 (every call), 8 (commands) and 9 (environment).

const pipeGraceMs = 1_000
const killGraceMs = 2_000

export interface CommandOptions {
  cwd: string
  timeoutMs: number
  /** Bytes kept per stream; what goes beyond is dropped, and `truncated` says so. */
  outputCap: number
  /** The complete environment of the child. Default: `childEnvironment()`. */
  env?: Record<string, string>
  signal?: AbortSignal
  /** Written to stdin, which is closed at once without it. */
  input?: string | Buffer
  /** Which end of an output over the cap is kept. Default: the tail. */
  keep?: 'head' | 'tail'
  /** Leave processes of the group alone that outlive the command. Default: they are ended. */
  leaveChildren?: boolean
  /** Pause between SIGTERM and SIGKILL when the command is stopped, in milliseconds. */
  graceMs?: number
}

export interface CommandResult {
  /** Null when a signal ended it or it did not start. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  timedOut: boolean
  /** The program was not found or may not be executed; nothing ran. */
  missing: boolean
  truncated: boolean
}

/**
 * Runs a program without a shell, in its own process group, and settles when it has exited. On a timeout or an abort
 * the whole group is ended. Never throws for what the program does: look at the result.
 */
export async function runCommand(argv: string[], options: CommandOptions): Promise<CommandResult> {
  const env = options.env ?? childEnvironment()
  const program = await locate(argv[0], options.cwd, env.PATH)
  if (!program || options.signal?.aborted) return notRun(!program)
  return await new Promise((settle) => {
    const stdout = boundedText(options.outputCap, options.keep ?? 'tail')
    const stderr = boundedText(options.outputCap, options.keep ?? 'tail')
    const child = spawn(program, argv.slice(1), { cwd: options.cwd, env, detached: true, stdio: 'pipe' })
    const group = child.pid
    let timedOut = false
    let exit: { code: number | null; signal: NodeJS.Signals | null } | undefined
    let pipesTimer: NodeJS.Timeout | undefined
    let settled = false
    let ending: Promise<void> | undefined

    const end = () => {
      if (group !== undefined) ending ??= endGroup(group, options.graceMs ?? killGraceMs)
    }
    const onAbort = () => end()
    const timer = setTimeout(() => {
      timedOut = true
      end()
    }, options.timeoutMs)
    options.signal?.addEventListener('abort', onAbort, { once: true })

    const finish = async (missing: boolean) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      clearTimeout(pipesTimer)
      options.signal?.removeEventListener('abort', onAbort)
      if (!options.leaveChildren) end()
      await ending
      child.stdout.destroy()
      child.stderr.destroy()
      settle({
        code: exit?.code ?? null,
        signal: exit?.signal ?? null,
        stdout: stdout.text(),
        stderr: stderr.text(),
        timedOut,
        missing,
        truncated: stdout.truncated() || stderr.truncated(),
      })
    }

    child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
    // A program that does not read its input closes the pipe: that is its right.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input)
    child.on('error', () => void finish(group === undefined))
    child.on('exit', (code, signal) => {
      exit = { code, signal }
      // Finished is the exit, not the end of the pipes: a child that was left behind may hold them for ever.
      pipesTimer = setTimeout(() => void finish(false), pipeGraceMs)
    })
    child.on('close', () => void finish(false))
  })
}

function notRun(missing: boolean): CommandResult {
  return { code: null, signal: null, stdout: '', stderr: '', timedOut: false, missing, truncated: false }
}

async function endGroup(group: number, graceMs: number): Promise<void> {
  if (!signalGroup(group, 'SIGTERM')) return
  if (await groupGone(group, graceMs)) return
  signalGroup(group, 'SIGKILL')
  await groupGone(group, graceMs)
}

/** Collects at most `cap` bytes of a stream, its head or its tail, and cuts at whole characters. */
function boundedText(cap: number, keep: 'head' | 'tail') {
  let chunks: Buffer[] = []
  let size = 0
  let cut = false
  const compact = () => {
    const all = Buffer.concat(chunks)
    cut = cut || all.length > cap
    const kept =
      all.length <= cap ? all : keep === 'head' ? all.subarray(0, cap) : all.subarray(all.length - cap)
    chunks = [kept]
    size = kept.length
  }
  return {
    add(chunk: Buffer) {
      if (keep === 'head' && size >= cap) {
        cut = cut || chunk.length > 0
        return
      }
      chunks.push(chunk)
      size += chunk.length
      if (size > cap * 2 + 65_536) compact()
    },
    truncated: () => {
      compact()
      return cut
    },
    text: () => {
      compact()
      const bytes = chunks[0] ?? Buffer.alloc(0)
      if (!cut) return bytes.toString('utf8')
      return keep === 'head' ? withoutTornEnd(bytes) : withoutTornStart(bytes)
    },
  }
}

function withoutTornStart(bytes: Buffer): string {
  let start = 0
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start).toString('utf8')
}

function withoutTornEnd(bytes: Buffer): string {
  // A streaming decoder keeps an unfinished character back instead of making a replacement out of it.
  return new TextDecoder().decode(bytes, { stream: true })
}

/** The file that would be executed for `name`, or undefined. Nothing is executed to find out. */
export async function findOnPath(name: string, path = process.env.PATH): Promise<string | undefined> {
  if (name === '' || name.includes('/') || name.includes('\0')) return undefined
  for (const directory of absoluteEntries(path)) {
    const candidate = join(directory, name)
    if (await isExecutable(candidate)) return candidate
  }
  return undefined
}

async function locate(name: string | undefined, cwd: string, path: string | undefined) {
  if (!name || name.includes('\0')) return undefined
  if (!name.includes('/')) return await findOnPath(name, path)
  const candidate = resolve(cwd, name)
  return (await isExecutable(candidate)) ? candidate : undefined
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// A relative entry would let the project put its own programs before those of the user.
function absoluteEntries(path = ''): string[] {
  return path.split(delimiter).filter(isAbsolute)
}

const inherited = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z_]+|TERM|TMPDIR|XDG_[A-Z_]+)$/
const inheritedOnWindows = /^(?:SystemRoot|PATHEXT|ComSpec|APPDATA|LOCALAPPDATA|USERPROFILE|TEMP|TMP)$/i
const forbidden = /^(?:NODE_OPTIONS|LD_.*|DYLD_.*|GIT_.*|npm_config_.*|BASH_ENV|ENV|PROMPT_COMMAND)$/i

/**
 * Environment of a child: the allow-list of reliability.md section 9 and `extra`. Variables that change what programs
 * load or do are never passed on, not even from `extra`.
 */
export function childEnvironment(extra: Record<string, string | undefined> = {}): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    const allowed = inherited.test(name) || (process.platform === 'win32' && inheritedOnWindows.test(name))
    if (allowed && value !== undefined) env[name] = value
  }
  for (const [name, value] of Object.entries(extra)) {
    if (value !== undefined && !forbidden.test(name)) env[name] = value
  }
  if (env.PATH !== undefined) env.PATH = absoluteEntries(env.PATH).join(delimiter)
  return env
}

const operators = new Set(['|', '||', '&', '&&', ';', '<', '>', '>>', '<<', '<<<', '2>', '2>&1', '&>'])

/**
 * Splits a command line into its arguments: blanks separate, '...' is literal, "..." knows \" and \\, a backslash
 * elsewhere takes the next character as it is. Nothing is expanded. Throws a Problem ('usage') on an open quote, a
 * backslash at the end, and on an operator of the shell that stands alone, because it would not do what it says.
 */
export function splitArgv(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quoted = false
  let quote: '"' | "'" | undefined
  const push = () => {
    if (word === undefined) return
    if (!quoted && operators.has(word)) throw shellProblem(text, word)
    words.push(word)
    word = undefined
    quoted = false
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    if (character === '\0') throw syntaxProblem(text, 'it holds a NUL character')
    if (quote === "'") {
      if (character === "'") quote = undefined
      else word += character
    } else if (quote === '"') {
      if (character === '"') quote = undefined
      else if (character === '\\' && (next === '"' || next === '\\')) {
        word += next
        at += 1
      } else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      quoted = true
      word ??= ''
    } else if (character === '\\') {
      if (next === '') throw syntaxProblem(text, 'it ends in a backslash')
      word = (word ?? '') + next
      quoted = true
      at += 1
    } else if (/\s/.test(character)) {
      push()
    } else {
      word = (word ?? '') + character
    }
  }
  if (quote) throw syntaxProblem(text, `the quote ${quote} is not closed`)
  push()
  return words
}

function syntaxProblem(text: string, reason: string): Problem {
  return new Problem({
    code: 'usage',
    what: `The command ${JSON.stringify(text)} cannot be read: ${reason}.`,
    why: 'autopilot runs programs without a shell, so it must know exactly where each argument ends.',
    todo: 'Close the quotes, or give the command as a list of arguments in the configuration file.',
  })
}

function shellProblem(text: string, operator: string): Problem {
  return new Problem({
    code: 'usage',
    what: `The command ${JSON.stringify(text)} holds ${operator}, which only a shell understands.`,
    why: 'autopilot runs one program without a shell, so it would be passed on as a plain argument.',
    todo: 'Put the line into a script file and name the script, or quote the character if it is meant literally.',
  })
}
