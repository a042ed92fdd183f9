import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { confineCommand } from '../../source/agents/confinement.js'
import { runCommand } from '../../source/processes/commands.js'
import { childEnvironment } from '../../source/processes/environment.js'
import { loadConfig } from '../../source/project/config.js'
import { allowInSettings } from '../../source/project/user-settings.js'
import { makeCaches, sessionConfinement } from '../../source/sessions/confinement.js'
import { findLacks, type Lack } from '../../source/sessions/confinement-lacks.js'
import { here } from '../processes/confine/confined.js'
import { createProject, type TestProject } from '../support/project.js'

const onPath = (program: string) =>
  (process.env.PATH ?? '').split(':').some((entry) => existsSync(join(entry, program)))

const before = { ...process.env }
afterEach(() => {
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL']) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
})

/** A project of a person with a home of their own. */
async function person(): Promise<TestProject & { home: string }> {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  const home = join(project.root, 'person')
  await mkdir(join(home, '.config/autopilot'), { recursive: true, mode: 0o700 })
  process.env.HOME = home
  process.env.XDG_CONFIG_HOME = join(home, '.config')
  delete process.env.GIT_CONFIG_GLOBAL
  return { ...project, home }
}

async function lacksOf(project: TestProject, backends: readonly string[] = []): Promise<Lack[]> {
  const found = await sessionConfinement(project.dir, await loadConfig(project.dir), ['.harness/sessions'])
  if (found.kind !== 'confined') throw new Error(found.reason)
  return await findLacks(found.confinement, { root: project.dir, backends, environment: [] })
}

const signing = (home: string, lines: string) =>
  writeFile(
    join(home, '.gitconfig'),
    `[user]\n\tname = Ada\n\temail = ada@example.invalid\n${lines}[commit]\n\tgpgSign = true\n`,
  )

test.skipIf(!here.works)('nothing is missed where commits are not signed', async () => {
  const project = await person()
  expect(await lacksOf(project, ['claude', 'codex'])).toEqual([])
})

test.skipIf(!here.works)('in a new HOME there are caches to write', async () => {
  const project = await person()
  const found = await sessionConfinement(project.dir, await loadConfig(project.dir), ['.harness/sessions'])
  if (found.kind !== 'confined') throw new Error(found.reason)
  // Not before anything was agreed to.
  expect(existsSync(join(project.home, '.cache'))).toBe(false)
  await makeCaches(found.confinement)
  const env = childEnvironment()
  const made = await runCommand(['sh', '-c', 'mkdir "$HOME/.cache/tool" "$HOME/.npm/_logs"'], {
    cwd: project.dir,
    env,
    timeoutMs: 30_000,
    outputCap: 10_000,
    confinement: confineCommand(found.confinement, env),
  })
  expect(made).toMatchObject({ code: 0, stderr: '' })
})

test.skipIf(!here.works || !onPath('ssh-keygen'))(
  'a key that is hidden, and the name that gives it back',
  async () => {
    const project = await person()
    await mkdir(join(project.home, '.ssh'), { mode: 0o700 })
    const key = join(project.home, '.ssh/id_ed25519')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', key])
    await signing(project.home, `\tsigningKey = ${key}.pub\n[gpg]\n\tformat = ssh\n`)
    const [lack, ...others] = await lacksOf(project)
    expect(others).toEqual([])
    expect(lack?.lines[0]).toMatch(/^Commits are signed here, and agents cannot sign: .*(key|sign)/)
    expect(lack?.allow).toEqual(['ssh'])
    await allowInSettings(['ssh'])
    expect(await lacksOf(project)).toEqual([])
  },
)

test.skipIf(!here.works || !onPath('gpg'))('the same with gpg', async () => {
  const project = await person()
  const gnupg = join(project.home, '.gnupg')
  await mkdir(gnupg, { mode: 0o700 })
  const gpg = (...args: string[]) => execFileSync('gpg', ['--batch', ...args], { stdio: 'pipe' })
  gpg('--passphrase', '', '--quick-gen-key', 'Ada <ada@example.invalid>', 'ed25519', 'sign', 'never')
  execFileSync('gpgconf', ['--kill', 'gpg-agent'])
  await signing(project.home, '')
  expect((await lacksOf(project)).map(({ allow }) => allow)).toEqual([['gpg']])
  await allowInSettings(['gpg'])
  expect(await lacksOf(project)).toEqual([])
})

test.skipIf(!here.works)(
  'a key that nothing gives back, and a signer that the project names, which is not run',
  async () => {
    const project = await person()
    await signing(project.home, `\tsigningKey = ${project.home}/none.pub\n[gpg]\n\tformat = ssh\n`)
    const [lack] = await lacksOf(project)
    expect(lack?.allow).toEqual([])
    expect(lack?.lines.at(-1)).toMatch(/will fail unless/)
    await project.git('config', 'gpg.ssh.program', join(project.dir, 'canary.sh'))
    await writeFile(join(project.dir, 'canary.sh'), '#!/bin/sh\ntouch canary\n', { mode: 0o755 })
    expect(await lacksOf(project)).toEqual([])
    expect(existsSync(join(project.dir, 'canary'))).toBe(false)
  },
)

test.skipIf(!here.works)('a directory of the agent program that cannot be written', async () => {
  const project = await person()
  const own = join(project.home, '.codex')
  await mkdir(own)
  await chmod(own, 0o500)
  const lines = (await lacksOf(project, ['codex'])).flatMap((lack) => lack.lines)
  await chmod(own, 0o700)
  expect(lines[0]).toBe(`Agents need these and cannot write them: ${own}.`)
})

test('what is allowed is added to the settings, and nothing else is changed', async () => {
  const { home } = await person()
  const file = join(home, '.config/autopilot/config.json')
  await allowInSettings(['gpg'])
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ confineAllow: ['gpg'] })
  await writeFile(file, '{"rigor":"fast","confineAllow":["aws"]}')
  await allowInSettings(['ssh', 'aws'])
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ rigor: 'fast', confineAllow: ['aws', 'ssh'] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await rename(file, join(home, 'dotfile'))
  await symlink(join(home, 'dotfile'), file)
  await allowInSettings(['gh'])
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(JSON.parse(await readFile(file, 'utf8')).confineAllow).toEqual(['aws', 'ssh', 'gh'])
  await writeFile(file, '[]')
  await expect(allowInSettings(['ssh'])).rejects.toThrow(/holds no object/)
})
