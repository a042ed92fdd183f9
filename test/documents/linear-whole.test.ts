import { describe, expect, it } from 'vitest'
import { learningEntries } from '../../source/documents/learnings.js'
import { scanMarkdown } from '../../source/documents/markdown-scanner.js'
import { readPlan } from '../../source/documents/plan.js'
import { readRoadmap } from '../../source/documents/roadmap.js'
import { readSpec } from '../../source/documents/spec.js'
import { characters, filled, plainWalk, seconds, whole } from './linear-kit.js'

// A long text of one character is read at once, whatever the character is.

describe('1 MB of one character', () => {
  const walked = filled('\n', whole)
  const plain = () =>
    Math.max(
      0.05,
      seconds(() => plainWalk(walked)),
    )

  it.each([
    ['scanMarkdown', scanMarkdown],
    ['readSpec', readSpec],
    ['readPlan', readPlan],
    ['readRoadmap', readRoadmap],
    ['learningEntries', learningEntries],
  ])('is read by %s in a few plain walks over as many lines', { timeout: 300_000 }, (_, read) => {
    const usual = plain()
    const slow = [...characters, '[]', '()', '[('].filter((unit) => {
      const text = filled(unit, whole)
      if (seconds(() => read(text)) <= 15 * usual) return false
      // Once more, each try beside a walk of its own: whatever else the machine does slows both.
      return ![1, 2, 3, 4, 5].some(() => seconds(() => read(text)) <= 15 * plain())
    })
    expect(slow).toEqual([])
  })
})
