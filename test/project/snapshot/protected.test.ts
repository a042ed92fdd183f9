import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, symlink, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  compareProtected,
  loadProtected,
  type ProtectedOptions,
  readProtected,
} from '../../../source/project/snapshot/protected.js'
import { temporaryPath } from '../../../source/storage/durable-file.js'
import { makeRepository, type TestRepository } from '../repository.js'

let repository: TestRepository
let options: ProtectedOptions

beforeEach(async () => {
  repository = await makeRepository()
  options = { place: { root: repository.root, store: join(repository.home, 'store') } }
})

afterEach(async () => {
  await repository.remove()
})

const at = (path: string) => join(repository.root, path)

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** What an action changes among the protected, in short words. */
async function left(action: () => unknown): Promise<string[]> {
  const before = await readProtected(options)
  await action()
  const found = compareProtected(before, await readProtected(options))
  return found.map(({ kind, name, change, traits }) => [kind, name, change, ...traits].join(' '))
}

test('nothing happened, and the reading comes back from the store', async () => {
  await repository.write('CLAUDE.md', 'x')
  const before = await readProtected(options)
  expect(await left(() => undefined)).toEqual([])
  expect(await loadProtected(join(repository.home, 'store'), before.digest)).toEqual(before)
})

test('instruction files of agents, also new ones and links', async () => {
  await repository.write('AGENTS.md', 'a')
  await repository.write('.claude/settings.json', '{}')
  const found = await left(async () => {
    await repository.write('AGENTS.md', 'b')
    await symlink('AGENTS.md', at('CLAUDE.md'))
    await repository.write('.claude/settings.json', '{"hooks":1}')
    await repository.write('.claude/agents/planner.md', 'x')
    await repository.write('.mcp.json', '{}')
    await repository.write('.gitattributes', '* filter=evil')
  })
  expect(found).toEqual([
    'protected .claude/agents/planner.md added instructions',
    'protected .claude/settings.json changed instructions',
    'protected .gitattributes added attributes',
    'protected .mcp.json added instructions',
    'protected AGENTS.md changed instructions',
    'protected CLAUDE.md added instructions link',
  ])
})

test('settings of git by key; remotes of branches and names of people are free, addresses and signing are not', async () => {
  repository.git('config', 'alias.x', 'status')
  repository.git('config', 'remote.origin.url', 'ssh://one')
  const found = await left(() => {
    repository.git('config', 'core.fsmonitor', '/tmp/evil')
    repository.git('config', 'filter.x.clean', 'evil')
    repository.git('config', 'remote.origin.url', 'ssh://two')
    repository.git('config', '--unset', 'alias.x')
    repository.git('config', 'include.path', 'more')
    repository.git('config', 'url.evil:.insteadOf', 'https:')
    repository.git('config', 'branch.main.remote', 'origin')
    repository.git('config', 'user.name', 'Somebody')
    repository.git('config', 'branch.main.pushRemote', 'https://evil.invalid/x')
    repository.git('config', 'commit.gpgSign', 'false')
    repository.git('config', 'status.showUntrackedFiles', 'no')
    repository.git('config', 'submodule.lib.ignore', 'all')
    repository.git('config', 'submodule.lib.active', 'true')
    repository.git('config', 'remote.origin.push', '+refs/heads/*:refs/heads/elsewhere/*')
    repository.git('config', 'tar.tgz.command', 'evil')
    repository.git('config', 'browser.x.cmd', 'evil')
  })
  expect(found).toEqual([
    'config alias.x removed git-settings',
    'config branch.main.pushremote added git-settings',
    'config browser.x.cmd added git-settings',
    'config commit.gpgsign added git-settings',
    'config core.fsmonitor added git-settings',
    'config filter.x.clean added git-settings',
    'config include.path added git-settings',
    'config remote.origin.push added git-settings',
    'config remote.origin.url changed git-settings',
    'config status.showuntrackedfiles added git-settings',
    'config submodule.lib.ignore added git-settings',
    'config tar.tgz.command added git-settings',
    'config url.evil:.insteadof added git-settings',
  ])
})

