import { describe, expect, it } from 'vitest'
import { readPlan } from '../../source/documents/plan.js'

// Lines that look like tasks and are none: each is named with its line and why (docs/harness.md, "Plan grammar").

const plan = (...lines: string[]) =>
  readPlan(['# Plan: Box', '', '### Task 1: The box', '', ...lines, ''].join('\n'))

describe('a task that stands where no task can', () => {
  it.each([
    ['an entry of a list', ['- ### Task 2: The lid'], 'it stands in an entry of a list'],
    ['a numbered entry', ['1. ### Task 2: The lid'], 'it stands in an entry of a list'],
    ['a bold entry', ['- **Task 2: The lid**'], 'it stands in an entry of a list'],
    ['a bold numbered entry', ['2. **Task 2 — The lid.** Do it.'], 'it stands in an entry of a list'],
    ['a label in words', ['### Task Two: The lid'], 'its label is no number'],
    ['HTML', ['<script>', '### Task 2: The lid', '</script>'], 'it stands in HTML'],
    [
      'an underlined title of the first level',
      ['Task 2: The lid', '==='],
      'tasks are headings of level 2 to 4',
    ],
    ['hashes without a blank', ['###Task 2: The lid'], 'no blank follows its hashes'],
    [
      'hashes with a blank that is none of Markdown',
      ['###\u00a0Task 2: The lid'],
      'no blank follows its hashes',
    ],
    ['a heading that is too deep', ['##### Task 2: The lid'], 'tasks are headings of level 2 to 4'],
    ['a label in code marks', ['### `Task 2`: The lid'], 'its label is not followed by a colon or a dash'],
    ['a label without a separator', ['### Task 2 The lid'], 'its label is not followed by a colon or a dash'],
  ])('%s', (_, lines, reason) => {
    const { taskCount, unread, asks } = plan(...lines)
    expect(taskCount).toBe(1)
    expect(unread.map((each) => each.reason)).toEqual([reason])
    expect(asks.join('\n')).toContain(`is not read as one, for ${reason}`)
  })

  it.each([
    ['an underlined heading of the second level', ['Task 2: The lid', '---'], 2],
    ['a quote, which is an example', ['> ### Task 2: The lid', '>> ### Task 3: The hinge'], 1],
    ['an overview of a task that is read', ['- ### Task 1: The box'], 1],
    ['a bold overview of a task that is read', ['- **Task 1: The box** comes first'], 1],
    ['a title that speaks of tasks', ['### Task overview', '### Task order: first to last'], 1],
    ['words about a task', ['- see Task 2: the lid', '> Task 2: the lid is later'], 1],
    ['a fence', ['```', '> ### Task 2: The lid', '```'], 1],
  ])('is not named for %s', (_, lines, count) => {
    const { taskCount, unread } = plan(...lines)
    expect([taskCount, unread]).toEqual([count, []])
  })
})

describe('a task that is struck through', () => {
  it.each(['### ~~Task 2: The lid~~', '### Task 2: ~~The lid~~', '### ~~Task 2~~: The lid'])(
    '%s counts, is called by what it says, and is asked about',
    (heading) => {
      const { tasks, asks } = plan(heading)
      expect(tasks.map(({ id, title }) => [id, title])).toEqual([
        ['1', 'The box'],
        ['2', 'The lid'],
      ])
      expect(asks).toEqual(['Task 2 on line 5 is struck through, and counts all the same.'])
    },
  )

  it('is not one of whose title only a part is', () => {
    expect(plan('### Task 2: ~~Box~~ and lid').asks).toEqual([])
  })
})

it('a comment is no part of the title of a task', () => {
  expect(plan('### Task 2: The lid <!-- ### Task 3: Gone -->').tasks[1]?.title).toBe('The lid')
})
