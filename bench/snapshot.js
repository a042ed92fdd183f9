// What a snapshot of an unchanged tree and its comparison with the one before cost against one `git status` of the same
// tree, measured in turn with git; the figure is the median of the ratios.
//   node bench/snapshot.js [runs] [files ...]      default: 15 runs, trees of 2,000 and 50,000 files
// A tree with 2 GB of untracked output in 50,000 files and one with a file of 300 MB follow (`--no-output` leaves them
// out); they must cost nothing after the first time, and the project's .git must not grow. git status
// stops at the name of a directory of output, while a snapshot looks at every file in it: there it is compared with a
// tree in which as many files are tracked.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(dirname(fileURLToPath(import.meta.url)))
const words = process.argv.slice(2)
const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number)
const runs = numbers[0] ?? 15
const sizes = numbers.length > 1 ? numbers.slice(1) : [2_000, 50_000]
const withOutput = !words.includes('--no-output')
const target = 1.5
const base = mkdtempSync(join(tmpdir(), 'autopilot-bench-'))

const git = (cwd, ...args) => execFileSync('git', args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })

async function load() {
  const outfile = join(base, 'snapshot.mjs')
  const contents = `export * from './source/project/snapshot/snapshot.ts'\nexport * from './source/project/snapshot/compare.ts'`
  const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error', outfile }
  const banner = {
    js: `import { createRequire } from 'node:module'; const require = createRequire('file:///')`,
  }
  await build({ ...options, banner, stdin: { contents, resolveDir: here, loader: 'ts' } })
  return await import(outfile)
}

/** A repository with so many small files, committed. */
function makeTree(files) {
  const root = join(base, `tree-${files}-${readdirSync(base).length}`)
  mkdirSync(root)
  git(root, 'init', '-q')
  git(root, 'config', 'gc.auto', '0')
  git(root, 'config', 'user.name', 'Bench')
  git(root, 'config', 'user.email', 'bench@example.org')
  write(root, files, 200)
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '-m', 'all')
  git(root, 'status')
  return root
}

function write(root, files, bytes) {
  const text = Buffer.alloc(bytes, 'x')
  for (let at = 0; at < files; at += 1) {
    const directory = join(root, `d${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(directory, { recursive: true })
    text.write(`${at}\n`)
    writeFileSync(join(directory, `f${at}.txt`), text)
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

async function timed(action) {
  const start = process.hrtime.bigint()
  await action()
  return Number(process.hrtime.bigint() - start) / 1e6
}

function directoryBytes(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0)
}

/** The longest time that keys would have waited during three snapshots. */
async function longestPause(room, place) {
  let last = process.hrtime.bigint()
  let longest = 0
  const beat = setInterval(() => {
    const now = process.hrtime.bigint()
    longest = Math.max(longest, Number(now - last) / 1e6)
    last = now
  }, 1)
  for (let run = 0; run < 3; run += 1) await room.takeSnapshot(place)
  clearInterval(beat)
  return longest
}

/** `statusRoot` is the tree that git is asked about, where it is another one. */
async function measure(room, root, name, statusRoot = root) {
  const place = { root, store: join(base, `store-${name.replaceAll(/\W+/g, '-')}`) }
  const gitBefore = directoryBytes(join(root, '.git'))
  const first = await timed(async () => await room.takeSnapshot(place))
  let before = await room.takeSnapshot(place)
  const figures = { git: [], ours: [], ratio: [] }
  for (let run = -2; run < runs; run += 1) {
    const status = await timed(() =>
      spawnSync('git', ['status', '--porcelain'], { cwd: statusRoot, stdio: 'ignore' }),
    )
    const ours = await timed(async () => {
      const after = await room.takeSnapshot(place)
      const found = await room.compareSnapshots(place, { before, after })
      if (found.length > 0) throw new Error(`${name}: ${found.length} differences where nothing changed`)
      before = after
    })
    if (run < 0) continue
    figures.git.push(status)
    figures.ours.push(ours)
    figures.ratio.push(ours / status)
  }
  const ratio = median(figures.ratio)
  const grown = directoryBytes(join(root, '.git')) - gitBefore
  const told = [
    `${ratio.toFixed(2)} x git status${statusRoot === root ? '' : ' of as many tracked files'} (target: at most ${target})`,
    `git ${median(figures.git).toFixed(0)} ms, ours ${median(figures.ours).toFixed(0)} ms, first ${first.toFixed(0)} ms`,
    `longest pause ${(await longestPause(room, place)).toFixed(0)} ms`,
    `.git grew by ${grown} bytes`,
  ]
  const ok = ratio <= target && grown < 4096
  console.log(`${name.padEnd(34)} ${told.join('; ')} ${ok ? 'ok' : 'MISSED'}`)
  if (!ok) process.exitCode = 1
}

try {
  const room = await load()
  for (const files of sizes) await measure(room, makeTree(files), `${files} files`)
  if (withOutput) {
    const output = makeTree(2_000)
    write(join(output, 'output'), 50_000, 40 * 1024)
    await measure(room, output, '2,000 files, 2 GB of output', makeTree(52_000))
    rmSync(output, { recursive: true })
    const large = makeTree(2_000)
    writeFileSync(join(large, 'large.bin'), Buffer.alloc(300 * 1024 * 1024, 'y'))
    await measure(room, large, '2,000 files, one of 300 MB')
  }
} finally {
  rmSync(base, { recursive: true, force: true })
}
