import { expect, test } from 'vitest'
import { personalPlaces } from '../../source/project/personal-places.js'

const pathsOf = (env: Record<string, string>, isConfined = false) =>
  personalPlaces({ home: '/home/ada', env, isConfined }).map(({ path }) => path)

test('below HOME, and where variables lead an agent program', () => {
  const paths = pathsOf({
    CLAUDE_CONFIG_DIR: '/conf/claude',
    CODEX_HOME: '/conf/codex',
    XDG_CONFIG_HOME: '/conf/xdg',
  })
  for (const path of [
    '/home/ada/.claude/settings.json',
    '/conf/claude/settings.json',
    '/home/ada/.claude.json',
    '/conf/claude/.claude.json',
    '/conf/codex/config.toml',
    '/conf/xdg/opencode/opencode.json',
    '/home/ada/.bashrc',
    '/home/ada/.config/systemd/user',
  ])
    expect(paths).toContain(path)
  expect(paths).not.toContain('/conf/codex/.claude.json')
})

test('a confined agent writes no startup file of a shell, but what is its own program, and caches of builds', () => {
  const paths = pathsOf({}, true)
  expect(paths).not.toContain('/home/ada/.bashrc')
  expect(paths).toContain('/home/ada/.codex/config.toml')
  expect(paths).toContain('/home/ada/.gradle/init.d')
})
