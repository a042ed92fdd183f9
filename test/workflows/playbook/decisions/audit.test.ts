import { expect, test } from 'vitest'
import {
  afterAudit,
  closedRequirements,
  type Gap,
  isSmall,
} from '../../../../source/workflows/playbook/decisions/audit.js'

const gap = (requirement: string, lines = 5, files = ['a.ts']): Gap => ({
  requirement,
  description: 'missing',
  files,
  lines,
})
const round = (...gaps: Gap[]) => ({ gaps })

test('fewer than 20 lines in one file are closed on the spot', () => {
  expect([isSmall(gap('R', 19)), isSmall(gap('R', 20)), isSmall(gap('R', 5, ['a', 'b']))]).toEqual([
    true,
    false,
    false,
  ])
})

test('gaps are closed and looked for again, twice', () => {
  expect(afterAudit([round()])).toEqual({ next: 'done' })
  expect(afterAudit([round(gap('R1'), gap('R2', 40))])).toEqual({
    next: 'close',
    small: [gap('R1')],
    large: [gap('R2', 40)],
  })
  expect(afterAudit([round(gap('R1'), gap('R2')), round(gap('R2'))])).toMatchObject({ next: 'close' })
  const three = [round(gap('R1'), gap('R2')), round(gap('R2')), round(gap('R3'))]
  expect(afterAudit(three)).toEqual({ next: 'left', gaps: [gap('R3')] })
})

test('closing that changed nothing is not tried again', () => {
  expect(afterAudit([round(gap('R1')), round(gap('R1'))])).toEqual({ next: 'left', gaps: [gap('R1')] })
})

test('what the last audit does not miss any more is closed', () => {
  expect(closedRequirements([round(gap('R1'), gap('R2')), round(gap('R2'))])).toEqual(['R1'])
  expect(closedRequirements([])).toEqual([])
})
