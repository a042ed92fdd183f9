import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { AgentEvent } from '../../../source/agents/agent.js'
import { temporaryDirectory } from '../agent-kit.js'

// Recorded output of real agent programs, whole, cut and corrupted, and a program that plays it back.

const fixtures = fileURLToPath(new URL('../../fixtures/agents/', import.meta.url))
const player = fileURLToPath(new URL('../../fixtures/fake-agents/replay.mjs', import.meta.url))

export interface Transcript {
  name: string
  /** Lines of stdout. */
  lines: string[]
  /** What the host wrote, where it was a dialogue. */
  input: string[]
  exit: number | NodeJS.Signals
}

/** All transcripts of a folder of test/fixtures/agents; its exits.json tells how each program ended. */
export function loadTranscripts(folder: string): Transcript[] {
  const directory = join(fixtures, folder)
  const exits: Record<string, number | NodeJS.Signals> = JSON.parse(
    readFileSync(join(directory, 'exits.json'), 'utf8'),
  )
  const names = readdirSync(directory)
    .filter((file) => file.endsWith('.jsonl') && !file.endsWith('.in.jsonl'))
    .map((file) => file.slice(0, -'.jsonl'.length))
  return names.sort().map((name) => {
    const exit = exits[name]
    if (exit === undefined) throw new Error(`${folder}/exits.json does not name ${name}`)
    return {
      name,
      exit,
      lines: linesOf(join(directory, `${name}.jsonl`)),
      input: linesOf(join(directory, `${name}.in.jsonl`)),
    }
  })
}

function linesOf(path: string): string[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}

export interface Damage {
  /** `error-401, line 2 halved` */
  title: string
  /** 0-based: the line that was damaged, or the first one that is missing. */
  at: number
  transcript: Transcript
}

/** The transcript cut before each of its lines; `exit` is what the worst program would say, not what it said. */
export function cuts(transcript: Transcript, exit: Transcript['exit'] = 0): Damage[] {
  return transcript.lines.map((_, at) => ({
    title: `${transcript.name}, cut before line ${at + 1}`,
    at,
    transcript: { ...transcript, exit, lines: transcript.lines.slice(0, at) },
  }))
}

/** Ways in which a line can be wrong. `wordless` keeps the JSON whole and makes every value of another type. */
export const corruptions = {
  halved: (line: string) => line.slice(0, Math.floor(line.length / 2)),
  garbage: () => '\u0000\ufffd not a message',
  empty: () => '',
  wordless: (line: string) => JSON.stringify(otherTypes(JSON.parse(line))),
  hollow: (line: string) => JSON.stringify(hollow(JSON.parse(line))),
} as const

export type Corruption = keyof typeof corruptions

/** The transcript with each of its lines corrupted in turn. */
export function corrupted(transcript: Transcript, how: Corruption, exit: Transcript['exit'] = 0): Damage[] {
  return transcript.lines.map((line, at) => ({
    title: `${transcript.name}, line ${at + 1} ${how}`,
    at,
    transcript: { ...transcript, exit, lines: transcript.lines.with(at, corruptions[how](line)) },
  }))
}

/** Every value replaced by one of another type, but for the words that say what kind of line it is. */
function otherTypes(value: unknown, key = ''): unknown {
  if (['type', 'subtype', 'method', 'id'].includes(key)) return value
  if (Array.isArray(value)) return { 0: 'list' }
  if (value === null) return { nothing: true }
  switch (typeof value) {
    case 'object':
      return Object.fromEntries(
        Object.entries(value ?? {}).map(([name, each]) => [name, otherTypes(each, name)]),
      )
    case 'string':
      return 17
    default:
      return [value]
  }
}

/** The kind of line alone, nothing in it. */
function hollow(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => ['type', 'subtype', 'method', 'id'].includes(key))
  return Object.fromEntries(kept)
}

export interface Replay {
  /** Path of an executable that behaves like the recorded program. */
  program: string
  /** What the host wrote so far, line by line. */
  heard(): unknown[]
  /** How the program was started, each time. */
  starts(): { argv: string[]; env: Record<string, string>; cwd: string }[]
}

export interface ReplayOptions {
  /** Answers to fixed command lines, such as `--version`. */
  commands?: Record<string, { stdout?: string; code?: number }>
  /** End only after the host closed stdin. Default: true. */
  endAtEof?: boolean
  stderr?: string | undefined
  /** Played instead from the second start on. */
  next?: Transcript
}

export function replay(transcript: Transcript, options: ReplayOptions = {}): Replay {
  const directory = temporaryDirectory()
  const record = join(directory, 'heard')
  const program = join(directory, 'agent')
  const { lines, input, exit } = transcript
  const spec = { lines, input, exit, record, endAtEof: true, ...options }
  writeFileSync(join(directory, 'spec.json'), JSON.stringify(spec))
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${player}" "${directory}/spec.json" "$@"\n`)
  chmodSync(program, 0o755)
  const read = (path: string) => (existsSync(path) ? linesOf(path).map((line) => JSON.parse(line)) : [])
  return { program, heard: () => read(record), starts: () => read(`${record}.starts`) }
}

/**
 * Compares normalised events with the golden file of a transcript, one event a line. Missing files are written by
 * vitest's update mode; look at them before they are committed.
 */
export async function expectGolden(
  folder: string,
  name: string,
  events: readonly AgentEvent[],
): Promise<void> {
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
  await expect(text).toMatchFileSnapshot(join(fixtures, folder, 'golden', `${name}.jsonl`))
}
