import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { OpenRequest } from '../agent.js'
import { editTools } from './claude-tools.js'

// How Claude Code is started (agents.md section 2.1).

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
    ...(schema === undefined ? [] : ['--json-schema', JSON.stringify(withoutDialect(schema))]),
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

/** Validators that do not know the dialect refuse a schema that names it. */
function withoutDialect(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'))
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
