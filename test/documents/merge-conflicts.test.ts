import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readConflicts } from '../../source/documents/merge-conflicts.js'

const text = `a
<<<<<<< HEAD
step: 2
=======
step: 3
name: Plan
>>>>>>> feature/plan
b
=======
<<<<<<< HEAD
x
||||||| base
w
=======
>>>>>>> feature/plan
end`

describe('conflicts of a merge', () => {
  test('each with its lines, its sides and their names', () => {
    const reading = readConflicts(text)
    expect(reading).toMatchObject({
      kind: 'conflicts',
      conflicts: [
        {
          from: 2,
          to: 7,
          ours: { name: 'HEAD', lines: ['step: 2'] },
          theirs: { name: 'feature/plan', lines: ['step: 3', 'name: Plan'] },
        },
        { from: 10, to: 15, ours: { lines: ['x'] }, theirs: { lines: [] } },
      ],
    })
    if (reading.kind !== 'conflicts') return
    expect(reading.take('ours')).toBe('a\nstep: 2\nb\n=======\nx\nend')
    expect(reading.take('theirs')).toBe('a\nstep: 3\nname: Plan\nb\n=======\nend')
  })

  test('line endings stay, each as it is', () => {
    const reading = readConflicts('a\r\n<<<<<<< x\r\nb\r\n=======\nc\n>>>>>>> y\r\nd')
    expect(reading.kind === 'conflicts' && [reading.take('ours'), reading.take('theirs')]).toEqual([
      'a\r\nb\r\nd',
      'a\r\nc\nd',
    ])
  })

  it.each([
    '<<<<<<< a\nx\n',
    '>>>>>>> a\n',
    '<<<<<<< a\n>>>>>>> b\n',
    '<<<<<<< a\n<<<<<<< a\n=======\n>>>>>>> b',
  ])('marks that do not belong together are told, and no side is made up: %j', (broken) => {
    expect(readConflicts(broken).kind).toBe('broken')
  })

  test('any text: no mark is left in a side, every other line is', () => {
    const line = fc.constantFrom('a', '=======', '<<<<<<< a', '>>>>>>> b', '||||||| c', '', '<<<<<<<x')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const reading = readConflicts(lines.join('\n'))
        if (reading.kind === 'broken') return reading.lines.length > 0
        const sides = (['ours', 'theirs'] as const).map((side) => reading.take(side).split('\n'))
        return sides.every((side) => side.every((each) => !/^(?:<{7}|>{7})(?: |$)/.test(each)))
      }),
      { numRuns: 500 },
    )
  })
})
