import { expect, test } from 'vitest'
import {
  partPlaces,
  splitDetails,
  splitIssues,
  splitOutcome,
  splitTasks,
  tooManyIssues,
  tooManyTasks,
} from '../../../../source/workflows/playbook/decisions/split.js'
import type { Deficiency, OrderTask } from '../../../../source/workflows/playbook/orders/fields.js'

const task = (id: string, files: string[], complexity: OrderTask['complexity'] = 'complex'): OrderTask => ({
  id,
  title: `Task ${id}`,
  type: 'auto',
  complexity,
  files,
  criteria: [],
})
test('more than five complex tasks, or more than ten files, are too much', () => {
  const tasks = Array.from({ length: 6 }, (_, at) => task(String(at), [`f${at}`]))
  expect(tooManyTasks(tasks)).toBe('6 complex tasks, more than 5')
  expect(tooManyTasks(tasks.slice(1))).toBeUndefined()
  const files = Array.from({ length: 11 }, (_, at) => `f${at}`)
  expect(tooManyTasks([task('1', files, 'simple'), task('2', files, 'simple')])).toBe(
    '11 files, more than 10',
  )
  expect(tooManyTasks([task('1', files.slice(1), 'simple')])).toBeUndefined()
})

test('tasks fall into parts by the files that they share, over others too', () => {
  const tasks = [
    task('1', ['a']),
    task('2', ['b']),
    task('3', ['c', 'a']),
    task('4', ['d', 'c']),
    task('5', []),
  ]
  const parts = splitTasks('20', tasks, ['20', '20A', '21'])
  expect(parts?.map(({ id, tasks: own }) => [id, own])).toEqual([
    ['20b', ['1', '3', '4']],
    ['20c', ['2']],
    ['20d', ['5']],
  ])
  expect(parts?.[0]?.files).toEqual(['a', 'c', 'd'])
})

test('two groups that a later task joins are one, and one group is no split', () => {
  expect(splitTasks('20', [task('1', ['a']), task('2', ['b']), task('3', ['a', 'b'])], [])).toBeUndefined()
})

const issue = (number: number, file?: string): Deficiency => ({
  criterion: `c${number}`,
  deficiency: `d${number}`,
  source: 'scorecard',
  ...(file === undefined ? {} : { target_file: file }),
})

test.each([
  [['a', 'b', 'c'], undefined],
  [['a', 'b', 'c', 'a'], undefined],
  [['a', 'b', 'c', undefined], undefined],
  [['a', 'b', 'c', 'd'], '4 deficiencies in 4 files, more than 3 in 4 or more'],
  [['a', 'b', 'c', 'd', 'a'], '5 deficiencies in 4 files, more than 3 in 4 or more'],
])('deficiencies in %s', (files, reason) => {
  expect(tooManyIssues(files.map((file, at) => issue(at, file)))).toBe(reason)
})

test('deficiencies of one file are one part, those of no file stand alone, and names of before are not taken again', () => {
  const all = [issue(1, 'a'), issue(2, 'b'), issue(3, 'a'), issue(4)]
  expect(splitIssues('20', all, ['20', '20A', '20c'])).toEqual([
    { id: '20b', feedback: [all[0], all[2]] },
    { id: '20d', feedback: [all[1]] },
    { id: '20e', feedback: [all[3]] },
  ])
  expect(splitIssues('20', [issue(1, 'a'), issue(2, 'a')], [])).toBeUndefined()
})

test('a split request tells each part in words', () => {
  const tasks = [task('1', ['a'], 'simple'), task('2', ['b'])]
  const parts = splitTasks('20', tasks, [])!
  expect(splitDetails('too much', parts, tasks)).toEqual({
    reason: 'too much',
    recommended_sub_phases: [
      { sub_phase_id: '20a', name: 'Task 1', scope: 'Task 1', issues: [], estimated_complexity: 'simple' },
      { sub_phase_id: '20b', name: 'Task 2', scope: 'Task 2', issues: [], estimated_complexity: 'complex' },
    ],
    total_sub_phases: 2,
    original_issue_count: 0,
  })
})

test('the places of a part', () => {
  expect(partPlaces('20a', '.planning/phases/20-x')).toEqual({
    worktree: '.autopilot/worktrees/20a',
    artifacts: '.planning/phases/20-x/split-20a',
  })
})

test('completed only if all parts are; the score is their mean, cut', () => {
  const part = (status: string, score: number | null) => ({ status, alignment_score: score })
  expect(splitOutcome([part('completed', 9.1), part('completed', 8.8)])).toEqual({
    completed: true,
    score: 8.9,
  })
  expect(splitOutcome([part('completed', 9.1), part('failed', null)])).toEqual({
    completed: false,
    score: null,
  })
})
