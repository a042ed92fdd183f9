// Preload (`node --import`): kills its own process with SIGKILL at a line of journal.jsonl, right after it was written
// and in the middle of it. Each fact of a session is killed at once per mode, over all processes that work on it: what
// was killed at is kept in the file KILL_MARKS, one `mode fact` a line. KILL_MODES: `after`, `half`, or `half,after`.
// KILL_EVERY: only each k-th fact, and those after which a record of the types in KILL_ALWAYS is on disk. KILL_BEFORE: the
// transition to that state is none of them.
import fs, { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const { KILL_MARKS: marksFile, KILL_MODES: modesText = 'after', KILL_EVERY: everyText = '1' } = process.env
const { KILL_BEFORE: last } = process.env
const always = (process.env.KILL_ALWAYS ?? '').split(',')
const modes = modesText.split(',')
const every = Number(everyText)

/** What the program settled by itself tells nothing of a person. */
function isTelling(line) {
  const { type, settled } = JSON.parse(line)
  return always.includes(type) && !settled
}

/**
 * What is told of the process before, by how many have died. Where two agents work at once each death at such a fact of one is
 * a death of the other as well, so that later ones count as the last of these: else no process would ever come to the end.
 */
const rounds = /-(since|broken)-(\d+)(?=-|$)/
const lastRound = 4

/** The same for a fact that is written again after a crash: a dispatch that is started anew, say. */
function factOf(line) {
  const { type, visit, key } = JSON.parse(line)
  return [
    type,
    visit,
    key?.replace(rounds, (_, what, round) => `-${what}-${Math.min(Number(round), lastRound)}`),
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

if (marksFile) {
  const marks = new Set(existsSync(marksFile) ? readFileSync(marksFile, 'utf8').split('\n') : [])
  const numbers = new Map()
  for (const mark of marks) if (mark.startsWith('seen ')) numbers.set(mark.slice(5), numbers.size)
  const remember = (mark) => {
    marks.add(mark)
    appendFileSync(marksFile, `${mark}\n`)
  }
  const due = (mode, fact, telling = false) => {
    if (!numbers.has(fact)) {
      numbers.set(fact, numbers.size)
      remember(`seen ${fact}`)
    }
    const isChosen = telling || numbers.get(fact) % every === 0
    if (!modes.includes(mode) || !isChosen || marks.has(`${mode} ${fact}`)) return false
    remember(`${mode} ${fact}`)
    return true
  }
  const die = () => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => undefined)
  }

  const journals = new WeakSet()
  const realOpen = fs.promises.open
  const probe = await realOpen(fileURLToPath(import.meta.url), 'r')
  const prototype = Object.getPrototypeOf(probe)
  await probe.close()
  const { appendFile, write } = prototype
  fs.promises.open = async (...args) => {
    const handle = await realOpen(...args)
    if (typeof args[0] === 'string' && basename(args[0]) === 'journal.jsonl') journals.add(handle)
    return handle
  }
  prototype.appendFile = async function (bytes, ...rest) {
    if (!journals.has(this)) return appendFile.call(this, bytes, ...rest)
    const line = bytes.toString('utf8')
    if (last && JSON.parse(line).to === last) return appendFile.call(this, bytes, ...rest)
    const fact = factOf(line)
    if (due('half', fact)) {
      await write.call(this, bytes, 0, Math.floor(bytes.length / 2))
      return die()
    }
    const result = await appendFile.call(this, bytes, ...rest)
    return due('after', fact, isTelling(line)) ? die() : result
  }
  syncBuiltinESMExports()
}
