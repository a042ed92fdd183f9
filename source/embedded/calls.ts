import { join, relative } from 'node:path'
import type { Block } from './conversation.js'
import { createOutputRecord } from './output-record.js'
import type { Permissions } from './permissions.js'
import type { Emit } from './protocol.js'
import { type Tool, ToolFailure } from './tools/tool.js'

/** A tool call of the model. */
export interface Call {
  id: string
  name: string
  input: unknown
}

export interface CallKit {
  tools: readonly Tool[]
  permissions: Permissions
  emit: Emit
  signal: AbortSignal
  cwd: string
  /** Absolute. */
  outputDir: string
  /** Never shown to the model nor written to disk. */
  keys: readonly string[]
}

/** Runs one call, permitted if it needs that, and returns what the model is told. Throws only when interrupted. */
export async function runCall(call: Call, number: number, kit: CallKit): Promise<Block> {
  const tool = kit.tools.find((each) => each.name === call.name)
  if (!tool) return result(call, `There is no tool "${call.name}" here.`, true)
  const shown = {
    type: 'tool',
    id: call.id,
    name: tool.name,
    kind: tool.kind,
    title: tool.title(call.input),
  } as const

  const file = join(kit.outputDir, `${number}-${tool.name}.txt`)
  const output = createOutputRecord({ file, shownAs: relative(kit.cwd, file), keys: kit.keys })
  let failure: string | undefined
  try {
    const wish = await tool.wish?.(call.input)
    const permission = wish ? await kit.permissions.check(wish, kit.signal) : undefined
    if (permission && !permission.allowed) {
      kit.emit({ ...shown, input: call.input, status: 'denied' })
      return result(call, `The person did not permit this. ${permission.reason}`, true)
    }
    kit.emit({ ...shown, input: call.input, diff: wish?.diff, status: 'running' })
    await tool.run(call.input, { signal: kit.signal, output })
  } catch (error) {
    if (kit.signal.aborted && !(error instanceof ToolFailure)) throw error
    failure = error instanceof Error ? error.message : String(error)
  } finally {
    output.close()
  }
  kit.emit({
    ...shown,
    output: withFailure(output.forPane(), failure),
    status: failure === undefined ? 'ok' : 'failed',
  })
  return result(call, withFailure(output.forModel(), failure), failure !== undefined)
}

function withFailure(output: string, failure: string | undefined): string {
  if (failure === undefined) return output
  return output === '' ? failure : `${output.replace(/\n$/, '')}\n[${failure}]`
}

export function result(call: Pick<Call, 'id'>, text: string, isError = false): Block {
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: [{ type: 'text', text: text.trim() === '' ? '(no output)' : text }],
    is_error: isError,
  }
}