test('hooks, the hooks directory of the person, info files, included files', async () => {
  repository.git('config', '--global', 'core.hooksPath', '~/hooks')
  repository.git('config', 'include.path', 'more')
  const found = await left(async () => {
    await repository.hook('pre-commit', 'evil')
    await write(join(repository.home, 'hooks/pre-push'), 'evil')
    await write(at('.git/info/attributes'), '* filter=x')
    await write(at('.git/info/grafts'), 'x')
    await write(at('.git/objects/info/alternates'), '/elsewhere')
    await write(at('.git/more'), '[core]\n\tpager = evil\n')
  })
  expect(found).toEqual([
    'protected .git/hooks/pre-commit added hook',
    'protected .git/info/attributes added attributes',
    'protected .git/info/grafts added git-settings',
    'protected .git/more added user-settings',
    'protected .git/objects/info/alternates added git-settings',
    `protected ${repository.home}/hooks/pre-push added hook`,
  ])
})

test('what is begun with git and not finished, but no links of files of packages', async () => {
  repository.git('checkout', '-q', '-b', 'side')
  await repository.write('readme.md', 'side')
  repository.commitAll('side')
  repository.git('checkout', '-q', 'main')
  await repository.write('readme.md', 'main')
  repository.commitAll('main')
  await write(at('node_modules/a/run.js'), '1')
  await write(at('tools/run.js'), '1')
  options = { ...options, trusted: ['node_modules/a/run.js', 'tools/run.js'] }
  const found = await left(async () => {
    expect(() => repository.git('merge', 'side')).toThrow()
    await link(at('node_modules/a/run.js'), at('linked.js'))
    await link(at('tools/run.js'), at('linked-too.js'))
  })
  expect(found).toEqual([
    'protected .git/MERGE_HEAD added under-way',
    'protected tools/run.js changed trust shape',
  ])
})

test('the git settings of the person', async () => {
  const found = await left(async () => {
    repository.git('config', '--global', 'alias.st', '!evil')
    await write(join(repository.home, '.config/git/config'), '[core]\n\teditor = evil\n')
    await write(join(repository.home, '.config/git/attributes'), '* filter=x\n')
  })
  expect(found).toEqual([
    `protected ${repository.home}/.config/git/attributes added user-settings`,
    `protected ${repository.home}/.config/git/config added user-settings`,
    `protected ${repository.home}/.gitconfig changed user-settings`,
  ])
})

test('a linked work tree: its own settings and the shared ones', async () => {
  const tree = join(repository.home, 'tree')
  repository.git('config', 'extensions.worktreeConfig', 'true')
  repository.git('worktree', 'add', '-q', tree, '-b', 'side')
  options = { place: { ...options.place, root: tree } }
  const found = await left(async () => {
    repository.git('-C', tree, 'config', '--worktree', 'core.sshCommand', 'evil')
    await repository.hook('post-checkout', 'evil')
  })
  expect(found).toEqual([
    'config config.worktree core.sshcommand added git-settings',
    `protected ${at('.git/hooks/post-checkout')} added hook`,
  ])
})

test('what the test command names: scripts with their files, .npmrc, but not other scripts', async () => {
  await repository.write('package.json', '{"scripts":{"test":"node run.js","build":"x"}}')
  await repository.write('run.js', '1')
  options = { ...options, commands: [['npm', 'test']] }
  const found = await left(async () => {
    await repository.write(
      'package.json',
      '{"scripts":{"test":"node run.js || true","pretest":"x","build":"y"}}',
    )
    await repository.write('run.js', '2')
    await repository.write('.npmrc', 'script-shell=evil')
  })
  expect(found).toEqual([
    'protected .npmrc added command',
    'protected package.json#pretest added command',
    'protected package.json#test changed command unstored',
    'protected run.js changed command',
  ])
})

