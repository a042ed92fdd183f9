import { readFile } from 'node:fs/promises'
import { defaultRehearsal, rehearsals } from './registry.js'

// The scripted agent as a program: speaks the command backend's contract (docs/agents.md, "The command agent").

async function wholeInput(): Promise<string> {
  if (process.stdin.isTTY) return ''
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}

// Whoever started us is gone: nobody is left to work for.
process.stdout.on('error', () => process.exit(1))

/** The workflow that its order is of; an order that cannot be read is told by the one that plays it. */
async function workflowOf(path: string | undefined): Promise<string> {
  try {
    const { workflow } = JSON.parse(await readFile(path ?? '', 'utf8')) as { workflow?: unknown }
    return typeof workflow === 'string' ? workflow : defaultRehearsal
  } catch {
    return defaultRehearsal
  }
}

try {
  const name = await workflowOf(process.env.AUTOPILOT_DISPATCH)
  const load = rehearsals[name]
  if (!load) throw new Error(`There is no rehearsal of a workflow named "${name}".`)
  const { rehearse } = await load()
  await rehearse({
    env: process.env,
    cwd: process.cwd(),
    prompt: wholeInput(),
    write: (line) => void process.stdout.write(line),
  })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
