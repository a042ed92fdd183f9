import { expect, it } from 'vitest'
import { doCommand } from '../../../source/ui/plain/run-commands.js'
import { recordControls } from '../fixtures.js'
import { filledSnapshot } from '../view-fixtures.js'

it('tells in plain mode what is still to come, how budgets fill and what was used, in plain letters', () => {
  const controls = recordControls()
  const rows = doCommand('M', filledSnapshot(), controls)
  const text = rows.join('\n')
  expect(text).toContain('Still to come\n  Time at work')
  expect(text).toMatch(/run cost +61% +\$1\.23 of \$2\.00/)
  expect(text).toMatch(/1 Storage layer +5m 0s/)
  expect(text).toMatch(/^[\n\x20-\x7e]*$/)
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(80)
  expect(controls.calls).toEqual([])
  expect(doCommand('?', filledSnapshot(), controls).join('\n')).toContain('M: tokens and money')
})
