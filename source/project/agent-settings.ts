import { digestOf } from './snapshot/store.js'

// Settings below HOME that agent programs write into themselves: models, folders that are trusted, what was seen. What of them
// starts programs, leads elsewhere or gives rights holds in all projects of a person, and outside of every confinement
// (docs/evidence.md, "Snapshots"). By text. Pure; linear.

export type AgentProgram = 'claude' | 'codex' | 'gemini' | 'opencode'

/** Keys of JSON; `*` stands for any. */
const keysOf: Record<Exclude<AgentProgram, 'codex'>, readonly string[]> = {
  claude: [
    'mcpServers',
    'hooks',
    'env',
    'apiKeyHelper',
    'projects.*.mcpServers',
    'projects.*.allowedTools',
    'projects.*.enabledMcpjsonServers',
  ],
  gemini: [
    'mcpServers',
    'mcp',
    'hooks',
    'hooksConfig',
    'tools',
    'toolDiscoveryCommand',
    'toolCallCommand',
    'autoAccept',
    'contextFileName',
    'context',
  ],
  opencode: [
    'mcp',
    'plugin',
    'provider',
    'agent',
    'mode',
    'command',
    'formatter',
    'lsp',
    'permission',
    'tools',
    'instructions',
  ],
}

/**
 * What of a settings file counts, by the name of its part; a part that holds nothing is none. A text that cannot be read is one
 * part as a whole: `text`.
 */
export function ordersIn(program: AgentProgram, text: string): Record<string, string> {
  if (program === 'codex') {
    const rest = withoutOwnTables(text)
    return rest === '' ? {} : { settings: rest }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Comments, or half a file: whatever of it counts is in it.
    return text.trim() === '' ? {} : { text: digestOf(text) }
  }
  const parts = keysOf[program].flatMap((key) => at(value, key.split('.'), ''))
  return Object.fromEntries(parts)
}

function at(value: unknown, [key, ...rest]: readonly string[], name: string): [string, string][] {
  if (key === undefined) return isEmpty(value) ? [] : [[name, JSON.stringify(value)]]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value)
    .filter(([one]) => key === '*' || one === key)
    .flatMap(([one, inner]) => at(inner, rest, name === '' ? one : `${name}.${one}`))
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

const header =
  /^\s{0,20}\[{1,2}\s{0,4}("[^"\n]{0,400}"|'[^'\n]{0,400}'|[\w-]{1,100})(?:\s{0,4}\.[^\n]{0,800})?\]{1,2}\s{0,20}(?:#.*)?$/
/** Tables that codex writes itself, and keys of the top that a person chooses there. */
const ownTables = /^(?:projects|notice|tui|history|analytics|feedback)$/
const ownKeys = /^\s{0,20}(?:model|model_reasoning_effort|model_verbosity|personality)\s{0,20}=/

/** Lines of TOML that do not belong to what codex writes of itself. A text of several lines could hide a table: then all of it counts. */
function withoutOwnTables(text: string): string {
  const lines = text.split(/\r?\n/)
  if (/"""|'''/.test(text)) return text.trim()
  let table = ''
  const kept: string[] = []
  for (const line of lines) {
    const found = header.exec(line)?.[1]
    if (found !== undefined) table = found.replace(/^["']|["']$/g, '')
    if (ownTables.test(table) || (table === '' && ownKeys.test(line))) continue
    const plain = line.trim()
    if (plain !== '' && !plain.startsWith('#')) kept.push(plain)
  }
  return kept.join('\n')
}