test('scripts that the script of the test command starts, and the files that those name', async () => {
  await repository.write(
    'package.json',
    '{"scripts":{"test":"run-s lint unit","unit":"node run.js","lint":"l"}}',
  )
  await repository.write('run.js', '1')
  options = { ...options, commands: [['npm', 't']] }
  const found = await left(async () => {
    await repository.write(
      'package.json',
      '{"scripts":{"test":"run-s lint unit","unit":"node run.js","lint":"m"}}',
    )
    await repository.write('run.js', '2')
  })
  expect(found).toEqual([
    'protected package.json#lint changed command unstored',
    'protected run.js changed command',
  ])
})

test('what an agent program keeps in HOME: what it notes for itself is nothing, what starts programs is a part of it', async () => {
  const at = join(repository.home, '.claude.json')
  await write(at, '{"starts":1}')
  options = { ...options, personal: [{ path: at, why: 'agent-home', program: 'claude' }] }
  expect(await left(async () => await write(at, '{"starts":2}'))).toEqual([])
  expect(
    await left(async () => await write(at, '{"starts":3,"mcpServers":{"x":{"command":"evil"}}}')),
  ).toEqual([`protected ${at}#mcpServers added agent-home`])
})

test('records: content, permissions, links; what grows counts by its shape', async () => {
  const session = at('.work/one')
  await write(join(session, 'state.json'), '{}')
  await write(join(session, 'journal.jsonl'), 'a')
  await write(join(session, 'logs/agent.log'), 'a')
  await write(join(session, 'mode'), 'a')
  const ownTemporary = temporaryPath(join(session, 'summary.json'))
  const own = { directory: session, whose: 'own' as const, growing: ['journal.jsonl'], free: ['logs'] }
  const other = { directory: at('.other'), whose: 'other-tool' as const }
  options = { ...options, records: [own, other] }
  const found = await left(async () => {
    await write(join(session, 'state.json'), '{"forged":1}')
    await write(join(session, 'journal.jsonl'), 'ab')
    await write(join(session, 'logs/agent.log'), 'ab')
    // What this process writes beside the work is its own; nobody else can know such a name before.
    await write(ownTemporary, 'a')
    await write(join(session, '.summary.json.1.0123456789ab.tmp'), 'a')
    await chmod(join(session, 'mode'), 0o777)
    await write(at('.other/x'), 'x')
    execFileSync('mkfifo', [join(session, 'handoff.json')])
  })
  expect(found).toEqual([
    'record .other added other-tool',
    'record .other/x added other-tool',
    'record .work/one/.summary.json.1.0123456789ab.tmp added own',
    'record .work/one/handoff.json added own',
    'record .work/one/mode changed own shape',
    'record .work/one/state.json changed own',
  ])
  await unlink(join(session, 'journal.jsonl'))
  await symlink('state.json', join(session, 'journal.jsonl'))
  expect(await left(async () => await unlink(join(session, 'journal.jsonl')))).toEqual([
    'record .work/one/journal.jsonl removed own link',
  ])
})

test('named and trusted files, outside of the project too; a pipe in their place is not opened', async () => {
  const agent = join(repository.home, 'agent.js')
  await write(agent, '1')
  await repository.write('spec.md', 'x')
  options = { ...options, named: ['spec.md'], trusted: [agent] }
  const found = await left(async () => {
    await write(agent, '2')
    await unlink(at('spec.md'))
    execFileSync('mkfifo', [at('spec.md')])
  })
  expect(found).toEqual([`protected ${agent} changed trust`, 'protected spec.md changed named type'])
})

test('locks that git has left; one that is let go of in a moment is none', async () => {
  await repository.write('.git/refs/heads/main.lock', '')
  const found = await left(async () => {
    await unlink(at('.git/refs/heads/main.lock'))
    await repository.write('.git/index.lock', '')
    await repository.write('.git/HEAD.lock', '')
    setTimeout(() => void unlink(at('.git/HEAD.lock')), 300)
  })
  expect(found).toEqual([
    'protected .git/index.lock added git-lock',
    'protected .git/refs/heads/main.lock removed git-lock',
  ])
})
