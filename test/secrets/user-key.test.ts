import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { existingUserKey, userKey } from '../../source/secrets/user-key.js'

let folder: string
let directory: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autopilot-test-'))
  directory = join(folder, 'state', 'autopilot')
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

test('is made once, for its user only', async () => {
  expect(await existingUserKey(directory)).toBeUndefined()
  const key = await userKey(directory)
  expect(key).toHaveLength(32)
  expect(await userKey(directory)).toEqual(key)
  expect(await existingUserKey(directory)).toEqual(key)
  expect(await readFile(join(directory, 'key'))).toEqual(key)
  expect((await stat(join(directory, 'key'))).mode & 0o777).toBe(0o600)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
})

test('twelve that want it at once get the same one, and leave nothing beside it', async () => {
  const keys = await Promise.all(Array.from({ length: 12 }, async () => await userKey(directory)))
  for (const key of keys) expect(key).toEqual(keys[0])
  expect(await readdir(directory)).toEqual(['key'])
})

test('one that is open to others, cut or a link is refused and never replaced', async () => {
  const key = await userKey(directory)
  const path = join(directory, 'key')
  await chmod(path, 0o644)
  await expect(userKey(directory)).rejects.toMatchObject({ code: 'trust', what: /open to other users/ })
  await chmod(path, 0o600)
  await truncate(path, 16)
  await expect(userKey(directory)).rejects.toMatchObject({ code: 'trust', what: /16 bytes/ })
  await rm(path)
  await writeFile(join(folder, 'elsewhere'), key, { mode: 0o600 })
  await symlink(join(folder, 'elsewhere'), path)
  await expect(userKey(directory)).rejects.toMatchObject({ code: 'trust', what: /is a link/ })
})
