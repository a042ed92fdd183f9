// A program on a pseudo-terminal, and sources of bench/ as programs, for the benchmarks that need a screen.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { fastFrames, withoutDevtools } from '../scripts/ink-parts.js'

const require = createRequire(import.meta.url)
const pty = require('@lydell/node-pty')

/**
 * Starts a program on a terminal of 120x40. `seen` is called with everything it wrote so far, `ended` settles with its exit
 * code.
 */
export function onTerminal(argv, { cwd, env = {}, seen = () => undefined }) {
  const child = pty.spawn(process.execPath, argv, {
    name: 'xterm-256color',
    cols: 120,
    rows: 40,
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
  })
  let text = ''
  child.onData((data) => {
    text += data
    seen(text)
  })
  const ended = new Promise((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)))
  return {
    ended,
    press: (key) => child.write(key),
    kill: () => child.kill('SIGKILL'),
    text: () => text,
    bytes: () => Buffer.byteLength(text),
  }
}

/**
 * An event loop with nothing to do, in a process of its own: what it lags is what this machine makes every program wait.
 * `end` settles with the milliseconds of its 95th and 99th percentile.
 */
export function idleLoop() {
  const program = `
    const lag = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 })
    lag.enable()
    const at = (percent) => Math.max(0, lag.percentile(percent) / 1e6 - 5)
    process.stdin.on('end', () => process.stdout.write(JSON.stringify({ p95: at(95), p99: at(99) }))).resume()`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    told += text
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  return {
    async end() {
      child.stdin.end()
      await closed
      return JSON.parse(told)
    },
  }
}

/** The options of the product's own bundle; without `fastFrames` Ink is as it comes. */
export async function bundle(source, outfile, others = [fastFrames]) {
  await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    jsx: 'automatic',
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    plugins: [withoutDevtools, ...others],
    outfile,
    logLevel: 'error',
  })
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** One line of a table: a figure beside its target. */
export function say(name, figure, target, unit, more = '') {
  const isGood = figure <= target
  const told = `${figure.toFixed(figure < 10 ? 2 : 0)} ${unit} (at most ${target})`
  console.log(`${name.padEnd(46)} ${told} ${more} ${isGood ? 'ok' : 'MISSED'}`)
  if (!isGood) process.exitCode = 1
}
