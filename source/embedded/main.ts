import { serve } from './serve.js'

// The embedded agent as a program of its own: `node embedded.js`, request on stdin, events on stdout.

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
// Nobody reads any more: whoever started us is gone.
process.stdout.on('error', () => stop.abort())

const code = await serve({
  input: process.stdin,
  write: (line) => process.stdout.write(`${line}\n`),
  env: process.env,
  stop,
})
process.stdout.write('', () => process.exit(code))
