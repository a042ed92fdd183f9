import { constants } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Messages } from '@anthropic-ai/sdk/resources/messages'

// The messages of one conversation, in memory for the next request and in a file for resume: one line each, written
// as soon as it is whole. A line that was cut by a crash is dropped; tool calls without a result get one.

export type Block = Messages.ContentBlockParam

export interface Message {
  role: 'user' | 'assistant'
  content: Block[]
}

export interface StoredConversation {
  readonly messages: readonly Message[]
  /** Kept in memory and on disk; nothing is added for no blocks. */
  add(role: Message['role'], blocks: Block[]): Promise<void>
}

interface Options {
  file: string
  /** Read from here first; a missing file is an error. */
  resumeFile?: string | undefined
  /** Hides what must not be written to disk. */
  hide(text: string): string
}

/** Opens a conversation, a new one or one that goes on. Throws where the one to go on with cannot be read. */
export async function openConversation(options: Options): Promise<StoredConversation> {
  const messages = options.resumeFile === undefined ? [] : await load(options.resumeFile)
  await mkdir(dirname(options.file), { recursive: true, mode: 0o700 })
  const lines = (all: readonly Message[]) =>
    all.map((one) => `${options.hide(JSON.stringify(one))}\n`).join('')

  // Written anew under another name first: a torn tail must not stick to the next line, and nothing may get lost.
  const draft = `${options.file}.${process.pid}.tmp`
  await writeDurably(draft, lines(messages), constants.O_TRUNC)
  await rename(draft, options.file)

  return {
    messages,
    async add(role, blocks) {
      if (blocks.length === 0) return
      messages.push({ role, content: blocks })
      await writeDurably(options.file, lines([{ role, content: blocks }]), constants.O_APPEND)
    },
  }
}

async function writeDurably(path: string, text: string, how: number): Promise<void> {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants
  const file = await open(path, how | O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600)
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Messages in a form that every server takes: neighbours of one role are one message. */
export function joined(messages: readonly Message[]): Message[] {
  const out: Message[] = []
  for (const { role, content } of messages) {
    const last = out.at(-1)
    if (last?.role === role) last.content.push(...content)
    else out.push({ role, content: [...content] })
  }
  return out
}

async function load(file: string): Promise<Message[]> {
  const text = await readFile(file, 'utf8')
  const messages = text.split('\n').flatMap((line) => readMessage(line) ?? [])
  if (messages.length === 0) throw new Error(`${file} holds no message`)
  return mended(messages)
}

function readMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('role' in value) || !('content' in value))
      return undefined
    const { role, content } = value
    if ((role !== 'user' && role !== 'assistant') || !Array.isArray(content)) return undefined
    return { role, content }
  } catch {
    return undefined
  }
}

/** Every tool call needs a result before anything else is said. */
function mended(messages: Message[]): Message[] {
  return messages.flatMap((message, index) => {
    const open = callsOf(message).filter((id) => !resultsOf(messages[index + 1]).includes(id))
    return open.length === 0 ? [message] : [message, { role: 'user' as const, content: open.map(lostResult) }]
  })
}

function lostResult(id: string): Block {
  return {
    type: 'tool_result',
    tool_use_id: id,
    is_error: true,
    content:
      'The work was broken off here. It is not known whether this ran to its end: look before you repeat it.',
  }
}

function callsOf(message: Message): string[] {
  if (message.role !== 'assistant') return []
  return message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
}

function resultsOf(message: Message | undefined): string[] {
  if (message?.role !== 'user') return []
  return message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
}
