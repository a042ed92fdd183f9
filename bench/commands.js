// How much longer the commands without a screen take than node alone, and how much longer the start screen takes
// than the smallest Ink program. Whole processes, in turn, one run; the median of the ratios is the figure.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'bin/autopilot.js')
const runs = Number(process.argv[2] ?? 11)
const dir = mkdtempSync(join(tmpdir(), 'autopilot-bench-'))

function time(argv) {
  const start = process.hrtime.bigint()
  const { status } = spawnSync(process.execPath, argv, { cwd: dir, stdio: 'ignore' })
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}`)
  return Number(process.hrtime.bigint() - start) / 1e6
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

try {
  writeFileSync(join(dir, 'spec.md'), '# A\n\n## Implementation Order\n\n### Phase 1: B\n')
  const cases = {
    status: [program, 'status'],
    inspect: [program, 'inspect', 'spec.md'],
    '--help': [program, '--help'],
  }
  for (const [name, argv] of Object.entries(cases)) {
    const ratios = []
    const times = []
    for (let run = -1; run < runs; run += 1) {
      const bare = time(['-e', '0'])
      const ours = time(argv)
      if (run < 0) continue
      ratios.push(ours / bare)
      times.push(ours)
    }
    console.log(
      `${name.padEnd(8)} ${median(ratios).toFixed(2)} x bare node (median ${median(times).toFixed(0)} ms)`,
    )
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
