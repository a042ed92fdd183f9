import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDirectory, makeDirectoryNow } from '../source/make-directory.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'make-directory-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe.each([
  ['makeDirectory', makeDirectory],
  ['makeDirectoryNow', async (path: string) => makeDirectoryNow(path)],
])('%s', (_name, make) => {
  it('makes what is missing above too, for the user alone, and is content with what is there', async () => {
    const path = join(dir, 'a', 'b', 'c')
    await make(path)
    await make(path)
    expect(statSync(join(dir, 'a')).mode & 0o777).toBe(0o700)
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it('fails where something else is in the place', async () => {
    writeFileSync(join(dir, 'file'), '')
    await expect(make(join(dir, 'file'))).rejects.toThrow('EEXIST')
    await expect(make(join(dir, 'file', 'below'))).rejects.toThrow('ENOTDIR')
  })

  // There a directory is missing although its parent is not: with `recursive` Node never came back.
  it.runIf(process.platform === 'linux')('ends where the system makes none', async () => {
    await expect(make('/proc/none-of-these/below')).rejects.toThrow('ENOENT')
  })
})
