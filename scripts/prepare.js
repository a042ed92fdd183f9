// Runs before a pack and when npm installs from a clone (`npm install -g .`): makes dist/. npm links such a clone
// without the packages that only the bundler needs, so these are fetched first, exactly as the lock file names them.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

function run(command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error) process.stderr.write(`${error.message}\n`)
  if (status !== 0) process.exit(status ?? 1)
}

/** The environment without what the outer npm was told: inside a global install `npm ci` would refuse to work. */
function ownEnvironment() {
  const told = /^npm_config_(global|location|prefix|local_prefix|omit|include|dry_run|package_lock_only)$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !told.test(name)))
}

let bundler = true
try {
  import.meta.resolve('esbuild')
} catch {
  bundler = false
}
if (!bundler) run('npm', ['ci', '--ignore-scripts', '--include=dev'], ownEnvironment())
run(process.execPath, ['scripts/build.js'])
