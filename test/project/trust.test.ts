import { chmod, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseGitConfig } from '../../source/project/git-config.js'
import {
  describeSubject,
  isTrusted,
  type TrustRequest,
  trust,
  trustSubject,
} from '../../source/project/trust.js'
import { makeRepository, type TestRepository } from './repository.js'

let repository: TestRepository
let configDir: string
beforeEach(async () => {
  repository = await makeRepository()
  configDir = join(repository.home, 'settings')
  vi.stubEnv('AUTOPILOT_CONFIG_DIR', configDir)
})
afterEach(async () => await repository.remove())

async function subject(more: Partial<TrustRequest> = {}) {
  return await trustSubject({
    root: repository.root,
    agentLabel: 'claude',
    agentArgv: ['claude', '-p'],
    ...more,
  })
}

describe('trust', () => {
  test('is kept privately, for exactly this project and content', async () => {
    const first = await subject()
    expect(await isTrusted(first)).toBe(false)
    await trust(first)
    expect(await isTrusted(await subject())).toBe(true)
    expect((await stat(join(configDir, 'trust.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(configDir)).mode & 0o777).toBe(0o700)
    expect(await isTrusted(await subject({ agentArgv: ['claude', '-p', '--yes'] }))).toBe(false)
    expect(await isTrusted(await subject({ validateArgv: ['npm', 'test'] }))).toBe(false)
    expect(await isTrusted({ ...first, root: '/elsewhere' })).toBe(false)
    expect(await isTrusted({ ...first, root: '__proto__' })).toBe(false)
  })

  test('the real path counts, not the way to it', async () => {
    await trust(await subject())
    await symlink(repository.root, join(repository.home, 'link'))
    expect(await isTrusted(await subject({ root: join(repository.home, 'link') }))).toBe(true)
  })

  test.each([
    ['command: node agent.js', ['node', 'agent.js'], 'Agent command: node agent.js'],
    ["command: node 'my agent.js'", ['node', 'my agent.js'], 'Agent command: node "my agent.js"'],
    ['command: node agent.js', ['node', 'other.js'], 'Agent command: node agent.js: node other.js'],
    ['embedded: small', ['node', 'embedded.js'], 'Agent embedded: small: node embedded.js'],
    ['claude', ['claude'], 'Agent claude: claude'],
    ['none', [], 'Agent none: part of autopilot'],
  ])('shows the command of %s once', async (agentLabel, agentArgv, line) => {
    expect(describeSubject(await subject({ agentLabel, agentArgv }))).toContain(line)
  })

  test('shows the command of a further agent once', async () => {
    const commands = [{ label: 'command: node b.js', argv: ['node', 'b.js'] }]
    expect(describeSubject(await subject({ commands }))).toContain('command: node b.js')
  })

  test('two agents in one project are both remembered', async () => {
    const other = await subject({ agentLabel: 'codex', agentArgv: ['codex'] })
    await trust(await subject())
    await trust(other)
    expect(await isTrusted(await subject())).toBe(true)
    expect(await isTrusted(other)).toBe(true)
  })

  const edits: [string, () => Promise<void>][] = [
    ['a script named in the command', async () => await repository.write('tools/check.sh', 'echo changed')],
    ['the project settings', async () => await repository.write('.autopilot.json', '{"rigor":"fast"}')],
    ['a hook', async () => await repository.hook('pre-commit', 'echo changed')],
    ['a new hook', async () => await repository.hook('post-commit', 'true')],
    ['the file watcher', async () => void repository.git('config', 'core.fsmonitor', './watch.sh')],
    ['a clean filter', async () => void repository.git('config', 'filter.x.clean', './clean.sh')],
    ['the hooks directory', async () => void repository.git('config', 'core.hooksPath', 'hooks')],
    ['a text conversion', async () => void repository.git('config', 'diff.x.textconv', 'cat')],
    ['an include', async () => void repository.git('config', 'include.path', '../more.config')],
    [
      'the script of the package',
      async () => await repository.write('package.json', '{"scripts":{"check":"sh two.sh"}}'),
    ],
    ['a script that the package names', async () => await repository.write('one.sh', 'echo changed')],
    ['a path in an option', async () => await repository.write('conf.js', 'changed')],
  ]

  async function full() {
    return await subject({
      agentArgv: ['sh', 'tools/check.sh', '--config=conf.js'],
      validateArgv: ['npm', 'run', 'check'],
      configFiles: ['.autopilot.json'],
    })
  }

  test.each(edits)('%s changes the subject', async (_what, edit) => {
    await repository.write('tools/check.sh', 'echo')
    await repository.write('conf.js', '1')
    await repository.write('one.sh', 'echo')
    await repository.write('package.json', '{"scripts":{"check":"sh one.sh && true"}}')
    await repository.hook('pre-commit', 'true')
    await trust(await full())
    expect(await isTrusted(await full())).toBe(true)
    await edit()
    expect(await isTrusted(await full())).toBe(false)
  })

  test('ordinary work leaves it as it is', async () => {
    await repository.write('package.json', '{"scripts":{"check":"true","other":"x"}}')
    await trust(await full())
    await repository.write('source/a.ts', 'x')
    await repository.write('package.json', '{"scripts":{"check":"true","other":"y"},"dependencies":{}}')
    repository.git('remote', 'add', 'origin', 'https://example.org/x.git')
    repository.git('config', 'branch.main.merge', 'refs/heads/main')
    repository.commitAll('work')
    expect(await isTrusted(await full())).toBe(true)
  })

  test('hooks inside the project count with what they call; settings of an include count', async () => {
    await repository.write('.husky/_/pre-commit', '#!/bin/sh\n')
    await repository.write('.husky/pre-commit', 'npm test\n')
    repository.git('config', 'core.hooksPath', '.husky/_')
    await repository.write('more.config', '[filter "y"]\n\tclean = ./a.sh\n')
    repository.git('config', 'include.path', '../more.config')
    const before = await subject()
    expect(describeSubject(before)).toEqual(
      expect.arrayContaining([
        'Agent claude: claude -p',
        'Git hook pre-commit: .husky/pre-commit',
        'Git setting filter.y.clean: ./a.sh',
        'Git setting core.hookspath: .husky/_',
      ]),
    )
    await repository.write('.husky/pre-commit', 'curl evil\n')
    const after = await subject()
    expect(after.hash).not.toBe(before.hash)
    await repository.write('more.config', '[filter "y"]\n\tclean = ./b.sh\n')
    expect((await subject()).hash).not.toBe(after.hash)
  })

  test('a worktree reads the settings and hooks it shares', async () => {
    await repository.hook('pre-commit', 'true')
    repository.git('worktree', 'add', '-q', '../tree')
    repository.git('config', 'core.fsmonitor', './watch')
    const lines = describeSubject(await subject({ root: join(repository.root, '../tree') }))
    expect(lines.join('\n')).toContain('Git hook pre-commit')
    expect(lines.join('\n')).toContain('Git setting core.fsmonitor: ./watch')
  })

  test('nothing is executed to find out', async () => {
    const trap = join(repository.root, 'trap.sh')
    await writeFile(trap, `#!/bin/sh\ntouch "${repository.home}/ran"\n`)
    await chmod(trap, 0o755)
    repository.git('config', 'core.fsmonitor', trap)
    repository.git('config', 'filter.x.clean', trap)
    await repository.write('.gitattributes', '* filter=x\n')
    await repository.hook('pre-commit', `touch "${repository.home}/ran"`)
    const lines = describeSubject(
      await subject({ agentArgv: ['./trap.sh'], validateArgv: [trap, '$(touch ran)'] }),
    )
    expect(lines).toContain(`Validate command: ${trap} "$(touch ran)"`)
    await expect(stat(join(repository.home, 'ran'))).rejects.toThrow()
  })

  test.each([
    ['writable by everybody', async (path: string) => await chmod(path, 0o666)],
    ['in a directory writable by everybody', async () => await chmod(configDir, 0o777)],
    ['broken', async (path: string) => await writeFile(path, '{"version":1')],
    ['of another shape', async (path: string) => await writeFile(path, '{"version":1,"projects":[]}')],
    [
      'a link',
      async (path: string) => {
        await rm(path)
        await symlink('/dev/null', path)
      },
    ],
  ])('a record that is %s is refused, not ignored', async (_how, spoil) => {
    const wanted = await subject()
    await trust(wanted)
    await spoil(join(configDir, 'trust.json'))
    await expect(isTrusted(wanted)).rejects.toMatchObject({ code: 'trust' })
    await expect(trust(wanted)).rejects.toMatchObject({ code: 'trust' })
  })
})

describe('parseGitConfig', () => {
  test('agrees with git', async () => {
    const text = [
      '[core] fsmonitor = a # comment',
      '\tHooksPath = "with # hash" ; comment',
      '[Filter "Case.Sensitive \\"x\\""]',
      '  clean = one \\',
      'two  \t',
      '\tprocess',
      '[diff.old]',
      'textconv = "a\\tb" c',
      '; [core]',
      'command = tail\\\\',
      '[gpg]program=x',
    ].join('\n')
    const path = join(repository.home, 'sample')
    await writeFile(path, text)
    const listed = repository.git('config', '-f', path, '--list', '-z').split('\0').filter(Boolean)
    const expected = listed.map((entry) => {
      const [key = '', ...value] = entry.split('\n')
      return { key, value: value.length === 0 ? 'true' : value.join('\n') }
    })
    expect(parseGitConfig(text)).toEqual(expected)
  })

  test('any text can be read, and a strange line is kept', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseGitConfig(text)))
    expect(parseGitConfig('[core]\n= x\n!!\n')).toEqual([
      { key: '?', value: '= x' },
      { key: '?', value: '!!' },
    ])
  })
})
