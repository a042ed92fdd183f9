import { expect, test } from 'vitest'
import { leftChanges, leftWorktrees } from '../../../../source/workflows/playbook/decisions/leftovers.js'
import { checkpointTag, checkpointTags } from '../../../../source/workflows/playbook/decisions/rollback.js'

test('tags of a phase are found by their beginning, and not those of another', () => {
  expect(checkpointTag('2', '02-01')).toBe('autopilot-checkpoint-2-02-01')
  expect(checkpointTag('2.1', '02.1-01').startsWith(checkpointTags('2'))).toBe(false)
})

test('work trees of parts are told from others', () => {
  const tree = (path: string) => ({ path, branch: 'b', isGone: false })
  const found = leftWorktrees(
    [
      tree('/work/app'),
      tree('/work/app/.autopilot/worktrees/20a'),
      tree('/work/app2/.autopilot/worktrees/20b'),
    ],
    '/work/app/',
  )
  expect(found).toEqual([{ part: '20a', path: '.autopilot/worktrees/20a', branch: 'b', isGone: false }])
})

test('what a task left is what is dirty now and was not so before', () => {
  const now = [
    { path: 'a', hash: '1' },
    { path: 'b', hash: '2' },
    { path: 'c', hash: '3' },
  ]
  expect(
    leftChanges(now, [
      { path: 'a', hash: '1' },
      { path: 'b', hash: '9' },
    ]),
  ).toEqual(['b', 'c'])
})
