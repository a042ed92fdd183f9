// What does not grow with how long a run is: memory over ten million lines, the search in a log of a million, a durable
// transition of a 100 KB state against its file alone, opening a journal of 100,000 records (docs/terminal.md, "Speed";
// docs/durability.md). node bench/long.js [case ...]
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle, say } from './kit.mjs'

const all = ['memory', 'search', 'transition', 'resume']
const words = process.argv.slice(2)
const wanted = words.length > 0 ? words : all
const dir = mkdtempSync(join(tmpdir(), 'autopilot-bench-'))
const driver = join(dir, 'driver.mjs')

const tell = {
  memory: ({ grown, lines }) => say('heap growth over 10 million lines', grown, 20, 'MB', `${lines} lines;`),
  search: ({ ms }) => say('first hit in a log of 1,000,000 lines', ms, 300, 'ms'),
  transition: ({ ours, alone, making, kilobytes }) =>
    say(
      `durable transition of a ${kilobytes.toFixed(0)} KB state`,
      ours / alone,
      1.3,
      'x its file alone',
      `${ours.toFixed(1)} of ${alone.toFixed(1)} ms, ${making.toFixed(1)} ms of ours to make and compare its bytes;`,
    ),
  resume: ({ ms }) => say('opening a journal of 100,000 records', ms, 1000, 'ms'),
}

try {
  await bundle('./long-driver.ts', driver)
  for (const name of wanted) {
    // Making a long journal would take minutes on a disk, and only opening it is measured.
    const place = name === 'resume' && existsSync('/dev/shm') ? mkdtempSync('/dev/shm/autopilot-bench-') : dir
    const argv = ['--expose-gc', driver, place, name]
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
    if (place !== dir) rmSync(place, { recursive: true, force: true })
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
    tell[name](JSON.parse(stdout))
  }
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}
