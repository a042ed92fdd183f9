import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { OpenRequest } from '../agent.js'
import { editTools } from './claude-tools.js'

// How Claude Code is started (docs/agents.md, "Claude Code").

export type ClaudeSession = { mode: 'new'; id: string } | { mode: 'resume' | 'fork'; id: string }

export interface ClaudeStart {
  session: ClaudeSession
  /** Path of a file with the role text. */
  systemFile?: string
  /** Name of an agent that the user has defined for this persona. */
  agent?: string
}

export function claudeArguments(request: OpenRequest, start: ClaudeStart): string[] {
  const { model, schema, limits, access, permissions } = request
  const mode =
    access !== 'read' && (permissions === 'edits' || permissions === 'all') ? 'acceptEdits' : 'default'
  return [
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-partial-messages', '--replay-user-messages', '--permission-prompt-tool', 'stdio'],
    ...['--permission-mode', mode],
    ...sessionArguments(start.session),
    ...(model === undefined ? [] : ['--model', model]),
    ...(start.agent === undefined ? [] : ['--agent', start.agent]),
    ...(start.systemFile === undefined ? [] : ['--append-system-prompt-file', start.systemFile]),
    ...(schema === undefined ? [] : ['--json-schema', JSON.stringify(commonSchema(schema))]),
    ...(limits.turns === undefined ? [] : ['--max-turns', String(limits.turns)]),
    ...(limits.usd === undefined ? [] : ['--max-budget-usd', String(limits.usd)]),
    // Settings of the project may allow edits without a question; for a role that may only read, nothing does.
    ...(access === 'read' ? ['--disallowedTools', editTools.join(',')] : []),
    ...['--setting-sources', 'user,project', '--strict-mcp-config'],
  ]
}

function sessionArguments(session: ClaudeSession): string[] {
  switch (session.mode) {
    case 'new':
      return ['--session-id', session.id]
    case 'resume':
      return ['--resume', session.id]
    case 'fork':
      return ['--resume', session.id, '--fork-session']
  }
}

/**
 * The schema in words that all drafts share. Claude Code validates by an older one, strictly, and its model by a newer:
 * a tuple, which each writes in its own way, becomes a list of so many items of any of its kinds.
 */
export function commonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(commonSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $schema: _, prefixItems, items, ...rest } = schema as Record<string, unknown>
  const common = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, commonSchema(value)]))
  if (!Array.isArray(prefixItems))
    return items === undefined ? common : { ...common, items: commonSchema(items) }
  const kinds = [...prefixItems, ...(typeof items === 'object' ? [items] : [])].map(commonSchema)
  const distinct = [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()]
  const isOpen = typeof items === 'object'
  return {
    minItems: prefixItems.length,
    ...(isOpen ? {} : { maxItems: prefixItems.length }),
    ...common,
    items: distinct.length === 1 ? distinct[0] : { anyOf: distinct },
  }
}

/**
 * Environment of the program. An API key is in `env` only where the user named it in the configuration: with one, a
 * subscription would be left aside and every token billed.
 */
export function claudeEnvironment(env: Record<string, string>): Record<string, string> {
  return {
    // By default a refused key is tried for minutes.
    CLAUDE_CODE_MAX_RETRIES: '4',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    DISABLE_AUTOUPDATER: '1',
    ...env,
  }
}

/** The persona's own name where the project or the user's home defines an agent of that name. */
export async function definedAgent(
  persona: string,
  projectDir: string,
  env: Record<string, string>,
): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(persona)) return undefined
  const own = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), '.claude')
  const places = [join(projectDir, '.claude'), own]
  for (const place of places) {
    const found = await stat(join(place, 'agents', `${persona}.md`)).catch(() => undefined)
    if (found?.isFile()) return persona
  }
  return undefined
}
