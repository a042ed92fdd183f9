import { isAbsolute, relative, resolve } from 'node:path'
import { counted } from '../../counted.js'
import { lookup } from '../../lookup.js'
import type { AgentEvent, ToolKind } from '../agent.js'
import { type Fields, fieldsOf, listIn, numberIn, textIn } from '../fields.js'
import { errorOf, listOf } from './codex-values.js'

// Items of a turn, as the app-server (camelCase) and `codex exec` (snake_case) print them, as tools
// (docs/agents.md, "Codex").

export type ToolEvent = Extract<AgentEvent, { type: 'tool' }>

/** Characters of a tool's output that are passed on; the log has all of it. */
const outputLimit = 200_000

const statuses = lookup<ToolEvent['status']>({
  inProgress: 'running',
  in_progress: 'running',
  completed: 'ok',
  failed: 'failed',
  declined: 'denied',
  rejected: 'denied',
})

/** Tools that are told without a status: they are over when codex says so. */
const statusless = new Set(['webSearch', 'web_search', 'imageView'])

export interface ItemPlace {
  cwd: string
  /** The item is over, whatever it says itself. */
  over: boolean
  agent?: string
}

/** The tool event that an item is; undefined for messages, thoughts and whatever is no tool. Paths relative to `cwd`. */
export function toolOfItem(item: Fields, { cwd, over, agent }: ItemPlace): ToolEvent | undefined {
  const id = textIn(item, 'id')
  const usual = statusless.has(textIn(item, 'type') ?? '') ? (over ? 'ok' : 'running') : undefined
  const status = statuses[textIn(item, 'status') ?? ''] ?? usual
  if (id === undefined || status === undefined) return undefined
  const base = { type: 'tool' as const, id, status, ...(agent === undefined ? {} : { agent }) }
  switch (textIn(item, 'type')) {
    case 'commandExecution':
    case 'command_execution': {
      const command = textIn(item, 'command') ?? ''
      const output = commandOutput(item, status)
      return {
        ...base,
        name: 'shell',
        kind: 'exec',
        title: shellCommand(command) || 'a command',
        input: { command },
        ...(output === undefined ? {} : { output }),
      }
    }
    case 'fileChange':
    case 'file_change': {
      const diff = changesDiff(item.changes, cwd)
      const paths = changedPaths(item.changes).map((path) => shortPath(path, cwd))
      return {
        ...base,
        name: 'patch',
        kind: 'edit',
        title: paths.join(', ') || 'files',
        ...(diff === '' ? {} : { diff }),
      }
    }
    case 'mcpToolCall':
    case 'mcp_tool_call': {
      const name = [textIn(item, 'server'), textIn(item, 'tool')].filter(Boolean).join('.') || 'mcp tool'
      const output = mcpOutput(item)
      const input = item.arguments
      return {
        ...base,
        name,
        kind: 'other',
        title: name,
        input,
        ...(output === undefined ? {} : { output }),
      }
    }
    default: {
      const name = textIn(item, 'tool') ?? textIn(item, 'type') ?? 'tool'
      const query = textIn(item, 'query') ?? textIn(item, 'path')
      const kind: ToolKind = query === undefined ? 'other' : 'read'
      return { ...base, name, kind, title: query ?? name, input: item.arguments }
    }
  }
}

function commandOutput(item: Fields, status: ToolEvent['status']): string | undefined {
  const output = textIn(item, 'aggregatedOutput') ?? textIn(item, 'aggregated_output')
  const code = numberIn(item, 'exitCode') ?? numberIn(item, 'exit_code')
  const shown = output === undefined || output === '' ? undefined : clipOutput(output)
  if (status !== 'failed' || code === undefined) return shown
  return `${shown ?? ''}${shown === undefined || shown.endsWith('\n') ? '' : '\n'}exit code ${code}`
}

function mcpOutput(item: Fields): string | undefined {
  const error = textIn(errorOf(item.error), 'message')
  if (error !== undefined) return clipOutput(error)
  const parts = listIn(fieldsOf(item.result), 'content').flatMap(
    (part) => textIn(fieldsOf(part), 'text') ?? [],
  )
  return parts.length === 0 ? undefined : clipOutput(parts.join('\n'))
}

/** Beginning and end of an output that is too long to show. */
export function clipOutput(text: string): string {
  if (text.length <= outputLimit) return text
  const half = outputLimit / 2
  return `${text.slice(0, half)}\n(${counted(text.length - outputLimit, 'character')} left out)\n${text.slice(-half)}`
}

/** What a shell was told to run: `/bin/bash -lc 'npm test'` is `npm test`. Anything less plain stays as it is. */
export function shellCommand(command: string): string {
  const wrapped = /^(?:\/[\w/.-]*\/)?(?:ba|z|da)?sh -l?c ([\s\S]+)$/.exec(command)?.[1]
  if (wrapped === undefined) return command
  const single = /^'([^']*)'$/.exec(wrapped)?.[1]
  if (single !== undefined) return single
  const double = /^"((?:[^"\\]|\\[\s\S])*)"$/.exec(wrapped)?.[1]
  if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1')
  return /^[\w./:=@%+,-]+$/.test(wrapped) ? wrapped : command
}

/** Absolute paths that the changes of an item touch, targets of moves too. */
export function changedPaths(changes: unknown): string[] {
  return listOf(changes).flatMap((each) => {
    const change = fieldsOf(each)
    const target = textIn(fieldsOf(change.kind), 'move_path')
    return [textIn(change, 'path'), target].filter((path) => path !== undefined)
  })
}

/** True if all of the changes are known and lie in the directory. */
export function liesWithin(changes: unknown, cwd: string): boolean {
  const paths = changedPaths(changes)
  return paths.length > 0 && paths.every((path) => !isAbsolute(shortPath(resolve(cwd, path), cwd)))
}

/** One unified diff of all changes. codex gives the bare content of a file that is added or deleted. */
export function changesDiff(changes: unknown, cwd: string): string {
  return listOf(changes)
    .map((each) => changeDiff(fieldsOf(each), cwd))
    .filter((diff) => diff !== '')
    .join('\n')
}

function changeDiff(change: Fields, cwd: string): string {
  const path = textIn(change, 'path')
  const diff = textIn(change, 'diff')
  if (path === undefined || diff === undefined) return ''
  const short = shortPath(path, cwd)
  const kind = textIn(fieldsOf(change.kind), 'type') ?? textIn(change, 'kind')
  const moved = textIn(fieldsOf(change.kind), 'move_path')
  const body = diff.replace(/\n$/, '')
  const lines = body === '' ? [] : body.split('\n')
  if (kind === 'add') {
    return [
      '--- /dev/null',
      `+++ ${sided('b', short)}`,
      `@@ -0,0 +1,${lines.length} @@`,
      ...marked('+', lines),
    ].join('\n')
  }
  if (kind === 'delete') {
    return [
      `--- ${sided('a', short)}`,
      '+++ /dev/null',
      `@@ -1,${lines.length} +0,0 @@`,
      ...marked('-', lines),
    ].join('\n')
  }
  if (/^(?:diff |--- )/.test(body)) return body
  const target = moved === undefined ? short : shortPath(moved, cwd)
  return [`--- ${sided('a', short)}`, `+++ ${sided('b', target)}`, ...lines].join('\n')
}

function sided(side: 'a' | 'b', path: string): string {
  return isAbsolute(path) ? path : `${side}/${path}`
}

function marked(mark: string, lines: string[]): string[] {
  return lines.map((line) => `${mark}${line}`)
}

/** Relative where the path lies in the directory, else as it is. */
export function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path
  const short = relative(cwd, path)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short
}
