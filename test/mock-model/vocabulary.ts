import { fields, list } from './json.js'
import { type Answer, type Call, type ModelRequest, type Tool, turn } from './turn.js'

// The same wish in the words of each client's own tools.

function find(request: ModelRequest, ...names: string[]): Tool | undefined {
  return names.flatMap((name) => request.tools.find((tool) => tool.name === name) ?? [])[0]
}

/** The input key that the tool's schema has, of several spellings. */
function keyOf(tool: Tool, ...names: string[]): string {
  const known = tool.schema?.properties ?? {}
  return names.find((name) => name in known) ?? names[0] ?? ''
}

function patchThatAdds(path: string, content: string): string {
  const lines = content.replace(/\n$/, '').split('\n')
  const added = lines.map((line) => `+${line}`)
  return ['*** Begin Patch', `*** Add File: ${path}`, ...added, '*** End Patch', ''].join('\n')
}

/** A command that writes a file with exactly this content. */
export function writingCommand(path: string, content: string): string {
  const end = 'END_OF_MOCK_FILE'
  const folder = path.includes('/') ? `mkdir -p '${path.slice(0, path.lastIndexOf('/'))}' && ` : ''
  const whole = content.endsWith('\n') ? content : `${content}\n`
  return `${folder}cat > '${path}' <<'${end}'\n${whole}${end}`
}

/** Writes a new file; undefined where no tool that could is offered. */
export function writeCall(request: ModelRequest, path: string, content: string): Call | undefined {
  const patch = find(request, 'apply_patch')
  if (patch) {
    const plain = patch.schema === undefined
    const text = patchThatAdds(path, content)
    return { name: patch.name, plain, input: plain ? text : { [keyOf(patch, 'input', 'patch')]: text } }
  }
  const write = find(request, 'Write', 'write', 'write_file')
  if (!write) return bashCall(request, writingCommand(path, content))
  return { name: write.name, input: { [keyOf(write, 'file_path', 'filePath', 'path')]: path, content } }
}

/** Runs a shell command; undefined where no tool that could is offered. */
export function bashCall(request: ModelRequest, command: string): Call | undefined {
  const tool = find(request, 'Bash', 'bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell')
  if (!tool) return undefined
  if (tool.name === 'shell') return { name: 'shell', input: { command: ['bash', '-c', command] } }
  const known = tool.schema?.properties ?? {}
  const more = 'description' in known ? { description: 'Run a command of the test' } : {}
  return { name: tool.name, input: { [keyOf(tool, 'command', 'cmd')]: command, ...more } }
}

export function readCall(request: ModelRequest, path: string): Call | undefined {
  const tool = find(request, 'Read', 'read', 'read_file')
  if (!tool) return bashCall(request, `cat '${path}'`)
  return { name: tool.name, input: { [keyOf(tool, 'file_path', 'filePath', 'path')]: path } }
}

/** Asks the person something, where the client has a tool for that. */
export function askCall(request: ModelRequest): Call | undefined {
  const tool = find(request, 'AskUserQuestion', 'request_user_input', 'ask_user', 'question')
  if (!tool) return undefined
  if (tool.name !== 'AskUserQuestion') return { name: tool.name, input: exampleOf(tool.schema) }
  const options = ['Red', 'Blue'].map((label) => ({ label, description: `Take ${label}` }))
  const question = { question: 'Which colour?', header: 'Colour', multiSelect: false, options }
  return { name: tool.name, input: { questions: [question] } }
}

/** Tool through which the client takes the structured result. */
export function reportTool(request: ModelRequest): Tool | undefined {
  return find(request, 'StructuredOutput', 'report_result')
}

/** Hands a result over in the way this client was told to expect. */
export function deliver(request: ModelRequest, result: unknown, prose: string): Answer {
  const tool = reportTool(request)
  if (tool) {
    return wasAccepted(request, tool)
      ? turn({ text: prose })
      : turn({ text: prose, calls: [{ name: tool.name, input: result }] })
  }
  if (request.answerSchema !== undefined) return turn({ text: JSON.stringify(result) })
  return turn({ text: `${prose}\n\n\`\`\`json\n${JSON.stringify(result, undefined, 1)}\n\`\`\`\n` })
}

/** The last thing the model did was to report, and it was taken. */
function wasAccepted(request: ModelRequest, tool: Tool): boolean {
  const last = request.messages.findLast((message) => message.role === 'assistant')
  const call = last?.parts.find((part) => part.type === 'call' && part.name === tool.name)
  if (call?.type !== 'call') return false
  const reply = request.toolResults.find((result) => result.id === call.id)
  return reply !== undefined && !reply.failed
}

/** A value that fits a JSON Schema: required keys only, first choices. */
export function exampleOf(schema: unknown): unknown {
  const given = fields(schema)
  if (given.const !== undefined) return given.const
  if (Array.isArray(given.enum)) return given.enum[0]
  const choice = list(given.anyOf ?? given.oneOf)[0]
  if (choice) return exampleOf(choice)
  switch (Array.isArray(given.type) ? given.type[0] : given.type) {
    case 'object': {
      const properties = fields(given.properties)
      const required = Array.isArray(given.required) ? given.required.map(String) : []
      return Object.fromEntries(required.map((key) => [key, exampleOf(properties[key])]))
    }
    case 'array':
      return Number(given.minItems ?? 0) > 0 ? [exampleOf(given.items)] : []
    case 'number':
    case 'integer':
      return Number(given.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'mock'
  }
}
