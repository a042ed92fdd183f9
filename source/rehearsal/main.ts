import { rehearse } from './harness/rehearse.js'

// The scripted agent as a program: speaks the command backend's contract (design.md section 4).

async function wholeInput(): Promise<string> {
  if (process.stdin.isTTY) return ''
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}

// Whoever started us is gone: nobody is left to work for.
process.stdout.on('error', () => process.exit(1))

try {
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
