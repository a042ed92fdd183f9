import type { AgentEvent } from '../agent.js'
import { type Fields, fieldsIn, fieldsOf, listIn, textIn } from '../fields.js'
import { describeTool } from './claude-tools.js'

type ToolEvent = Extract<AgentEvent, { type: 'tool' }>

/** Characters of a tool's output that are handed on, from its end; the log has all of it. */
const outputLimit = 200_000

/** The tools of one conversation: what was started, by whom, and how it ended. Each refusal is told once. */
export interface ToolBook {
  cwd(): string
  movedTo(cwd: string | undefined): void
  /** A `tool_use` block. */
  started(block: Fields, agent: string | undefined): ToolEvent[]
  /** A `tool_result` block and its permission record. */
  ended(block: Fields, meta: Fields): ToolEvent[]
  refused(id: string | undefined, name: string | undefined, input: Fields): ToolEvent[]
  /** True if the last tool that ended was refused. */
  wasRefusedLast(): boolean
  inputOf(id: string | undefined): Fields
  /** Name of the subagent that a line comes from; undefined for the agent itself. */
  agentOf(line: Fields): string | undefined
}

export function createToolBook(projectDir: string): ToolBook {
  const open = new Map<string, { event: ToolEvent; input: Fields }>()
  const refusals = new Set<string>()
  const agents = new Map<string, string>()
  let directory = projectDir
  let refusedLast = false

  return {
    cwd: () => directory,
    movedTo(cwd) {
      directory = cwd ?? directory
    },
    started(block, agent) {
      const id = textIn(block, 'id')
      const name = textIn(block, 'name')
      if (id === undefined || name === undefined) return []
      const input = fieldsIn(block, 'input')
      const described = describeTool(name, input, directory)
      const event: ToolEvent = { type: 'tool', id, name, ...described, input, status: 'running', agent }
      open.set(id, { event, input })
      agents.set(id, textIn(input, 'subagent_type') ?? described.title)
      return [event]
    },
    ended(block, meta) {
      const id = textIn(block, 'tool_use_id')
      if (id === undefined) return []
      const known = open.get(id)
      open.delete(id)
      refusedLast = isRefused(meta)
      if (refusals.has(id)) return []
      if (refusedLast) refusals.add(id)
      const status = refusedLast ? 'denied' : block.is_error === true ? 'failed' : 'ok'
      return [endOf(id, known?.event, 'tool', status, outputOf(block.content))]
    },
    refused(id, name, input) {
      if (id === undefined || refusals.has(id)) return []
      refusals.add(id)
      refusedLast = true
      const known = open.get(id)?.event
      const unknown = { ...describeTool(name ?? 'tool', input, directory), name: name ?? 'tool' }
      return [endOf(id, known ?? unknown, unknown.name, 'denied', undefined)]
    },
    wasRefusedLast: () => refusedLast,
    inputOf: (id) => (id === undefined ? {} : (open.get(id)?.input ?? {})),
    agentOf(line) {
      const parent = textIn(line, 'parent_tool_use_id')
      if (parent === undefined) return undefined
      return textIn(line, 'subagent_type') ?? agents.get(parent) ?? parent
    },
  }
}

function endOf(
  id: string,
  known: Pick<ToolEvent, 'name' | 'kind' | 'title' | 'agent'> | undefined,
  name: string,
  status: ToolEvent['status'],
  output: string | undefined,
): ToolEvent {
  const { kind = 'other', title = name, agent } = known ?? {}
  return { type: 'tool', id, name: known?.name ?? name, kind, title, output, status, agent }
}

function isRefused(meta: Fields): boolean {
  if (textIn(meta, 'non_execution_kind') !== undefined) return true
  return textIn(fieldsIn(meta, 'permission_decision'), 'decision') === 'reject'
}

function outputOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content.slice(-outputLimit)
  const texts = listIn({ content }, 'content').map((block) => textIn(fieldsOf(block), 'text'))
  const text = texts.filter((each) => each !== undefined).join('\n')
  return text === '' ? undefined : text.slice(-outputLimit)
}
