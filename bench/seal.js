// node bench/seal.js: what the chain and the seal of a journal add to the durable appends of a run, as a ratio
// (docs/durability.md, "The seal"). Two journals on the disk of this directory, fact by fact in turn; medians.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const dir = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'autopilot-bench-seal-'))
const driver = join(dir, 'driver.mjs')

try {
  await build({
    entryPoints: [fileURLToPath(new URL('./seal-driver.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: driver,
    logLevel: 'error',
  })
  const { status, stderr } = spawnSync(process.execPath, [driver, dir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the driver ended with ${status}: ${stderr}`)
  const result = JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8'))
  const line = (name, value, bound) => console.log(`${name.padEnd(34)} ${value.padStart(10)}   ${bound}`)
  line('a durable append, bare', `${(result.bareMs * 1000).toFixed(0)} us`, '')
  line('the same, chained and sealed', `${(result.sealedMs * 1000).toFixed(0)} us`, '')
  line('ratio', result.ratio.toFixed(3), '(at most 1.10)')
  line(
    `checking a chain of ${result.lines} lines`,
    `${result.checkMs.toFixed(0)} ms`,
    `${(result.bytes / 1e6).toFixed(1)} MB`,
  )
} finally {
  rmSync(dir, { recursive: true, force: true })
}
