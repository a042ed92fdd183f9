import { expect, test } from 'vitest'
import { submoduleUrls, turnedSubmodules } from '../../source/project/submodules.js'

const text = (url: string, more = '') => `[submodule "lib"]\n\tpath = vendor/lib\n\turl = ${url}\n${more}`

test('addresses of submodules by name', () => {
  expect([...submoduleUrls(text('../lib.git'))]).toEqual([['lib', '../lib.git']])
})

test('one that comes from elsewhere, or is looked at less, is named; one that came, went or moved is not', () => {
  const before = text('../lib.git')
  expect(turnedSubmodules(before, text('https://example.invalid/lib.git'))).toEqual(['vendor/lib'])
  expect(turnedSubmodules(before, text('../lib.git', '\tignore = all\n'))).toEqual(['vendor/lib'])
  expect(turnedSubmodules(before, before.replace('vendor/lib', 'lib'))).toEqual([])
  expect(turnedSubmodules(before, text('../lib.git', '\tbranch = main\n'))).toEqual([])
  expect(turnedSubmodules(before, `${before}${text('../other.git').replaceAll('lib', 'other')}`)).toEqual([])
  expect(turnedSubmodules(before, '')).toEqual([])
})
