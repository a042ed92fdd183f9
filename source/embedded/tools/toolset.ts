import { join, resolve } from 'node:path'
import type { AgentToolContext } from '@anthropic-ai/sdk/tools/agent-toolset/node'
import { z } from 'zod'
import type { Access } from '../../agents/agent.js'
import { bashTool } from './bash.js'
import { excerptDiff } from './excerpt-diff.js'
import { globTool } from './glob.js'
import { type Tool, ToolFailure } from './tool.js'
import { writeTool } from './write.js'

// Reading, editing and searching come from the toolset of the SDK, confined by it to the project, through links too.
// Own ones: glob (there it needs Node 22), write (there new files are closed to everybody else) and bash (there
// children in sessions of their own outlive it).

type Toolset = typeof import('@anthropic-ai/sdk/tools/agent-toolset/node')
type SdkTool = ReturnType<Toolset['betaReadTool']>

export interface ToolsetOptions {
  access: Access
  /** Absolute. */
  cwd: string
  /** Complete environment of a command. */
  env: Record<string, string>
  commandMs: number
}

/** The tools that suit an access: without `full` no commands, with `read` no changes. */
export async function openToolset(options: ToolsetOptions): Promise<Tool[]> {
  const sdk = await import('@anthropic-ai/sdk/tools/agent-toolset/node')
  const { access, cwd } = options
  const gitDir = join(cwd, '.git')
  const context: AgentToolContext = { workdir: cwd, readOnlyRoots: [gitDir] }
  const inside = (path: string) => toFailure(sdk.resolvePath(context, path))

  async function changeable(path: string): Promise<string> {
    const real = await inside(path)
    const git = await inside(gitDir)
    if (real === git || real.startsWith(`${git}/`) || real.split('/').includes('.git')) {
      throw new ToolFailure(`${path} belongs to git itself and is not written to.`)
    }
    return real
  }

  const reading = [
    fromSdk(sdk.betaReadTool(context), 'read', 'file_path'),
    fromSdk(sdk.betaGrepTool(context), 'read', 'pattern'),
    globTool({ cwd, resolve: inside }),
  ]
  if (access === 'read') return reading
  const editing = [...reading, editTool(sdk.betaEditTool(context), changeable), writeTool(changeable)]
  return access === 'edit' ? editing : [...editing, bashTool({ ...options, cwd: resolve(cwd) })]
}

function fromSdk(tool: SdkTool, kind: Tool['kind'], titleKey: string): Tool {
  if (!('input_schema' in tool) || !('description' in tool))
    throw new Error('the SDK has other tools than expected')
  return {
    name: tool.name,
    kind,
    description: tool.description ?? '',
    inputSchema: { ...tool.input_schema },
    title: (input) => textOf(input, titleKey) ?? tool.name,
    async run(input, run) {
      const toolUse = { type: 'tool_use' as const, id: tool.name, name: tool.name, input }
      const context = { signal: run.signal, toolUse, toolUseBlock: toolUse }
      const result = await toFailure(Promise.resolve().then(() => tool.run(input, context)))
      run.output.push(typeof result === 'string' ? result : JSON.stringify(result))
    },
  }
}

const editSchema = z.object({ file_path: z.string(), old_string: z.string(), new_string: z.string() })

function editTool(sdkTool: SdkTool, changeable: (path: string) => Promise<string>): Tool {
  const tool = fromSdk(sdkTool, 'edit', 'file_path')
  const checked = async (input: unknown) => {
    const { data } = editSchema.safeParse(input)
    if (!data) throw new ToolFailure('edit needs "file_path", "old_string" and "new_string", all texts.')
    await changeable(data.file_path)
    return data
  }
  return {
    ...tool,
    async wish(input) {
      const { file_path, old_string, new_string } = await checked(input)
      const diff = excerptDiff(file_path, old_string, new_string)
      return { kind: 'edit', title: 'Edit a file', detail: file_path, diff }
    },
    async run(input, run) {
      await checked(input)
      await tool.run(input, run)
    },
  }
}

function textOf(input: unknown, key: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const value: unknown = Reflect.get(input, key)
  return typeof value === 'string' ? value : undefined
}

async function toFailure<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw new ToolFailure(error instanceof Error ? error.message : String(error))
  }
}
