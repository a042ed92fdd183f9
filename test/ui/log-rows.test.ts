import { expect, test } from 'vitest'
import { logRows } from '../../source/ui/layout/log-rows.js'
import type { Line } from '../../source/ui/theme.js'

const textOf = (row: Line) => row.map(({ text }) => text).join('')
const litOf = (row: Line) => row.filter(({ underline }) => underline).map(({ text }) => text)

test('lines begin where they are said to, and hits are lit also over the end of a row', () => {
  const { rows, starts } = logRows(
    ['first', `${'x'.repeat(8)}needle and more Needle`, '\u001b[31mred'],
    10,
    'needle',
  )
  const all = rows.slice(0, rows.length)
  expect(all.map(textOf)).toEqual(['first', 'xxxxxxxxne', 'edle and', 'more', 'Needle', 'red'])
  expect(starts).toEqual([0, 1, 5])
  expect(all.map(litOf)).toEqual([[], ['ne'], ['edle'], [], ['Needle'], []])
})

test('a part of half a megabyte in one line costs no more than its length: one row is drawn of it', () => {
  const { rows, starts } = logRows(['漢字 '.repeat(60_000)], 100, '漢')
  expect(starts).toEqual([0])
  expect(rows.length).toBeGreaterThan(2500)
  expect(rows.slice(5, 6).map(litOf)[0]?.length).toBeGreaterThan(10)
})
