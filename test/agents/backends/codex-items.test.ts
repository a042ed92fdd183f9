import { describe, expect, it } from 'vitest'
import {
  changesDiff,
  liesWithin,
  shellCommand,
  toolOfItem,
} from '../../../source/agents/backends/codex-items.js'

describe('items', () => {
  it.each([
    ["/bin/bash -lc 'npm test'", 'npm test'],
    ['/bin/bash -lc "printf \'a\\\\n\' > \\"b\\""', 'printf \'a\\n\' > "b"'],
    ['/usr/bin/zsh -c ls', 'ls'],
    ["bash -lc 'a' && rm -rf 'b'", "bash -lc 'a' && rm -rf 'b'"],
    ['npm test', 'npm test'],
  ])('%s runs %s', (command, shown) => {
    expect(shellCommand(command)).toBe(shown)
  })

  it('a diff names every file, whatever became of it', () => {
    const changes = [
      { path: '/p/new', kind: { type: 'add' }, diff: 'a\nb\n' },
      { path: '/p/old', kind: { type: 'delete' }, diff: 'c\n' },
      { path: '/p/x', kind: { type: 'update', move_path: '/p/y' }, diff: '@@ -1 +1 @@\n-1\n+2\n' },
      { path: '/etc/z', kind: { type: 'update', move_path: null }, diff: '@@ -1 +1 @@\n-1\n+2\n' },
      { path: '/p/none' },
    ]
    expect(changesDiff(changes, '/p').split('\n')).toEqual([
      '--- /dev/null',
      '+++ b/new',
      '@@ -0,0 +1,2 @@',
      '+a',
      '+b',
      '--- a/old',
      '+++ /dev/null',
      '@@ -1,1 +0,0 @@',
      '-c',
      '--- a/x',
      '+++ b/y',
      '@@ -1 +1 @@',
      '-1',
      '+2',
      '--- /etc/z',
      '+++ /etc/z',
      '@@ -1 +1 @@',
      '-1',
      '+2',
    ])
  })

  it.each([
    [[{ path: '/p/a' }], true],
    [[{ path: 'a' }], true],
    [[{ path: '../a' }], false],
    [[{ path: '/p/../q' }], false],
    [[{ path: '/p' }], false],
    [[{ path: '/p/a' }, { path: '/etc/b' }], false],
    [[{ path: '/p/a', kind: { type: 'update', move_path: '/etc/b' } }], false],
    [[], false],
    ['garbage', false],
  ])('%j lies within: %s', (changes, expected) => {
    expect(liesWithin(changes, '/p')).toBe(expected)
  })

  it('knows tools of servers and tools without a status, and ignores what is none', () => {
    const place = { cwd: '/p', over: true }
    const call = { id: 'a', type: 'mcpToolCall', server: 'files', tool: 'read', status: 'failed' }
    expect(toolOfItem({ ...call, error: { message: 'no' } }, place)).toMatchObject({
      name: 'files.read',
      status: 'failed',
      output: 'no',
    })
    const search = { id: 'b', type: 'webSearch', query: 'how' }
    expect(toolOfItem(search, { ...place, over: false })).toMatchObject({ status: 'running', title: 'how' })
    expect(toolOfItem(search, place)).toMatchObject({ status: 'ok', kind: 'read' })
    expect(toolOfItem({ id: 'c', type: 'agentMessage', text: 'hi' }, place)).toBeUndefined()
  })
})
