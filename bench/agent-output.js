// node bench/agent-output.js: what it costs our own process to read a talkative command agent, with log, redaction and
// screen. Bytes per second of our CPU time, beside the targets (docs/agents.md, "The command agent").
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const MB = 1e6
const cases = [
  { name: '50-byte lines', kind: 'plain', bytes: 200 * MB, unit: 'MB', target: 60 },
  { name: 'JSON events', kind: 'events', bytes: 60 * MB, unit: 'MB', target: 20 },
  { name: '3-byte lines', kind: 'short', bytes: 60 * MB, unit: 'million lines', target: 2 },
]
const mostMemory = 250

const dir = mkdtempSync(join(tmpdir(), 'autopilot-bench-'))
const driver = join(dir, 'driver.mjs')
try {
  await build({
    entryPoints: [fileURLToPath(new URL('./agent-output-driver.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: driver,
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url)" },
    logLevel: 'error',
  })
  for (const { name, kind, bytes, unit, target } of cases) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [driver, dir, kind, String(bytes)], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the driver ended with ${status}: ${stderr}`)
    const { seconds, lines, rss, log } = JSON.parse(stdout)
    const rate = (unit === 'MB' ? bytes / MB : lines / 1e6) / seconds
    const isGood = rate >= target && rss <= mostMemory * MB
    console.log(
      [
        name.padEnd(14),
        `${rate.toFixed(1).padStart(7)} ${unit} per CPU second (at least ${target})`,
        `${(rss / MB).toFixed(0)} MB of memory (at most ${mostMemory})`,
        `log of ${(log / MB).toFixed(0)} MB`,
        isGood ? '' : 'MISSED',
      ].join('  '),
    )
    if (!isGood) process.exitCode = 1
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
