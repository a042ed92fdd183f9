import { stripVTControlCharacters } from 'node:util'
import type { AgentEvent } from '../agent.js'

/**
 * Passes stderr on as log lines. A tool that the sandbox or a policy refused leaves nothing but an ERROR line there
 * (docs/agents.md, "Codex"), which becomes a denied tool.
 */
export function createErrorLines(emit: (event: AgentEvent) => void): (line: string) => void {
  let count = 0
  return (raw) => {
    const line = stripVTControlCharacters(raw)
    emit({ type: 'log', stream: 'stderr', line })
    const title = refusalIn(line)
    if (title === undefined) return
    count += 1
    emit({ type: 'tool', id: `refused-${count}`, name: 'codex', kind: 'other', title, status: 'denied' })
  }
}

/** What was refused, in the words of codex; undefined for every other line. What a person refused is told elsewhere. */
export function refusalIn(line: string): string | undefined {
  const error = /\bERROR\b.*?\berror=(.+)$/.exec(line)?.[1]
  if (error === undefined || /rejected by user(?! approval settings)/i.test(error)) return undefined
  return /reject|denied|declined|not (?:allowed|permitted)/i.test(error) ? error.trim() : undefined
}
