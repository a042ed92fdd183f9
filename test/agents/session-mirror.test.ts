import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mirrorSession, type SessionMirror } from '../../source/agents/session-mirror.js'

let folder: string
let sessionDir: string
let mirror: SessionMirror
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autopilot-test-'))
  sessionDir = join(folder, 'session')
  await mkdir(join(sessionDir, 'scratchpad'), { recursive: true })
  await write(sessionDir, 'state.json', 'before')
  await write(sessionDir, 'own-state.json', 'ours')
  await write(sessionDir, 'journal.jsonl', 'ours')
  await write(sessionDir, 'scratchpad/a.md', 'a')
  await write(sessionDir, 'handoff.json', 'old')
  mirror = await mirrorSession({
    sessionDir,
    copies: join(sessionDir, 'dispatches/d1/session'),
    records: ['own-state.json'],
  })
})
afterEach(async () => {
  await mirror.finish()
  await rm(folder, { recursive: true, force: true })
})

const write = async (directory: string, path: string, text: string) =>
  await writeFile(join(directory, path), text)
const read = async (path: string) => await readFile(join(sessionDir, path), 'utf8')

test('what the agent changes, makes and deletes is taken over', async () => {
  const { copies } = mirror
  expect(await readFile(join(copies, 'scratchpad/a.md'), 'utf8')).toBe('a')
  await write(copies, 'state.json', 'agent')
  await write(copies, 'learnings.md', 'new')
  await mkdir(join(copies, 'deep/er'), { recursive: true })
  await write(copies, 'deep/er/x', 'x')
  await rm(join(copies, 'handoff.json'))
  expect(await mirror.finish()).toEqual({ ours: [], odd: [] })
  expect(await read('state.json')).toBe('agent')
  expect(await read('learnings.md')).toBe('new')
  expect(await read('deep/er/x')).toBe('x')
  await expect(read('handoff.json')).rejects.toThrow()
})

test('progress is seen while it works, and what we write meanwhile reaches the agent', async () => {
  const { copies } = mirror
  await write(copies, 'state.json', 'half')
  await expect.poll(async () => await read('state.json'), { timeout: 5000 }).toBe('half')
  await write(sessionDir, 'learnings.md', 'from us')
  const seen = async () => await readFile(join(copies, 'learnings.md'), 'utf8').catch(() => '')
  await expect.poll(seen, { timeout: 5000 }).toBe('from us')
})

test('what is ours is never taken over, and named', async () => {
  const { copies } = mirror
  await write(copies, 'own-state.json', 'forged')
  await write(copies, 'summary.json', 'forged')
  expect((await mirror.finish()).ours).toEqual(['own-state.json', 'summary.json'])
  expect(await read('own-state.json')).toBe('ours')
  await expect(read('summary.json')).rejects.toThrow()
  await expect(readFile(join(copies, 'journal.jsonl'))).rejects.toThrow()
})

test('links lead nowhere: what the session had stays, and both are named', async () => {
  const { copies } = mirror
  await write(folder, 'secret', 'secret')
  await rm(join(copies, 'state.json'))
  await symlink(join(folder, 'secret'), join(copies, 'state.json'))
  await symlink(join(folder, 'secret'), join(copies, 'more.json'))
  expect((await mirror.finish()).odd).toEqual([
    { path: 'more.json', what: 'a link' },
    { path: 'state.json', what: 'a link' },
  ])
  expect(await read('state.json')).toBe('before')
  await expect(read('more.json')).rejects.toThrow()
})

test('what is no file in the place of a record, or too large for one, is named and not taken over', async () => {
  const { copies } = mirror
  for (const name of ['handoff.json', 'state.json', 'scratchpad/a.md']) await rm(join(copies, name))
  execFileSync('mkfifo', [join(copies, 'handoff.json')])
  await mkdir(join(copies, 'state.json'))
  await mkdir(join(copies, 'scratchpad/a.md'))
  await write(copies, 'plan.md', '')
  await truncate(join(copies, 'plan.md'), 8 * 1024 ** 3)
  await mkdir(join(copies, 'notes'))
  await write(copies, 'scratchpad/long.log', '')
  await truncate(join(copies, 'scratchpad/long.log'), 8 * 1024 ** 3)
  expect((await mirror.finish()).odd).toEqual([
    { path: 'handoff.json', what: 'a FIFO' },
    { path: 'plan.md', what: 'a file of 8589934592 bytes' },
    { path: 'scratchpad/a.md', what: 'a directory' },
    { path: 'state.json', what: 'a directory' },
  ])
  expect(await read('handoff.json')).toBe('old')
})
