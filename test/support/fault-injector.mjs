// Preload (`node --import`): counts the file operations below one directory and lets the N-th go wrong.
//
// By environment: FAULT_DIR, FAULT_AT, FAULT_MODE. In process: globalThis.faults.watch(dir), arm(at, mode), live(run),
// disarm().
// Modes: kill, half-kill (SIGKILL before the operation, or in the middle of a write); freeze, half-freeze (the same for
// the files, but the process lives on: the operation and all later ones never return); ENOSPC, EIO, EACCES (this one
// operation fails, a write after half of its bytes); full (every write fails with ENOSPC until disarm).
import { AsyncLocalStorage } from 'node:async_hooks'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const promises = fs.promises
const paths = new WeakMap()
const openHandles = new Set()
const grows = new Set(['write', 'writeFile', 'appendFile'])

let dir
let at = Number.POSITIVE_INFINITY
let mode = ''
let count = 0
let frozen = false
let freeze = () => undefined
let log = []
/** The program that is tried: what is left of it, a timer say, must not touch the files of the one after it. */
const lives = new AsyncLocalStorage()
let life

const never = () => new Promise(() => undefined)
const watched = (path) => {
  if (dir === undefined || typeof path !== 'string') return false
  const full = resolve(path)
  return full === dir || full.startsWith(dir + sep)
}

function failure(code, name, path) {
  return Object.assign(new Error(`${code}: injected, ${name} '${path}'`), { code, syscall: name, path })
}

/** `half` does the operation in part, `finish` what must happen even if it fails. */
async function through(name, path, real, half, finish) {
  if (!watched(path)) return real()
  if (frozen || lives.getStore()?.over) return never()
  count += 1
  log.push(`${name} ${path.slice(dir.length + 1)}`)
  const creates = grows.has(name) || name === 'open-new' || name === 'mkdir' || name === 'link'
  if (mode === 'full' && count >= at && creates) {
    await half?.()
    throw failure('ENOSPC', name, path)
  }
  if (count !== at || mode === 'full') return real()
  if (mode === 'half-kill' || mode === 'half-freeze') await half?.()
  if (mode.endsWith('kill')) {
    process.kill(process.pid, 'SIGKILL')
    return never()
  }
  if (mode.endsWith('freeze')) {
    frozen = true
    freeze()
    return never()
  }
  await half?.()
  await finish?.()
  throw failure(mode, name, path)
}

for (const name of [
  'rename',
  'link',
  'unlink',
  'readdir',
  'lstat',
  'mkdir',
  'stat',
  'readFile',
  'writeFile',
  'copyFile',
]) {
  const real = promises[name]
  promises[name] = (...args) => through(name, args[0], () => real(...args))
}

const realOpen = promises.open
const probe = await realOpen(fileURLToPath(import.meta.url), 'r')
const prototype = Object.getPrototypeOf(probe)
await probe.close()
const realWrite = prototype.write

promises.open = async (...args) => {
  const creates =
    typeof args[1] === 'string' ? args[1].includes('x') : ((args[1] ?? 0) & fs.constants.O_CREAT) !== 0
  return through(creates ? 'open-new' : 'open', args[0], async () => {
    const handle = await realOpen(...args)
    if (watched(args[0])) {
      paths.set(handle, args[0])
      // `close` is a property of each handle, not of its prototype.
      const close = handle.close
      const closeNow = () => {
        openHandles.delete(closeNow)
        return close()
      }
      openHandles.add(closeNow)
      handle.close = () => through('close', args[0], closeNow, undefined, closeNow)
    }
    return handle
  })
}

for (const name of [
  'read',
  'writeFile',
  'appendFile',
  'write',
  'sync',
  'datasync',
  'truncate',
  'stat',
  'readFile',
]) {
  const real = prototype[name]
  prototype[name] = function (...args) {
    const path = paths.get(this)
    if (path === undefined) return real.apply(this, args)
    const bytes = grows.has(name) ? Buffer.from(args[0]) : undefined
    const position = name === 'write' ? args[3] : undefined
    const half = bytes && (() => realWrite.call(this, bytes, 0, Math.floor(bytes.length / 2), position))
    return through(name, path, () => real.apply(this, args), half)
  }
}
syncBuiltinESMExports()

globalThis.faults = {
  watch: (path) => {
    dir = resolve(path)
  },
  /** Returns a promise that resolves when the operation was reached in a freezing mode. */
  arm: (operation, how) => {
    at = operation
    mode = how
    count = 0
    log = []
    return new Promise((done) => {
      freeze = done
    })
  },
  /** Runs a program that `disarm` ends: whatever it does to files later never returns. */
  live: (run) => {
    life = { over: false }
    return lives.run(life, run)
  },
  /** Ends the fault and closes what a frozen program left open. Returns the operations that were counted. */
  disarm: async () => {
    const seen = log
    if (life) life.over = true
    at = Number.POSITIVE_INFINITY
    mode = ''
    frozen = false
    for (const close of openHandles) await close().catch(() => undefined)
    openHandles.clear()
    count = 0
    log = []
    return seen
  },
}

if (process.env.FAULT_DIR) {
  globalThis.faults.watch(process.env.FAULT_DIR)
  globalThis.faults.arm(Number(process.env.FAULT_AT), process.env.FAULT_MODE)
}
