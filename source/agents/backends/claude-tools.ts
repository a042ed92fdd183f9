import { isAbsolute, relative } from 'node:path'
import { lookup } from '../../lookup.js'
import type { ToolKind } from '../agent.js'
import { type Fields, fieldsOf, listIn, textIn } from '../fields.js'

const kinds = lookup<ToolKind>({
  Read: 'read',
  Glob: 'read',
  Grep: 'read',
  LS: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'exec',
  PowerShell: 'exec',
})

export interface ToolDescription {
  kind: ToolKind
  /** One line: what it works on. The name of the tool where nothing else is known. */
  title: string
  /** What an edit takes away and puts in, each line with its sign. */
  diff?: string
}

/** What a tool of Claude Code is about to do. Paths below `cwd` are shown relative to it. */
export function describeTool(name: string, input: Fields, cwd: string): ToolDescription {
  const kind = kinds[name] ?? 'other'
  const diff = kind === 'edit' ? diffOf(input) : undefined
  return { kind, title: titleOf(input, cwd) ?? name, ...(diff ? { diff } : {}) }
}

/** Names of the tools that change files, for a role that may not. */
export const editTools = Object.keys(kinds).filter((name) => kinds[name] === 'edit')

function titleOf(input: Fields, cwd: string): string | undefined {
  const path = textIn(input, 'file_path') ?? textIn(input, 'notebook_path')
  if (path !== undefined) return shortPath(path, cwd)
  const said = ['command', 'pattern', 'url', 'query', 'description', 'path']
    .map((key) => textIn(input, key))
    .find((text) => text !== undefined && text.trim() !== '')
  return said?.trim().split('\n', 1)[0]
}

function shortPath(path: string, cwd: string): string {
  if (cwd === '' || !isAbsolute(path)) return path
  const way = relative(cwd, path)
  return way === '' || way.startsWith('..') || isAbsolute(way) ? path : way
}

function diffOf(input: Fields): string | undefined {
  const content = textIn(input, 'content') ?? textIn(input, 'new_source')
  if (content !== undefined) return signed('+', content).join('\n')
  const edits = 'edits' in input ? listIn(input, 'edits').map(fieldsOf) : [input]
  const lines = edits.flatMap((edit) => [
    ...signed('-', textIn(edit, 'old_string')),
    ...signed('+', textIn(edit, 'new_string')),
  ])
  return lines.length > 0 ? lines.join('\n') : undefined
}

function signed(sign: '+' | '-', text: string | undefined): string[] {
  if (text === undefined || text === '') return []
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line)
}
