import { expect, test } from 'vitest'
import { readPlan } from '../../source/documents/plan.js'
import { outlineTasks, planLosses } from '../../source/documents/plan-losses.js'

const plan = (...headings: string[]) =>
  readPlan(`# Plan: Box\n\n${headings.map((text) => `### ${text}\n\nDo it.\n`).join('\n')}`).tasks

const before = plan(
  'Task 1: The box',
  'Task 2: The lid [checkpoint:human-verify]',
  'Task 3: The hinge [checkpoint:commit]',
)

test('the same plan, another order, other numbers and more words lose nothing', () => {
  expect(planLosses(before, before)).toEqual([])
  const other = plan(
    'Task 1: The lid [checkpoint:human-verify]',
    'Task 2: THE BOX',
    'Task 3: A strong hinge',
    'Task 4: More',
  )
  expect(planLosses(before, other)).toEqual([])
})

test('tasks that are gone or others, and markers that are', () => {
  expect(planLosses(before, plan('Task 1: The box', 'Task 2: The lid'))).toEqual([
    'Task 2 (The lid) is not marked human-verify any more.',
    'Task 3 (The hinge) is gone.',
  ])
  expect(planLosses(before, plan('Task 1: The box', 'Task 2: Say thanks', 'Task 3: The hinge'))).toEqual([
    'Task 2 (The lid) is "Say thanks" now.',
    'Task 2 (The lid) is not marked human-verify any more.',
  ])
  expect(planLosses(before, plan('Task 1: The box', 'Task 2: The hinge'))).toEqual([
    'Task 2 (The lid) is gone, with its marker human-verify.',
  ])
})

test('outlines are read as headings, numbered lines or bullets', () => {
  const marked = { id: '2', title: 'The lid', checkpoint: 'decision' }
  expect(outlineTasks('Two steps:\n\nTask 1: The box\nTask 2: **The lid** [checkpoint:decision]')).toEqual([
    { id: '1', title: 'The box' },
    marked,
  ])
  expect(outlineTasks('1. The box\n   - of wood\n2) The lid [checkpoint: decision]')[1]).toEqual(marked)
  expect(outlineTasks('- The box\n- The lid, human-verify')).toMatchObject([
    { id: '1' },
    { checkpoint: 'human-verify' },
  ])
  expect(outlineTasks('### Task 1: The box\n')).toMatchObject([{ title: 'The box' }])
  expect(outlineTasks('The planner gave no outline.')).toEqual([])
})
