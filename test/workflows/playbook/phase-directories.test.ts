import { expect, test } from 'vitest'
import { directoriesNamed } from '../../../source/workflows/playbook/phase-directories.js'

test.each([
  [
    '1 is not 10, 21 or 2.1',
    '1',
    ['01-core', '10-x', '21-y', '02.1-z'],
    ['1', '10', '21', '2.1'],
    ['01-core'],
  ],
  ['zeros in front do not count', '2.1', ['02.1-z', '2.1-w'], ['2.1'], ['02.1-z', '2.1-w']],
  [
    'dashes stand for dots where that is a known id',
    '2.1',
    ['02-1-inserted', '02-core'],
    ['2', '2.1'],
    ['02-1-inserted'],
  ],
  ['the shorter reading has its own', '2', ['02-1-inserted', '02-core'], ['2', '2.1'], ['02-core']],
  ['where that is no known id, the number is part of the name', '2', ['02-1-first'], ['2'], ['02-1-first']],
  ['nothing else is there: the shorter reading too', '1', ['01-2-factor'], ['1', '1.2'], ['01-2-factor']],
  ['a letter is part of the id', '12A', ['12-a', '12A-b'], ['12', '12A'], ['12A-b']],
  ['no name fits', '3', ['notes', '04-x'], ['3', '4'], []],
])('%s', (_, id, names, known, found) => {
  expect(directoriesNamed(names, id, known)).toEqual(found)
})
