import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createProject } from '../support/project.js'
import { makeTemporary } from '../support/temporary.js'
import { eventually } from './journey.js'

// The quick commands of the built program: one script that V8 has compiled before, and what it brings in only at times.

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const state =
  '# Autopilot State\n\n## Current Step\nflow: greenfield\nstep: 3\nname: Plan\nstatus: not_started\nretry_count: 0\n'

/** The built program once more, so that a file of it can be missing or broken. */
async function installed(): Promise<string> {
  const dir = await makeTemporary('quick')
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await cp(join(root, 'bin'), join(dir, 'bin'), { recursive: true })
  await cp(join(root, 'package.json'), join(dir, 'package.json'))
  await mkdir(join(dir, 'dist'))
  for (const name of await readdir(join(root, 'dist')))
    if (!name.startsWith('quick.cjs')) await symlink(join(root, 'dist', name), join(dir, 'dist', name))
  for (const name of ['quick.cjs', 'quick.cjs.cache'])
    await cp(join(root, 'dist', name), join(dir, 'dist', name))
  return dir
}

test('status is the same with what V8 made of it, without that, and with what is none', async () => {
  const { dir: cwd, env } = await createProject({ files: { '_docs/_autopilot_state.md': state } })
  const dir = await installed()
  const status = () => run(process.execPath, [join(dir, 'bin/autopilot.js'), 'status'], { cwd, env })
  const told = await status()
  // Of a project without a session only its workflow knows: a module of the rest of the program.
  expect(told.stdout).toContain('Next: start Plan')
  const cache = join(dir, 'dist/quick.cjs.cache')
  await writeFile(cache, 'no such thing')
  expect(await status()).toEqual(told)
  await rm(cache)
  expect(await status()).toEqual(told)
})

test('all of a long list reaches a reader that is late, over a socket that does not wait', async () => {
  const names = Array.from({ length: 600 }, (_, at) => `.harness/sessions/s${at}/autopilot-state.json`)
  const files = Object.fromEntries(names.map((name) => [name, '{"a":1}']))
  const { dir: cwd, env, root: own } = await createProject({ files })
  const server = createServer({ pauseOnConnect: true })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(join(own, 'socket'), resolve))
  const reader = connect({ path: join(own, 'socket') }).pause()
  const [writer] = (await once(server, 'connection')) as [Socket]
  const argv = [join(root, 'bin/autopilot.js'), 'status', '--json']
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', writer, 'inherit'] })
  writer.destroy()
  // The socket takes some 200 KB; nobody reads before the program has nothing more to do than wait.
  let waited = 0
  const waits = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    waited = /^State:\tS/m.test(status) ? waited + 1 : 0
    return waited === 5 ? true : undefined
  }
  await eventually(waits, 'the program to wait for its reader')
  const told = await text(reader)
  expect(told.length).toBeGreaterThan(300_000)
  expect(JSON.parse(told).sessions).toHaveLength(600)
})

test('a program that was not built says how it is', async () => {
  const dir = await installed()
  await rm(join(dir, 'dist'), { recursive: true })
  for (const argv of [['status'], []]) {
    const failed = run(process.execPath, [join(dir, 'bin/autopilot.js'), ...argv], { cwd: dir })
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('npm run build') })
  }
})

// A file that is long, so that its reader is gone before all of it is written.
const longSpec = `# Long\n\n## Implementation Order\n\n${Array.from({ length: 900 }, (_, at) => `### Phase ${at + 1}: A name that is not short at all\n\nText.\n`).join('\n')}`

test.each([
  [['status']],
  [['sessions', '--json']],
  [['--version']],
  [['--help']],
  [['doctor', '--json']],
  [['completions', 'zsh']],
  [['inspect', 'docs/long.md']],
  [['inspect', 'docs/long.md', '--json']],
  [['docs/missing.md']],
])('a reader that has had enough ends %j without a word', async (argv) => {
  const { dir: cwd, env } = await createProject({ files: { 'docs/long.md': longSpec } })
  const of = async (stdio: 'pipe' | 'gone') => {
    const child = spawn(process.execPath, [join(root, 'bin/autopilot.js'), ...argv], { cwd, env })
    if (stdio === 'gone') child.stdout.destroy()
    else child.stdout.resume()
    const told = text(child.stderr)
    const [code] = (await once(child, 'close')) as [number]
    return { code, told: await told }
  }
  // Whoever reads on gets the same: the exit code tells of the command and not of its reader.
  expect(await of('gone')).toEqual(await of('pipe'))
  const quiet = spawn(process.execPath, [join(root, 'bin/autopilot.js'), ...argv], { cwd, env })
  quiet.stderr.destroy()
  quiet.stdout.resume()
  expect(await once(quiet, 'close')).toEqual([(await of('pipe')).code, null])
})

test('an output that cannot be written for another reason is told', async () => {
  const { dir: cwd, env } = await createProject({ files: { 'docs/long.md': longSpec } })
  const answers = [
    ['status'],
    ['inspect', 'docs/long.md'],
    ['--help'],
    ['help'],
    ['--version'],
    ['doctor', '--json'],
  ]
  for (const argv of [...answers, ['completions', 'bash'], ['--plain']]) {
    const full = await open('/dev/full', 'w')
    const child = spawn(process.execPath, [join(root, 'bin/autopilot.js'), ...argv], {
      ...{ cwd, env },
      stdio: ['ignore', full.fd, 'pipe'],
    })
    const told = text(child.stderr as NodeJS.ReadableStream)
    const [code] = (await once(child, 'close')) as [number]
    await full.close()
    expect([code, await told]).toEqual([1, expect.stringContaining('The output cannot be written: ENOSPC')])
  }
})
