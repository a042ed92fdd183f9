import { describe, expect, it } from 'vitest'
import { readPlan } from '../../source/documents/plan.js'

describe('declared tasks', () => {
  it('is a field of its own line or of a header line with several fields', () => {
    expect(readPlan('# Plan: x\n**Tasks:** 2\n### Task 1: a\n').declaredTasks).toBe(2)
    expect(readPlan('# Plan: x\n**Date:** 2030-04-02 | **Tasks:** 3 | **Time:** 9 min\n').declaredTasks).toBe(
      3,
    )
    expect(readPlan('# Plan: x\nThe **Tasks:** 4 in prose are none.\n').declaredTasks).toBe(null)
  })
})
