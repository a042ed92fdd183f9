// Everything that has to hold before a change lands: build, lint, types, arrows between rooms, citations, limits, then
// the tests, one kind after the other so that terminal tests do not compete with unit tests for the processor.
// `npm test` takes from the long kinds what stands for the rest; `npm run test:full` takes all of them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const full = process.argv.includes('--full')

/** Files of the long kinds that every check runs. Kills at every line and replays of old journals are for the full one. */
const standing = {
  plays: [
    'harness/',
    'lifecycle/',
    ...['going-on', 'screens', 'split', 'start-gates', 'straight', 'talks', 'ways-back'].map(
      (name) => `playbook/${name}`,
    ),
  ].map((name) => `test/plays/${name}`),
  e2e: [
    'demo',
    'plain',
    'command-agent',
    'cockpit',
    'every-question',
    'fourth',
    'lifecycle.',
    'playbook.',
    'quick',
  ].map((name) => `test/e2e/${name}`),
  crash: ['store-faults', 'taken-over'].map((name) => `test/crash/${name}`),
}

const reports = mkdtempSync(join(tmpdir(), 'autopilot-check-'))
let passed = 0
let failed = 0
const failures = []
const times = []
const began = performance.now()

function run(title, command, args, more = {}) {
  process.stdout.write(`\n== ${title}\n`)
  const start = performance.now()
  const env = { ...process.env, ...more }
  // Node reads all of them at each start, longer than the start itself takes; nothing here speaks to the outside.
  if (!full) delete env.NODE_EXTRA_CA_CERTS
  // What fails in a check fails in the next one too; the full one tries new inputs.
  if (!full) env.AUTOPILOT_TEST_SEED ??= '1'
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  if (error) process.stderr.write(`${error.message}\n`)
  times.push(`${title} ${Math.round((performance.now() - start) / 1000)} s`)
  return status === 0
}

function check(title, command, args) {
  if (run(title, command, args)) {
    passed += 1
    return true
  }
  failed += 1
  failures.push(title)
  return false
}

function tests(project, { title = project, reporter = 'default', env, files = [] } = {}) {
  const file = join(reports, `${title.replaceAll(/\W+/g, '-')}.json`)
  const args = [
    'vitest',
    'run',
    '--project',
    project,
    `--reporter=${reporter}`,
    '--reporter=json',
    `--outputFile=${file}`,
    ...files,
  ]
  const clean = run(`tests: ${title}`, 'npx', args, env)
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    report = { numPassedTests: 0, numFailedTests: 1 }
  }
  passed += report.numPassedTests
  failed += report.numFailedTests
  // A file that does not load fails without a failed test in it.
  if (!clean && report.numFailedTests === 0) failed += 1
  if (!clean) failures.push(`tests: ${title}`)
}

/** Liars and honest twins, one line each, with confinement and without it: the listed ones, in the full check all of them. */
function liars() {
  const env = full ? { LIARS_WHICH: 'all' } : {}
  tests('liars', { reporter: './test/liars/reporter.ts', env })
}

/** The kinds of tests are the projects of vitest.config.ts. */
function isThere(project) {
  return readFileSync('vitest.config.ts', 'utf8').includes(`name: '${project}'`)
}

try {
  const built = check('build', process.execPath, ['scripts/build.js'])
  check('lint', 'npx', ['biome', 'check', '.'])
  check('types', 'npx', ['tsc', '--noEmit'])
  check('arrows', 'npx', ['depcruise', '--config', '.dependency-cruiser.cjs', 'source'])
  check('citations', process.execPath, ['scripts/citations.js'])
  check('limits', process.execPath, ['scripts/limits.js'])
  for (const project of ['unit', 'mocked', 'screens', 'programs', 'plays', 'e2e', 'crash'].filter(isThere)) {
    if (built || ['unit', 'screens'].includes(project))
      tests(project, { files: full ? [] : standing[project] })
  }
  if (built && isThere('liars')) liars()
} finally {
  rmSync(reports, { recursive: true, force: true })
}

process.stdout.write(`\n${times.join(', ')}; in all ${Math.round((performance.now() - began) / 1000)} s\n`)
if (failures.length > 0) process.stdout.write(`\nFailed: ${failures.join(', ')}\n`)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
