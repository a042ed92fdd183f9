import { describe, expect, test } from 'vitest'
import { type ComparedPhase, phaseDrift } from '../../source/documents/spec-drift.js'

const phase = (label: string, name: string, description = `What ${name} is about.`): ComparedPhase => ({
  label,
  name,
  complexity: 'low',
  description,
})

const list = (...names: string[]) => names.map((name, index) => phase(String(index + 1), name))

/** The drift in names. */
function told(before: readonly ComparedPhase[], after: readonly ComparedPhase[]) {
  const drift = phaseDrift(before, after)
  return {
    added: drift.added.map((at) => after[at]?.name),
    removed: drift.removed.map((at) => before[at]?.name),
    renamed: drift.renamed.map((pair) => [before[pair.before]?.name, after[pair.after]?.name]),
    moved: drift.moved,
  }
}

const nothing = { added: [], removed: [], renamed: [], moved: false }

describe('how two lists of phases differ', () => {
  test('the same list, whatever is said of its phases, does not', () => {
    expect(told(list('Box', 'List'), [phase('1', 'Box', 'Something else.'), phase('2', 'List')])).toEqual(
      nothing,
    )
  })

  test('one more at the end, in the middle, and at the beginning, where the labels shift', () => {
    expect(told(list('Box', 'List'), list('Box', 'List', 'Shelf'))).toEqual({ ...nothing, added: ['Shelf'] })
    expect(told(list('Box', 'List'), list('Box', 'Shelf', 'List'))).toEqual({ ...nothing, added: ['Shelf'] })
    expect(told(list('Box', 'List'), list('Shelf', 'Box', 'List'))).toEqual({ ...nothing, added: ['Shelf'] })
  })

  test('one fewer', () => {
    expect(told(list('Box', 'List', 'Shelf'), list('Box', 'Shelf'))).toEqual({
      ...nothing,
      removed: ['List'],
    })
  })

  test('another name under the same text, wherever it stands, and under the same label', () => {
    const renamed = [phase('1', 'Shelf'), phase('2', 'Crate', 'What Box is about.')]
    expect(told([phase('1', 'Box'), phase('2', 'Shelf')], renamed)).toEqual({
      ...nothing,
      renamed: [['Box', 'Crate']],
      moved: true,
    })
    expect(told(list('Box', 'List'), list('Box', 'Register'))).toEqual({
      ...nothing,
      renamed: [['List', 'Register']],
    })
  })

  test('another order', () => {
    expect(told(list('Box', 'List', 'Shelf'), list('Shelf', 'Box', 'List'))).toEqual({
      ...nothing,
      moved: true,
    })
  })

  test('a name that stands twice is two phases', () => {
    expect(told(list('Box', 'Box'), list('Box', 'Box', 'Box'))).toEqual({ ...nothing, added: ['Box'] })
    expect(told(list('Box', 'Box'), list('Box', 'Box'))).toEqual(nothing)
  })

  test('nothing left, and nothing before', () => {
    expect(told(list('Box', 'List'), [])).toEqual({ ...nothing, removed: ['Box', 'List'] })
    expect(told([], list('Box'))).toEqual({ ...nothing, added: ['Box'] })
  })
})
