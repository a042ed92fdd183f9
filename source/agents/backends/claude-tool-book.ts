import type { AgentEvent } from '../agent.js'
import { type Fields, fieldsIn, fieldsOf, listIn, textIn } from '../fields.js'
import { without, withValue } from '../read-only-map.js'
import { describeTool } from './claude-tools.js'

type ToolEvent = Extract<AgentEvent, { type: 'tool' }>

/** Characters of a tool's output that are handed on, from its end; the log has all of it. */
const outputLimit = 200_000

/** The tools of one conversation: what was started, by whom, and how it ended. Each refusal is told once. */
export interface ToolBook {
  /** Where the agent works; it may move. */
  cwd: string
  open: ReadonlyMap<string, { event: ToolEvent; input: Fields }>
  refusals: ReadonlySet<string>
  /** Names of subagents by the tool that started them. */
  agents: ReadonlyMap<string, string>
  /** The last tool that ended was refused. */
  refusedLast: boolean
}

type Entry = [ToolBook, ToolEvent[]]

export function openToolBook(cwd: string): ToolBook {
  return { cwd, open: new Map(), refusals: new Set(), agents: new Map(), refusedLast: false }
}

/** A `tool_use` block. */
export function toolStarted(book: ToolBook, block: Fields, agent: string | undefined): Entry {
  const id = textIn(block, 'id')
  const name = textIn(block, 'name')
  if (id === undefined || name === undefined) return [book, []]
  const input = fieldsIn(block, 'input')
  const described = describeTool(name, input, book.cwd)
  const event: ToolEvent = { type: 'tool', id, name, ...described, input, status: 'running', agent }
  const agents = withValue(book.agents, id, textIn(input, 'subagent_type') ?? described.title)
  return [{ ...book, agents, open: withValue(book.open, id, { event, input }) }, [event]]
}

/** A `tool_result` block and its permission record. */
export function toolEnded(before: ToolBook, block: Fields, meta: Fields): Entry {
  const id = textIn(block, 'tool_use_id')
  if (id === undefined) return [before, []]
  const known = before.open.get(id)?.event
  const refusedLast = isRefused(meta)
  const book = { ...before, refusedLast, open: without(before.open, id) }
  if (book.refusals.has(id)) return [book, []]
  const status = refusedLast ? 'denied' : block.is_error === true ? 'failed' : 'ok'
  const ended = endOf(id, known, { name: 'tool', output: outputOf(block.content), status })
  return [refusedLast ? withRefusal(book, id) : book, [ended]]
}

/** A tool was refused, perhaps before it was seen. */
export function toolRefused(
  book: ToolBook,
  { id, name = 'tool', input }: { id: string | undefined; name: string | undefined; input: Fields },
): Entry {
  if (id === undefined || book.refusals.has(id)) return [book, []]
  const known = book.open.get(id)?.event ?? { ...describeTool(name, input, book.cwd), name }
  const ended = endOf(id, known, { name, output: undefined, status: 'denied' })
  return [{ ...withRefusal(book, id), refusedLast: true }, [ended]]
}

export function toolInput(book: ToolBook, id: string | undefined): Fields {
  return id === undefined ? {} : (book.open.get(id)?.input ?? {})
}

/** Name of the subagent that a line comes from; undefined for the agent itself. */
export function agentOf(book: ToolBook, line: Fields): string | undefined {
  const parent = textIn(line, 'parent_tool_use_id')
  if (parent === undefined) return undefined
  return textIn(line, 'subagent_type') ?? book.agents.get(parent) ?? parent
}

function withRefusal(book: ToolBook, id: string): ToolBook {
  return { ...book, refusals: new Set(book.refusals).add(id) }
}

type Known = Pick<ToolEvent, 'name' | 'kind' | 'title' | 'agent'>

function endOf(
  id: string,
  known: Known | undefined,
  told: { name: string; output: string | undefined; status: ToolEvent['status'] },
): ToolEvent {
  const { name = told.name, agent } = known ?? {}
  const { kind = 'other', title = told.name } = known ?? {}
  const { output, status } = told
  return { type: 'tool', id, name, kind, title, output, status, agent }
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
