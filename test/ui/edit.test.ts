import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textWidth } from '../../source/terminal/width.js'
import { formatCost, formatTime, formatTokens } from '../../source/ui/format.js'
import {
  addBelow,
  type EditedList,
  mergeUp,
  move,
  refusal,
  select,
  toggleDropped,
} from '../../source/ui/list-edit.js'
import { draftOf, draftRows, edited, insert } from '../../source/ui/text-edit.js'

const list = (): EditedList => ({
  index: 1,
  items: [
    { id: '1', name: 'one', choice: 'low', line: 3, dropped: true },
    { id: '2', name: 'two', choice: 'high', line: 9 },
  ],
})

const choice = { label: 'complexity', values: ['low', 'medium', 'high'], default: 'medium' }

describe('a list of phases', () => {
  it('merges into the place above with the higher complexity; what stays keeps it from being dropped', () => {
    expect(mergeUp(list(), choice)).toEqual({
      index: 0,
      items: [{ id: '1', name: 'one + two', choice: 'high', line: 3, merged: [9] }],
    })
    expect(mergeUp({ ...list(), index: 0 }, choice)).toEqual({ ...list(), index: 0 })
  })

  it('adds with an id of its own', () => {
    expect(
      addBelow({ items: [{ id: '2', name: 'x', choice: 'low' }], index: 0 }, 'new', choice).items[1]?.id,
    ).toBe('3')
    expect(addBelow({ items: [], index: 0 }, 'new', choice)).toEqual({
      index: 0,
      items: [{ id: '1', name: 'new', choice: 'medium' }],
    })
  })

  it('moves within its ends, takes a drop back, stays inside', () => {
    expect(move(list(), 1)).toEqual(list())
    expect(move(list(), -1).items.map((phase) => phase.id)).toEqual(['2', '1'])
    expect(toggleDropped(toggleDropped(list()))).toEqual(list())
    expect(select(list(), 9).index).toBe(1)
    expect(refusal({ index: 0, items: [{ id: '1', name: ' ', choice: 'low' }] }, 'order')).toContain('name')
  })
})

describe('a text that is written', () => {
  const keys = [
    'left',
    'right',
    'up',
    'down',
    'home',
    'end',
    'backspace',
    'delete',
    'ctrl+u',
    'ctrl+k',
    'ctrl+w',
  ]

  it('keeps its cursor inside and its rows narrow, whatever is pressed', () => {
    const step = fc.oneof(fc.constantFrom(...keys), fc.constantFrom('a', '日', 'e\u0301', '\n', 'two words '))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let draft = draftOf('')
        for (const one of steps)
          draft = keys.includes(one) ? (edited(draft, one) ?? draft) : insert(draft, one)
        expect(draft.cursor).toBeGreaterThanOrEqual(0)
        expect(draft.cursor).toBeLessThanOrEqual(draft.text.length)
        const { rows, cursorRow } = draftRows(draft, 12, '|')
        for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(12)
        expect(rows[cursorRow]).toContain('|')
        expect(rows.join('').replace('|', '')).toBe(draft.text.replaceAll('\n', ''))
      }),
    )
  })

  it('edits by characters, words and lines', () => {
    expect(edited(draftOf('ae\u0301'), 'backspace')).toEqual({ text: 'a', cursor: 1 })
    expect(edited(draftOf('one two'), 'ctrl+w')).toEqual({ text: 'one ', cursor: 4 })
    expect(edited(draftOf('one\ntwo'), 'ctrl+u')).toEqual({ text: 'one\n', cursor: 4 })
    expect(edited(draftOf('one\nx'), 'up')).toEqual({ text: 'one\nx', cursor: 1 })
    expect(edited({ text: 'one\nx', cursor: 3 }, 'down')).toEqual({ text: 'one\nx', cursor: 5 })
    expect(edited(draftOf('x'), 'f5')).toBeUndefined()
    expect(insert(draftOf('x'), 'y'.repeat(200_000)).text.length).toBe(100_000)
  })
})

describe('numbers for people', () => {
  it('are short', () => {
    expect([999, 12_345, 999_949, 999_950, 4_500_000].map(formatTokens)).toEqual([
      '999',
      '12.3k',
      '999.9k',
      '1.0M',
      '4.5M',
    ])
    expect([0, 0.004, 1.234].map(formatCost)).toEqual(['$0.00', '<$0.01', '$1.23'])
    expect(formatTime('nonsense')).toBe('--:--')
  })
})
