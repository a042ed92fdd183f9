// How long `autopilot status` and `autopilot sessions` take against node alone, and the memory of `status`. Whole
// processes of the bundle whose output is read, each measured in turn with a bare node; the figure is the median of the
// ratios. The project holds one session whose journal has 12,000 facts (bench/status.js [runs] [project]: that project
// instead).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'bin/autopilot.js')
const runs = Number(process.argv[2] ?? 21)
const given = process.argv[3]
const targets = { ratio: 1.6, megabytes: 80 }

// In memory where the system has that: making the journal would take minutes otherwise.
const made =
  given === undefined
    ? mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'autopilot-bench-'))
    : undefined
const dir = given ?? join(made, 'project')

async function makeProject() {
  const driver = join(made, 'driver.mjs')
  await build({
    entryPoints: [join(root, 'scripts/sample-session.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    outfile: driver,
    logLevel: 'error',
  })
  const { status, stderr } = spawnSync(process.execPath, [driver, dir, '12000'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the driver ended with ${status}: ${stderr}`)
}

/** Milliseconds of one process. */
function time(argv) {
  const start = process.hrtime.bigint()
  const { status } = spawnSync(process.execPath, argv, { cwd: dir })
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}`)
  return Number(process.hrtime.bigint() - start) / 1e6
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function ratioOf(argv) {
  const ratios = []
  for (let run = -2; run < runs; run += 1) {
    const bare = time(['-e', '0'])
    const ours = time(argv)
    // The first ones only warm the disk up.
    if (run >= 0) ratios.push(ours / bare)
  }
  return median(ratios)
}

/** Largest resident size of a process of `status`, in megabytes. */
function memory() {
  const code = `
    process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))
    process.argv.splice(1, 1, ${JSON.stringify(program)}, 'status')
    await import(${JSON.stringify(program)})`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, '-'], { cwd: dir })
  return Number(/(\d+)\s*$/.exec(String(stderr))?.[1]) / 1024
}

function say(name, figure, target, unit) {
  const verdict = figure <= target ? 'ok' : 'MISSED'
  console.log(`${name.padEnd(20)} ${figure.toFixed(2)} ${unit} (target: at most ${target}) ${verdict}`)
  if (figure > target) process.exitCode = 1
}

try {
  if (made !== undefined) await makeProject()
  for (const argv of [['status'], ['status', '--json'], ['sessions'], ['--version']]) {
    say(argv.join(' '), ratioOf([program, ...argv]), targets.ratio, 'x bare node')
  }
  say('status, memory', memory(), targets.megabytes, 'MB')
} finally {
  if (made !== undefined) rmSync(made, { recursive: true, force: true })
}
