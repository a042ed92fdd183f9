// How long it takes to resume a session of 40 phases in its last one, against a new session of the same spec: from the start
// of opening it to its first agent, in turn, each in a fresh copy of its project; the figure is the ratio of the medians.
// node bench/resume.js [runs]
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as settled } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const runs = Number(process.argv[2] ?? 7)
const target = 1.3
const place = mkdtempSync(join(tmpdir(), 'autopilot-bench-'))

async function makeDriver() {
  await build({
    entryPoints: {
      driver: join(root, 'bench/resume-driver.ts'),
      guard: join(root, 'source/processes/guard.ts'),
    },
    outdir: place,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'error',
  })
  writeFileSync(join(place, 'package.json'), '{"type":"module"}\n')
}

function drive(...args) {
  const env = { ...process.env, HOME: join(place, 'home'), XDG_STATE_HOME: join(place, 'state') }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(place, 'driver.js'), ...args], {
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error(`the driver ended with ${status}: ${stderr}`)
  return Number(stdout.trim() || 0)
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

try {
  await makeDriver()
  const times = { new: [], old: [] }
  const kept = join(place, 'kept')
  for (let run = 0; run < runs; run += 1) {
    for (const kind of ['new', 'old']) {
      // The seal of a session belongs to its place, so both always lie at the same one.
      const project = join(place, kind)
      if (run === 0) {
        mkdirSync(join(place, 'state'), { recursive: true })
        drive('make', project, kind)
        cpSync(project, `${kept}-${kind}`, { recursive: true })
        cpSync(join(place, 'state'), `${kept}-${kind}-state`, { recursive: true, force: true })
      } else {
        rmSync(project, { recursive: true })
        cpSync(`${kept}-${kind}`, project, { recursive: true })
      }
      rmSync(join(place, 'state'), { recursive: true, force: true })
      cpSync(`${kept}-${kind}-state`, join(place, 'state'), { recursive: true })
      // Of a file that was just written nobody can say whether it is written again, so it is read each time: nobody resumes
      // a session within a second.
      await settled(1100)
      times[kind].push(drive('start', project))
    }
  }
  const ratio = median(times.old) / median(times.new)
  const line = `new ${median(times.new).toFixed(0)} ms, resumed ${median(times.old).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (at most ${target})`
  process.stdout.write(`${line}\n`)
  process.exitCode = ratio <= target ? 0 : 1
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
}
