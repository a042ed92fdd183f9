// How long the first frame takes, and the start screen with what there is to choose, against the smallest program of Ink,
// bundled like ours. On a terminal, in turn, one run; the figure is the median of the ratios. node bench/start.js [runs]
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, median, onTerminal, say } from './kit.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const runs = Number(process.argv[2] ?? 15)
const dir = mkdtempSync(join(tmpdir(), 'autopilot-bench-'))
const project = join(dir, 'project')
const hello = join(dir, 'hello.mjs')

/** Milliseconds until the terminal shows each of the texts. */
async function timesTo(argv, texts) {
  const start = performance.now()
  const times = texts.map(() => undefined)
  const terminal = onTerminal(argv, {
    cwd: project,
    env: { XDG_STATE_HOME: join(dir, 'state') },
    seen(all) {
      for (const [at, text] of texts.entries())
        if (all.includes(text)) times[at] ??= performance.now() - start
      if (times.every((time) => time !== undefined)) terminal.kill()
    },
  })
  const giveUp = setTimeout(terminal.kill, 30_000)
  await terminal.ended
  clearTimeout(giveUp)
  if (times.some((time) => time === undefined)) throw new Error(`${argv} showed:\n${terminal.text()}`)
  return times
}

try {
  mkdirSync(join(project, 'docs/changes/shed'), { recursive: true })
  execFileSync('git', ['init', '-q'], { cwd: project })
  writeFileSync(
    join(project, 'docs/changes/shed/proposal.md'),
    '# A\n\n## Implementation Order\n\n### Phase 1: B\n',
  )
  await bundle('./hello.ts', hello, [])
  const ratios = { first: [], start: [] }
  const times = { hello: [], first: [], start: [] }
  for (let run = -2; run < runs; run += 1) {
    const [bare] = await timesTo([hello], ['Hello'])
    const [first, start] = await timesTo([join(root, 'bin/autopilot.js')], ['autopilot', 'type a path'])
    // The first ones only warm the disk up.
    if (run < 0) continue
    ratios.first.push(first / bare)
    ratios.start.push(start / bare)
    times.hello.push(bare)
    times.first.push(first)
    times.start.push(start)
  }
  const ms = (which) => `${median(times[which]).toFixed(0)} of ${median(times.hello).toFixed(0)} ms;`
  say('first frame', median(ratios.first), 1.25, 'x hello world of Ink', ms('first'))
  say('start screen', median(ratios.start), 1.6, 'x hello world of Ink', ms('start'))
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}
