// Preload (`node --import`): the disk is full at the first write of each file whose name FULL_AT (a pattern) fits. What
// has failed is kept in the file FULL_MARKS, so that it fails once over all processes of a session.
import fs, { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const { FULL_AT: pattern, FULL_MARKS: marks } = process.env

if (pattern && marks) {
  const fits = new RegExp(pattern)
  const paths = new WeakMap()
  const realOpen = fs.promises.open
  const probe = await realOpen(fileURLToPath(import.meta.url), 'r')
  const prototype = Object.getPrototypeOf(probe)
  await probe.close()
  fs.promises.open = async (...args) => {
    const handle = await realOpen(...args)
    if (typeof args[0] === 'string') paths.set(handle, args[0])
    return handle
  }
  for (const call of ['writeFile', 'appendFile']) {
    const real = prototype[call]
    prototype[call] = async function (...args) {
      const name = fits.exec(basename(paths.get(this) ?? ''))?.[0]
      const failed = existsSync(marks) ? readFileSync(marks, 'utf8').split('\n') : []
      if (name === undefined || failed.includes(name)) return real.apply(this, args)
      appendFileSync(marks, `${name}\n`)
      throw Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC' })
    }
  }
  syncBuiltinESMExports()
}
