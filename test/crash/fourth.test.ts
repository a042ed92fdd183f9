import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JournalRecord, readJournal } from '../../source/ledger/journal.js'
import { findMarked } from '../../source/processes/process-marker.js'
import { bundleGarden, gardener } from '../fourth/bundle.js'
import { gardenPlace, subject } from '../fourth/places.js'
import { makeTemporary } from '../support/temporary.js'
import { doubled } from './crash-run.js'

// The garden workflow, which the product does not know: killed at every line of its journal, after the line and in the
// middle of it. Two agents work at once, so that lines of both lie between each other.

const run = promisify(execFile)
const preload = fileURLToPath(new URL('../support/kill-at-line.mjs', import.meta.url))

let root = ''
let env: Record<string, string>
let expected: Record<string, unknown>

beforeAll(async () => {
  root = await makeTemporary('fourth')
  await bundleGarden(join(root, 'program'), { driver: '../fourth/driver.ts' })
  await mkdir(join(root, 'home'))
  env = {
    PATH: process.env.PATH ?? '',
    HOME: join(root, 'home'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const dir = await createGarden('undisturbed')
  const ended = await start(dir)
  if (ended.code !== 0) throw new Error(`the undisturbed run ended with ${ended.code}: ${ended.stderr}`)
  expected = await outcomeOf(dir)
}, 120_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

async function createGarden(name: string): Promise<string> {
  const dir = join(root, name)
  const git = (...args: string[]) => run('git', args, { cwd: dir, env })
  await mkdir(dir)
  await writeFile(join(dir, subject), '# Garden: Herbs\n')
  await mkdir(join(dir, 'docs'))
  await writeFile(join(dir, 'docs/readme.md'), 'Herbs\n')
  await git('init', '-q', '-b', 'main')
  await git('config', 'user.name', 'Test Person')
  await git('config', 'user.email', 'person@example.invalid')
  await git('add', '-A')
  await git('commit', '-q', '-m', 'A garden')
  return dir
}

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stderr: string
}

function start(dir: string, kills?: { marks: string; modes: string }): Promise<Ended> {
  const args = [join(root, 'program/driver.js'), dir, `command:${process.execPath} ${gardener}`]
  const child = spawn(process.execPath, kills ? ['--import', preload, ...args] : args, {
    cwd: dir,
    env: kills ? { ...env, KILL_MARKS: kills.marks, KILL_MODES: kills.modes } : env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stderr })))
}

async function records(dir: string): Promise<readonly JournalRecord[]> {
  return (await readJournal(join(dir, gardenPlace.sessionDir, 'journal.jsonl'))).records
}

async function agentsGone(dir: string): Promise<void> {
  const opened = (await records(dir)).findLast((record) => record.type === 'opened')
  if (opened?.type !== 'opened') return
  for (let round = 0; (await findMarked(opened.runId)).length > 0; round += 1) {
    if (round > 400) throw new Error('the guard did not end the agents of a killed run')
    await delay(25)
  }
}

async function outcomeOf(dir: string): Promise<Record<string, unknown>> {
  const text = (path: string) => readFile(join(dir, path), 'utf8').catch(() => 'missing')
  return {
    state: await text(gardenPlace.stateFile),
    north: await text('beds/2.1-north/soil.txt'),
    south: await text('beds/12A-south/soil.txt'),
    water: await text('water.txt'),
  }
}

test('the undisturbed run has two agents at once, one gate, one effect', async () => {
  const all = await records(join(root, 'undisturbed'))
  const types = all.map((record) => record.type).filter((type) => type === 'dispatched' || type === 'agent')
  expect(types).toEqual(['dispatched', 'dispatched', 'agent', 'agent'])
  expect(all.filter((record) => record.type === 'asked').length).toBe(1)
  expect(all.filter((record) => record.type === 'intent').length).toBe(1)
  expect(doubled(all)).toEqual([])
  expect(expected).toEqual({
    state: expect.stringContaining('- [x] 12A-south by garden-sower in 12A-south'),
    north: '2.1-north by garden-digger\n',
    south: '12A-south by garden-sower\n',
    water: expect.stringMatching(/^\S+ yes\n$/),
  })
})

test.each(['after', 'half'])('killed %s every line: the same outcome, nothing done twice', async (modes) => {
  const dir = await createGarden(modes)
  const kills = { marks: join(root, `${modes}.marks`), modes }
  let killed = 0
  for (;;) {
    const ended = await start(dir, kills)
    if (ended.signal !== 'SIGKILL') {
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      break
    }
    killed += 1
    await agentsGone(dir)
    if (modes === 'half') continue
    // From each line a copy goes on to the end undisturbed.
    // Each in a place of its own: at the same one the seal of the copy before would be found.
    const copy = `${dir}-copy-${killed}`
    await cp(dir, copy, { recursive: true })
    const last = (await records(copy)).at(-1)
    const at = `after ${killed}: ${last?.type}`
    const gone = await start(copy)
    expect(gone, `${at}: ${gone.stderr}`).toMatchObject({ code: 0 })
    expect(await outcomeOf(copy), at).toEqual(expected)
    expect(doubled(await records(copy)), at).toEqual([])
    await rm(copy, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  expect(doubled(await records(dir))).toEqual([])
  expect(await outcomeOf(dir)).toEqual(expected)
  expect(killed).toBeGreaterThanOrEqual((await records(join(root, 'undisturbed'))).length)
})
