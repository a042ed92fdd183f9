// Runs the benchmarks, one after the other so that they do not compete: all of bench/, or those named.
//   npm run bench            npm run bench status
// Each prints ratios against something measured in the same run, since milliseconds of a machine say little.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const all = readdirSync(join(root, 'bench'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => name.replace(/\.js$/, ''))
  .sort()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`No benchmark ${unknown.join(', ')}. There are: ${all.join(', ')}.\n`)
  process.exit(2)
}
if (!existsSync(join(root, 'dist/cli.js'))) {
  process.stderr.write('The benchmarks run the built program: npm run build first.\n')
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : all) {
  process.stdout.write(`== ${name}\n`)
  const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.js`)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
