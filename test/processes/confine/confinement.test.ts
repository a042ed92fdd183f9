import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../../../source/processes/commands.js'
import type { Confinement } from '../../../source/processes/confine/confinement.js'
import { runningProcess } from '../../../source/processes/process-identity.js'
import { startProcess } from '../../../source/processes/start-process.js'
import { startChild } from '../../../source/processes/supervisor.js'
import { here, makePlace, type Place } from './confined.js'

let place: Place
beforeEach(async () => {
  place = await makePlace()
})
afterEach(async () => await place.remove())

const env = { PATH: '/usr/bin:/bin' }

async function sh(script: string, confinement: Confinement) {
  const limits = { timeoutMs: 30_000, outputCap: 10_000 }
  return await runCommand(['sh', '-c', script], { cwd: place.root, env, confinement, ...limits })
}

/** Exit code 0 where the file could be written from inside. */
async function writes(path: string, confinement: Confinement): Promise<boolean> {
  return (await sh(`echo inside > '${path}'`, confinement)).code === 0
}

describe.skipIf(!here.works)('a confined process', () => {
  test('writes the project, what belongs to its program and what is allowed, and nothing else', async () => {
    const { root, home } = place
    for (const name of ['.agent', '.cache', 'given', '.config']) await mkdir(join(home, name))
    const confinement = place.confine({ ownPaths: ['.agent'], allowed: ['~/given'] })
    for (const path of [
      join(root, 'a'),
      join(home, '.agent/a'),
      join(home, '.cache/a'),
      join(home, 'given/a'),
    ]) {
      expect(await writes(path, confinement), path).toBe(true)
      expect(await readFile(path, 'utf8')).toBe('inside\n')
    }
    for (const path of [
      join(home, 'a'),
      join(home, '.config/a'),
      '/etc/autopilot-test',
      '/usr/autopilot-test',
    ])
      expect(await writes(path, confinement), path).toBe(false)
  })

  test("writes where the variables of the person have put caches and what is a program's own, and keys stay hidden there", async () => {
    const { root, home, folder } = place
    const base = (name: string) => join(folder, 'base', name)
    for (const name of ['cache', 'data/agent', 'config/gh', 'config/other'])
      await mkdir(base(name), { recursive: true })
    await writeFile(join(base('config/gh'), 'hosts.yml'), 'token\n')
    const variables = {
      XDG_CACHE_HOME: base('cache'),
      XDG_DATA_HOME: base('data'),
      XDG_CONFIG_HOME: base('config'),
    }
    const confinement = place.confine({
      env: { ...env, HOME: home, ...variables },
      ownPaths: ['.local/share/agent'],
    })
    const written = [join(base('cache'), 'a'), join(base('data/agent'), 'a'), join(root, 'a')]
    const refused = [join(base('data'), 'a'), join(base('config/other'), 'a')]
    for (const path of [...written, ...refused])
      expect(await writes(path, confinement), path).toBe(written.includes(path))
    expect((await sh(`cat '${join(base('config/gh'), 'hosts.yml')}'`, confinement)).code).not.toBe(0)
  })

  test('reads another content in the place of a file, or none, and writes neither', async () => {
    const { root, folder } = place
    for (const name of ['AGENTS.md', 'CLAUDE.md']) await writeFile(join(root, name), 'now\n')
    await writeFile(join(folder, 'before'), 'before\n')
    const instead = [
      { path: join(root, 'AGENTS.md'), source: join(folder, 'before') },
      { path: join(root, 'CLAUDE.md') },
    ]
    const confinement = place.confine({ instead })
    expect((await sh('cat AGENTS.md CLAUDE.md', confinement)).stdout).toBe('before\n')
    for (const { path } of instead) expect(await writes(path, confinement), path).toBe(false)
    expect(await readFile(join(root, 'AGENTS.md'), 'utf8')).toBe('now\n')
  })

  test('sees neither keys nor what autopilot keeps, within what it may write too', async () => {
    const { home } = place
    await mkdir(join(home, '.ssh'))
    await mkdir(join(home, '.cache/autopilot'), { recursive: true })
    await writeFile(join(home, '.ssh/id_ed25519'), 'secret')
    await writeFile(join(home, '.netrc'), 'secret')
    await writeFile(join(home, '.cache/autopilot/key'), 'secret')
    await writeFile(join(home, '.gitconfig'), '[user]\nname = Ada\n')
    const facts = { autopilotPaths: [join(home, '.cache/autopilot')] }
    const hidden = ['.ssh/id_ed25519', '.netrc', '.cache/autopilot/key']
    const look = hidden.map((path) => `cat '${join(home, path)}'`).join('; ')
    expect((await sh(look, place.confine(facts))).stdout).toBe('')
    const allowed = await sh(look, place.confine({ ...facts, allowed: ['ssh'] }))
    expect(allowed.stdout).toBe('secret')
    expect((await sh(`cat '${home}/.gitconfig'`, place.confine(facts))).stdout).toContain('Ada')
    expect(await writes(join(home, '.ssh/new'), place.confine(facts))).toBe(false)
  })

  test('speaks to no program of the person that listens below HOME, but to its own and to those of the project', async () => {
    const { root, home } = place
    for (const name of ['.multiplexer', '.agent']) await mkdir(join(home, name))
    const paths = {
      person: join(home, '.multiplexer/default'),
      agent: join(home, '.agent/own'),
      project: join(root, 'server'),
    }
    const servers = Object.values(paths).map((path) =>
      createServer((socket) => socket.end('spoken')).listen(path),
    )
    await Promise.all(servers.map(async (server) => await once(server, 'listening')))
    const confinement = place.confine({ ownPaths: ['.agent'] })
    const answers = async (path: string) => {
      const code = `require('net').connect(process.argv[1]).on('data', (data) => process.stdout.write(data)).on('error', () => {})`
      return (await sh(`'${process.execPath}' -e "${code}" '${path}'`, confinement)).stdout
    }
    try {
      expect(await answers(paths.person)).toBe('')
      expect(await answers(paths.agent)).toBe('spoken')
      expect(await answers(paths.project)).toBe('spoken')
    } finally {
      for (const server of servers) server.close()
    }
  })

  test('reads what is read-only, and cannot put another in its place', async () => {
    const { root } = place
    const hooks = join(root, '.git/hooks')
    await mkdir(hooks, { recursive: true })
    await writeFile(join(hooks, 'pre-commit'), 'mine')
    const confinement = place.confine({ readOnly: [hooks] })
    expect(await writes(join(hooks, 'pre-commit'), confinement)).toBe(false)
    expect((await sh(`rm -rf '${hooks}' || mv '${hooks}' '${root}/moved'`, confinement)).code).not.toBe(0)
    expect(await readFile(join(hooks, 'pre-commit'), 'utf8')).toBe('mine')
    expect(await writes(join(root, '.git/config'), confinement)).toBe(true)
  })

  test('finds another directory in the place of one, at the same path', async () => {
    const { root, folder } = place
    const session = join(root, '.harness/one')
    const copies = join(folder, 'copies')
    for (const path of [session, copies]) await mkdir(path, { recursive: true })
    await writeFile(join(session, 'journal.jsonl'), 'ours\n')
    const confinement = place.confine({
      readOnly: [join(root, '.harness')],
      binds: [{ path: session, source: copies }],
    })
    expect(await writes(join(session, 'handoff.json'), confinement)).toBe(true)
    expect(await writes(join(session, 'journal.jsonl'), confinement)).toBe(true)
    expect(await readFile(join(session, 'journal.jsonl'), 'utf8')).toBe('ours\n')
    expect(await readFile(join(copies, 'handoff.json'), 'utf8')).toBe('inside\n')
    expect(await writes(join(root, '.harness/two'), confinement)).toBe(false)
  })

  test('has a temporary directory of its own; a file there that it is told of is seen', async () => {
    const { folder } = place
    const prompt = join(folder, 'prompt.md')
    await writeFile(prompt, 'told')
    await writeFile(join(folder, 'part.sh'), 'echo part')
    await writeFile(join(folder, 'script.sh'), `. '${folder}/part.sh'; echo > '${folder}/part.sh'`)
    const look = { cwd: place.root, env, confinement: place.confine(), timeoutMs: 30_000, outputCap: 1000 }
    expect((await runCommand(['cat', prompt], look)).stdout).toBe('told')
    expect(await runCommand(['sh', join(folder, 'script.sh')], look)).toMatchObject({ stdout: 'part\n' })
    expect(await readFile(join(folder, 'part.sh'), 'utf8')).toBe('echo part')
    expect((await sh(`ls '${folder}'`, place.confine())).stdout).not.toContain('prompt')
    const kept = join('/tmp', `autopilot-inside-${process.pid}`)
    expect(await writes(kept, place.confine())).toBe(true)
    await expect(readFile(kept)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test.skipIf(!existsSync('/dev/shm'))(
    'a program in the memory that is shared is seen, and nothing beside it',
    async () => {
      const folder = await realpath(await mkdtemp('/dev/shm/autopilot-test-'))
      try {
        await mkdir(join(folder, 'program'))
        await writeFile(join(folder, 'program/script.sh'), `echo ran; ls '${folder}'`)
        await writeFile(join(folder, 'other.md'), 'not told')
        const look = {
          cwd: place.root,
          env,
          confinement: place.confine(),
          timeoutMs: 30_000,
          outputCap: 1000,
        }
        const ran = await runCommand(['sh', join(folder, 'program/script.sh')], look)
        expect(ran).toMatchObject({ stdout: 'ran\nprogram\n' })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )

  test('has no terminal, no rights of root, and can signal nobody outside', async () => {
    const confinement = place.confine()
    const seen = await sh('ls /dev/pts; id -u; grep CapEff /proc/self/status', confinement)
    expect(seen.stdout).toMatch(/^(?:ptmx\n)?\d+\n/)
    expect(seen.stdout).toMatch(/CapEff:\s*0+$/m)
    if (process.getuid?.() === 0) expect(seen.stdout).not.toMatch(/^0$/m)
    const kill = await sh(`kill -9 ${process.pid}`, confinement)
    expect(kill.code).not.toBe(0)
  })

  test('leaves nobody behind: a child in another session is gone when the program has ended', async () => {
    const { root } = place
    const mark = { name: 'AUTOPILOT_TEST_MARK', value: place.folder }
    const argv = [
      'sh',
      '-c',
      // Without the marker, in a session of its own, and forked twice.
      '(env -i setsid sh -c "sleep 600 & echo \\$! > inner; while [ ! -e done ]; do sleep 0.05; done" &) ; while [ ! -s inner ]; do sleep 0.05; done; sleep 0.1',
    ]
    const limits = { timeoutMs: 30_000, outputCap: 1000 }
    const before = await sleepers()
    const end = await runCommand(argv, { cwd: root, env, confinement: place.confine(), mark, ...limits })
    expect(end.code).toBe(0)
    expect(await readFile(join(root, 'inner'), 'utf8')).toMatch(/^\d+\n$/)
    // Killed with its namespace; the system may take a moment to say so.
    await expect.poll(async () => (await sleepers()).filter((pid) => !before.includes(pid))).toEqual([])
  })

  test('what is not there is said as of any other program', async () => {
    const start = (argv: string[], cwd = place.root) =>
      startProcess({ argv, cwd, env, confinement: place.confine() }).exited
    expect(await start(['./absent'])).toMatchObject({ spawnError: { code: 'ENOENT' } })
    expect(await start(['no-such-program'])).toMatchObject({ spawnError: { code: 'ENOENT' } })
    await writeFile(join(place.root, 'plain'), 'x')
    expect(await start(['./plain'])).toMatchObject({ spawnError: { code: 'EACCES' } })
    expect(await start(['true'], join(place.root, 'none'))).toMatchObject({ spawnError: { code: 'ENOENT' } })
  })

  test('is asked to end before its confinement goes, and may end in its own way', async () => {
    const ready = join(place.root, 'ready')
    const script = `trap 'echo gently > end; exit 7' TERM; echo > ready; while :; do sleep 0.05; done`
    const quiet = { raw() {}, line() {}, errorLine() {}, skipped() {} }
    const child = startChild({
      file: 'sh',
      args: ['-c', script],
      cwd: place.root,
      env,
      runId: `run-${process.pid}`,
      dispatchId: 'one',
      confinement: place.confine(),
      limits: { firstMs: 0, idleMs: 0, wallMs: 0 },
      ...quiet,
    })
    await expect.poll(async () => await readFile(ready, 'utf8').catch(() => undefined)).toBeDefined()
    const exit = await child.stop('aborted')
    expect(exit).toMatchObject({ code: 7, unkillable: [], stopped: 'aborted' })
    expect(await readFile(join(place.root, 'end'), 'utf8')).toBe('gently\n')
    expect(await runningProcess(child.pid ?? 0)).toBeUndefined()
  })

  test('one that is deaf is killed with all it started', async () => {
    const script = `trap '' TERM INT; (trap '' TERM; setsid sleep 600) & echo > ready; while :; do sleep 0.05; done`
    const before = await sleepers()
    const quiet = { raw() {}, line() {}, errorLine() {}, skipped() {} }
    const child = startChild({
      file: 'sh',
      args: ['-c', script],
      cwd: place.root,
      env,
      runId: `run-${process.pid}`,
      dispatchId: 'two',
      confinement: place.confine(),
      limits: { firstMs: 0, idleMs: 0, wallMs: 0 },
      times: { interruptMs: 50, termMs: 200, markedMs: 100, killRounds: 100, pollMs: 20 },
      ...quiet,
    })
    await expect.poll(async () => await readFile(join(place.root, 'ready'), 'utf8').catch(() => 0)).toBe('\n')
    expect(await child.stop('aborted')).toMatchObject({ unkillable: [] })
    await expect.poll(async () => (await sleepers()).filter((pid) => !before.includes(pid))).toEqual([])
  })
})

/** Pids of everything on this machine that runs `sleep 600`. */
async function sleepers(): Promise<number[]> {
  const { stdout } = await runCommand(['pgrep', '-f', '^sleep 600$'], {
    cwd: '/',
    env,
    timeoutMs: 10_000,
    outputCap: 10_000,
  })
  return stdout.split('\n').filter(Boolean).map(Number)
}
