// node bench/journal.js: what a long session costs, as ratios of its last thousand facts to the first thousand of another
// (docs/durability.md). 12,000 facts, 1,000 of them images of a 100 KB state, 100 of those transitions.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// In memory where the system has that: the disk would be measured otherwise.
const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'autopilot-bench-'))
const driver = join(dir, 'driver.mjs')

try {
  await build({
    entryPoints: [fileURLToPath(new URL('./journal-driver.ts', import.meta.url))],
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
  const line = (name, value, bound) =>
    console.log(`${name.padEnd(30)} ${value.padStart(10)}   (at most ${bound})`)
  line(`journal of ${result.facts} facts`, `${(result.journalBytes / 1e6).toFixed(1)} MB`, '15 MB')
  line('opening it again', `${result.resumeMs.toFixed(0)} ms`, '1000 ms')
  line('time per fact, last/first', result.time.toFixed(2), '1.20')
  line('bytes written, last/first', result.written.toFixed(2), '1.20')
  line('bytes read, last/first', result.read.toFixed(2), '1.20')
  console.log(
    `${'a summary for a list'.padEnd(30)} ${`${result.digestMs.toFixed(1)} ms`.padStart(10)}   (${result.wholeMs.toFixed(0)} ms from the whole journal)`,
  )
} finally {
  rmSync(dir, { recursive: true, force: true })
}
