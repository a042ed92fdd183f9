// Pictures for the readme, taken from a real run of `autopilot demo` in a pseudo-terminal: a film of it, and stills of
// a gate, of the evidence behind it, and of the last page.   npm run pictures   (after npm run build)
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { colorOf, film, still } from './picture-svg.js'

const require = createRequire(import.meta.url)
const { Terminal } = require('@xterm/headless')
const pty = require('@lydell/node-pty')

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pictures = join(root, 'docs', 'pictures')
const [cols, rows] = [100, 30]
/** How often the screen is looked at; what changes faster is not seen in the film. */
const sampleMs = 800
/** A screen stays this long at most in the film, and the film runs faster than the run. */
const longestMs = 1500
const speed = 2
/** Time of a person to read a question, in the film. */
const readingMs = 2400
const patienceMs = 240_000

const gateLine = /^── .+ ─+ (?:Q-[A-Z-]+|human-verify|human-action|decision) ──$/m
const isGate = (screen) =>
  gateLine.test(screen) && !/keys count in a moment|did nothing; wait a moment/.test(screen)
const isOver = (screen) => screen.includes('── Finished')

async function take() {
  const folder = mkdtempSync(join(tmpdir(), 'autopilot-pictures-'))
  const display = new Terminal({ cols, rows, allowProposedApi: true })
  const child = pty.spawn(process.execPath, [join(root, 'bin', 'autopilot.js'), 'demo'], {
    name: 'xterm-256color',
    cols,
    rows,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  })
  let ended = false
  child.onExit(() => {
    ended = true
  })
  child.onData((data) => display.write(data))
  display.onData((reply) => {
    if (!ended) child.write(reply)
  })
  const camera = startCamera(display)
  const stills = {}
  try {
    const deadline = performance.now() + patienceMs
    for (;;) {
      if (ended || performance.now() > deadline)
        throw new Error(`The demo did not finish:\n${textOf(display)}`)
      const screen = textOf(display)
      if (isOver(screen)) break
      if (!isGate(screen)) {
        await delay(50)
        continue
      }
      await delay(readingMs)
      stills.gate ??= screenOf(display)
      if (screen.includes('Q-TOUCHED')) stills.evidence ??= await lookAtEvidence(child, display)
      child.write('1')
      await untilGone(display, screen)
    }
    await delay(readingMs)
    stills.end = screenOf(display)
  } finally {
    camera.stop()
    if (!ended) child.kill('SIGTERM')
    while (!ended) await delay(20)
    rmSync(folder, { recursive: true, force: true })
  }
  return { frames: camera.frames, stills }
}

/** Opens the first document behind the open question, and comes back to the question. */
async function lookAtEvidence(child, display) {
  child.write('\t')
  await delay(500)
  child.write('\r')
  await delay(readingMs)
  const seen = screenOf(display)
  child.write('\u001b')
  await delay(1500)
  return seen
}

async function untilGone(display, screen) {
  const gate = gateLine.exec(screen)?.[0]
  const deadline = performance.now() + 10_000
  while (
    performance.now() < deadline &&
    gateLine.exec(textOf(display))?.[0] === gate &&
    isGate(textOf(display))
  )
    await delay(30)
}

function startCamera(display) {
  const frames = []
  let last = ''
  let since = performance.now()
  const look = () => {
    const now = screenOf(display)
    const key = JSON.stringify(now)
    if (key === last) return
    const at = performance.now()
    const before = frames.at(-1)
    if (before) before.ms = Math.min(longestMs, Math.round((at - since) / speed))
    frames.push({ rows: now, ms: longestMs })
    last = key
    since = at
  }
  const timer = setInterval(look, sampleMs)
  return { frames, stop: () => clearInterval(timer) }
}

function textOf(display) {
  const buffer = display.buffer.active
  return Array.from({ length: display.rows }, (_, at) =>
    buffer.getLine(buffer.baseY + at)?.translateToString(true),
  ).join('\n')
}

/** The screen as rows of runs: neighbouring cells that look alike. */
function screenOf(display) {
  const buffer = display.buffer.active
  return Array.from({ length: display.rows }, (_, at) =>
    runsOf(buffer.getLine(buffer.baseY + at), display.cols),
  )
}

function runsOf(line, width) {
  const runs = []
  for (let at = 0; line && at < width; at += 1) {
    const cell = line.getCell(at)
    if (!cell || cell.getWidth() === 0) continue
    const look = lookOf(cell)
    const run = runs.at(-1)
    const text = cell.getChars() || ' '
    if (run && sameLook(run, look)) {
      run.text += text
      run.width += cell.getWidth()
    } else runs.push({ text, width: cell.getWidth(), ...look })
  }
  const last = runs.at(-1)
  if (last && last.text.trim() === '' && !last.bg) runs.pop()
  return runs
}

function lookOf(cell) {
  const fg = colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor())
  const bg = colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor())
  const turned = cell.isInverse() !== 0
  return {
    fg: turned ? (bg ?? '#14171c') : fg,
    bg: turned ? (fg ?? '#d5d9e0') : bg,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
  }
}

function colour(isDefault, isRgb, value) {
  if (isDefault) return undefined
  return isRgb ? `#${value.toString(16).padStart(6, '0')}` : colorOf(value)
}

const sameLook = (a, b) => a.fg === b.fg && a.bg === b.bg && a.bold === b.bold && a.dim === b.dim

const { frames, stills } = await take()
mkdirSync(pictures, { recursive: true })
writeFileSync(join(pictures, 'demo.svg'), film(frames, cols))
for (const [name, screen] of Object.entries(stills))
  if (screen) writeFileSync(join(pictures, `${name}.svg`), still(screen, cols))
process.stdout.write(`${frames.length} frames and ${Object.keys(stills).length} stills in docs/pictures\n`)
