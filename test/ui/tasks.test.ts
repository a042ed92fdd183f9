import { expect, it } from 'vitest'
import { taskLines } from '../../source/ui/layout/tasks.js'
import { createTheme } from '../../source/ui/theme.js'
import type { TaskView } from '../../source/view/view.js'

const task: TaskView = {
  id: '2',
  title: 'Choose the order of the list',
  status: 'complete',
  retries: 1,
  facts: ['decision', 'shown', 'tested'].map((text) => ({ text, tone: 'plain' })),
}

it('a task says how it stands at every width, and of what is known the newest that has room', () => {
  const drawn = (width: number) => {
    const [row = []] = taskLines([task], width, 1, createTheme(false))
    return row.map(({ text }) => text).join('')
  }
  for (let width = 24; width < 100; width += 1) {
    const text = drawn(width)
    expect(text.length).toBeLessThanOrEqual(width)
    expect(text).toMatch(/^\S+ 2 Ch.* complete$/)
  }
  expect(drawn(45)).toContain('[shown] [tested] complete')
  expect(drawn(45)).not.toContain('decision')
  expect(drawn(90)).toContain('[1 retry] [decision] [shown] [tested] complete')
})
