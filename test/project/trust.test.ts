import { appendFile, chmod, mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseGitConfig } from '../../source/project/git-config.js'
import {
  agreedItems,
  describeSubject,
  isKnownProject,
  isTrusted,
  type TrustRequest,
  trust,
  trustedFiles,
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
    expect(await isKnownProject(first.root)).toBe(false)
    await trust(first)
    expect(await isKnownProject(first.root)).toBe(true)
    for (const root of ['/elsewhere', '__proto__']) expect(await isKnownProject(root)).toBe(false)
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
    [
      'an attribute that runs a filter',
      async () => await repository.write('.gitattributes', '*.js filter=x\n'),
    ],
    ['one in the settings of git', async () => await repository.write('.git/info/attributes', '* diff=x\n')],
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
    await repository.write('.gitattributes', '*.sh text eol=lf\n# filter=x\n')
    await repository.write('package.json', '{"scripts":{"check":"true","other":"y"},"dependencies":{}}')
    repository.git('remote', 'add', 'origin', 'https://example.org/x.git')
    repository.git('config', 'branch.main.merge', 'refs/heads/main')
    repository.commitAll('work')
    expect(await isTrusted(await full())).toBe(true)
  })

  test('what has changed since the person agreed last is told first', async () => {
    await repository.write('.husky/_/pre-commit', '#!/bin/sh\n')
    await repository.write('.husky/pre-commit', 'npm test\n')
    repository.git('config', 'core.hooksPath', '.husky/_')
    repository.git('config', 'filter.y.clean', './a.sh')
    const before = await subject()
    expect(await agreedItems(before.root)).toBeUndefined()
    await trust(before)
    const agreed = await agreedItems(before.root)
    expect(describeSubject(before, agreed)).toEqual(describeSubject(before))
    await repository.write('.husky/pre-commit', 'curl evil\n')
    await repository.write('.husky/_/post-commit', '#!/bin/sh\n')
    await chmod(join(repository.root, '.husky/_/post-commit'), 0o755)
    repository.git('config', '--unset', 'filter.y.clean')
    const [, ...lines] = describeSubject(await subject(), agreed)
    expect(lines.slice(0, 3)).toEqual([
      'New: Git hook _/post-commit: .husky/_/post-commit',
      'Changed: Git hook pre-commit: .husky/pre-commit',
      'Gone: Git setting filter.y.clean: ./a.sh',
    ])
    // What somebody else has put there is not what the hash says that was agreed to.
    const path = join(configDir, 'trust.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('npm', 'yarn').replace('a.sh', 'b.sh'))
    expect(await agreedItems(before.root)).toBeUndefined()
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

  test('a hook counts with the scripts of the project that it calls, and with what those load', async () => {
    await repository.write('tools/lint.mjs', "import './rules.mjs'\n")
    await repository.write('tools/rules.mjs', '1\n')
    await repository.write('tools/other.mjs', '1\n')
    await repository.hook(
      'pre-commit',
      '# tools/other.mjs\nexec node "$(git rev-parse --show-toplevel)/tools/lint.mjs" --fix',
    )
    const before = await subject()
    await repository.write('tools/other.mjs', '2\n')
    await repository.write('source/a.ts', 'x')
    expect((await subject()).hash).toBe(before.hash)
    await repository.write('tools/rules.mjs', '2\n')
    const after = await subject()
    expect(after.hash).not.toBe(before.hash)
    await repository.write('tools/lint.mjs', '2\n')
    expect((await subject()).hash).not.toBe(after.hash)
  })

  test.each([
    ['npx lint-staged', '.lintstagedrc.json', '{"*.js":"eslint"}'],
    ['npx --no -- commitlint --edit "$1"', 'commitlint.config.mjs', 'export default {}'],
    ['exec lefthook run pre-commit', 'lefthook.yml', 'pre-commit: {}'],
    ['exec pre-commit hook-impl --hook-type=pre-commit', '.pre-commit-config.yaml', 'repos: []'],
    ['npx lint-staged', 'package.json', '{"lint-staged":{"*":"true"}}'],
  ])('a hook with %s counts with %s', async (hook, path, text) => {
    await repository.write('package.json', '{"name":"x"}')
    await repository.hook('pre-commit', hook)
    const before = await subject()
    await repository.write('package.json', '{"name":"y"}')
    await repository.write('lint.config.js', text)
    expect((await subject()).hash).toBe(before.hash)
    await repository.write(path, text)
    expect((await subject()).hash).not.toBe(before.hash)
  })

  test.each([
    ['a name in .bin', { test: 'check --all' }],
    ['a path', { test: 'node node_modules/@x/check/bin.js' }],
    ['a script in a script', { test: 'run-s "unit:*" lint', 'unit:a': 'check', lint: 'true' }],
    ['npx', { test: 'npx --no-install check' }],
    ['a shell script', { test: 'sh tools/test.sh' }],
  ])('a runner of a package, by %s, counts with what it loads of that package', async (_how, scripts) => {
    await repository.write('node_modules/@x/check/bin.js', "import '../lib.js'\nimport './run.js'\n")
    await repository.write('node_modules/@x/check/run.js', "require('./deep.cjs')\n")
    await repository.write('node_modules/@x/check/deep.cjs', '1\n')
    await repository.write('node_modules/@x/check/notes.js', '1\n')
    // As pnpm does it, where others make a link.
    const shim = '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node "$basedir/../@x/check/bin.js" "$@"\n'
    await repository.write('node_modules/.bin/check', shim)
    await repository.write('tools/test.sh', '#!/bin/sh\nnode_modules/.bin/check\n')
    await repository.write('package.json', JSON.stringify({ scripts }))
    const tests = { commands: [{ label: 'Test command', argv: ['npm', 'test'] }] }
    const before = await subject(tests)
    await repository.write('node_modules/@x/check/notes.js', '2\n')
    expect((await subject(tests)).hash).toBe(before.hash)
    for (const name of ['deep.cjs', 'run.js', 'bin.js']) {
      await repository.write(`node_modules/@x/check/${name}`, `// ${name}\n`)
      const after = await subject(tests)
      expect(after.hash).not.toBe(before.hash)
      expect(after.items.some(({ detail }) => detail === `node_modules/@x/check/${name}`)).toBe(true)
      await repository.write('node_modules/@x/check/deep.cjs', '1\n')
      await repository.write('node_modules/@x/check/run.js', "require('./deep.cjs')\n")
    }
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

describe('what is trusted', () => {
  const outside = async (name: string, text: string) => {
    const path = join(repository.home, name)
    await writeFile(path, text)
    await chmod(path, 0o755)
    return path
  }
  const changes = async (read: () => ReturnType<typeof subject>, edit: () => Promise<unknown>) => {
    const before = await read()
    expect((await read()).hash).toBe(before.hash)
    await edit()
    return (await read()).hash !== before.hash
  }

  test('a program is its real path and content, also outside of the project', async () => {
    const program = await outside('tool', '#!/bin/sh\n')
    const read = async () => await subject({ agentArgv: [program] })
    expect(describeSubject(await read())).toContain(`Program: ${program}`)
    expect(await changes(read, () => writeFile(program, '#!/bin/sh\ntrue\n'))).toBe(true)
    const link = join(repository.home, 'link')
    await symlink(program, link)
    expect(describeSubject(await subject({ agentArgv: [link] }))).toContain(`Program: ${program}`)
  })

  test('a program that appears before the one we use is a change, one in the project is none', async () => {
    const early = join(repository.home, 'early')
    await mkdir(early)
    vi.stubEnv('PATH', `${repository.root}/node_modules/.bin:${early}:${process.env.PATH}`)
    const read = async () => await subject({ programs: ['git', 'no-such-program'] })
    const plant = async () => {
      await repository.write('node_modules/.bin/git', '#!/bin/sh\n')
      await chmod(join(repository.root, 'node_modules/.bin/git'), 0o755)
    }
    expect(await changes(read, plant)).toBe(false)
    expect(await changes(read, () => outside('early/no-such-program', '#!/bin/sh\n'))).toBe(true)
    expect(await changes(read, () => outside('early/git', '#!/bin/sh\n'))).toBe(true)
  })

  test.each([
    ['agent.mjs', "import { a } from './lib/part.mjs'", 'lib/part.mjs'],
    ['agent.js', "const a = require('./part')", 'part.js'],
    ['agent.ts', "export * from './part.js'", 'part.ts'],
    ['agent.py', 'from part import run', 'part.py'],
    ['agent.sh', 'set -e; . ./part.sh', 'part.sh'],
    ['agent', '#!/usr/bin/env node\nawait import("./part.js")', 'part.js'],
  ])('what %s loads from beside it counts', async (script, text, part) => {
    await repository.write(script, text)
    await repository.write(part, '1')
    await repository.write('unrelated.js', '1')
    const read = async () => await subject({ agentArgv: ['run-it', script] })
    expect(describeSubject(await read())).toContain(`Script: ${part}`)
    expect(await changes(read, () => repository.write('unrelated.js', '2'))).toBe(false)
    expect(await changes(read, () => repository.write(part, '2'))).toBe(true)
  })

  test.each([
    ['node_modules/.bin/check', 'a program of the project that its script starts'],
    ['node_modules/.bin/node', 'one that stands before the one that its script starts'],
    ['.npmrc', 'settings of the package manager'],
  ])('%s counts: %s', async (path) => {
    await repository.write('package.json', '{"scripts":{"test":"check && node --test"}}')
    for (const validateArgv of [
      ['npm', 'test'],
      ['npm', 't'],
    ]) {
      const read = async () => await subject({ validateArgv })
      expect(await changes(read, () => repository.write(path, validateArgv.join(' ')))).toBe(true)
      expect(await changes(read, () => repository.write(path, 'changed'))).toBe(true)
    }
    const direct = async () => await subject({ validateArgv: ['npx', 'check'] })
    expect(await changes(direct, () => repository.write('node_modules/.bin/check', 'again'))).toBe(true)
  })

  test('settings of the user that widen rights count', async () => {
    const settings = [{ label: 'permissions', detail: 'all' }]
    expect((await subject({ settings })).hash).not.toBe((await subject()).hash)
    expect(describeSubject(await subject({ settings }))).toContain('Your setting permissions: all')
  })

  test('hooks and filters of the settings of the user count', async () => {
    const read = async () => await subject()
    await mkdir(join(repository.home, 'hooks'))
    await outside('hooks/pre-commit', '#!/bin/sh\n')
    const config = join(repository.home, '.gitconfig')
    expect(await changes(read, () => appendFile(config, '[filter "x"]\n\tclean = ./x\n'))).toBe(true)
    expect(await changes(read, () => appendFile(config, '[core]\n\thooksPath = ~/hooks\n'))).toBe(true)
    expect(await changes(read, () => outside('hooks/pre-commit', '#!/bin/sh\nfalse\n'))).toBe(true)
  })

  test('its files are told by their paths', async () => {
    await repository.write('agent.js', '1')
    await repository.hook('pre-commit', 'true')
    const program = await outside('tool', '#!/bin/sh\n')
    expect(trustedFiles(await subject({ agentArgv: [program, 'agent.js'] }))).toEqual(
      expect.arrayContaining([
        program,
        join(repository.root, 'agent.js'),
        join(repository.root, '.git/hooks/pre-commit'),
      ]),
    )
  })
})

describe('the record of trust', () => {
  test('an entry that autopilot did not write is no trust', async () => {
    const wanted = await subject()
    const path = join(configDir, 'trust.json')
    await mkdir(configDir, { mode: 0o700 })
    const entry = { hash: wanted.hash, at: new Date().toISOString() }
    const forge = async (own: object) =>
      await writeFile(path, JSON.stringify({ version: 1, projects: { [wanted.root]: [own] } }), {
        mode: 0o600,
      })
    await forge(entry)
    expect(await isTrusted(wanted)).toBe(false)
    await trust(await subject({ agentArgv: ['other'] }))
    const { projects } = JSON.parse(await readFile(path, 'utf8'))
    await forge({ ...projects[wanted.root].at(-1), hash: wanted.hash })
    expect(await isTrusted(wanted)).toBe(false)
    await trust(wanted)
    expect(await isTrusted(wanted)).toBe(true)
  })

  test('many at once lose nothing, and a lock of the dead holds nobody up', async () => {
    const wanted = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => await subject({ agentArgv: ['a', String(at)] })),
    )
    await mkdir(configDir, { mode: 0o700 })
    const lock = join(configDir, 'trust.json.lock')
    await writeFile(lock, '')
    await utimes(lock, new Date(0), new Date(0))
    await Promise.all(wanted.map(trust))
    for (const each of wanted) expect(await isTrusted(each)).toBe(true)
    await expect(stat(lock)).rejects.toThrow()
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
