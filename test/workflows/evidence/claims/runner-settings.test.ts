import { expect, test } from 'vitest'
import {
  isRunnerSettings,
  lessAskedFor,
  plansLess,
} from '../../../../source/workflows/evidence/claims/runner-settings.js'
import { lostTests } from '../../../../source/workflows/evidence/claims/test-files.js'

const config = 'export default { test: { coverage: { thresholds: { lines: 90, branches: 80 } } } }\n'

test.each([
  ['a threshold goes down', config.replace('90', '10'), ['lines 90 is 10 now']],
  ['one goes away', config.replace('lines: 90, ', ''), ['lines 90 is not asked for any more']],
  [
    'one is commented out',
    config.replace('{ lines', '{\n// lines').replace(', branches', ',\nbranches'),
    ['lines 90 is not asked for any more'],
  ],
  [
    'no tests are enough',
    config.replace('{ coverage', '{ passWithNoTests: true, coverage'),
    ['a run without tests counts as passed'],
  ],
  [
    'one goes up, another comes',
    config.replace('90', '95').replace('branches', 'functions: 50, branches'),
    [],
  ],
  ['another layout', config.replace('lines: 90, branches: 80', '\n"branches": 80,\n"lines" : 90,\n'), []],
])('settings of a runner: %s', (_name, now, less) => {
  expect(lessAskedFor(config, now)).toEqual(less)
})

test('settings of many runners are known, and of other tools none', () => {
  for (const path of [
    'vitest.config.ts',
    'web/jest.config.unit.js',
    '.nycrc.json',
    'pyproject.toml',
    'package.json',
  ])
    expect(isRunnerSettings(path)).toBe(true)
  for (const path of ['tsconfig.json', 'eslint.config.js', 'src/jest.ts', 'docs/vitest.config.md'])
    expect(isRunnerSettings(path)).toBe(false)
  expect(lessAskedFor('[tool.coverage.report]\nfail_under = 85\n', 'fail_under = 60\n')).toEqual([
    'fail_under 85 is 60 now',
  ])
})

test('what asks for less is named with the tests that are lost, listed where the plan speaks of it', async () => {
  const git = {
    changedFrom: async () => ['vitest.config.ts', 'src/a.ts'],
    pathsAt: async () => ['vitest.config.ts'],
    textAt: async () => config,
    movedFrom: async () => new Map<string, string>(),
  }
  const now = { start: 'start', read: async () => config.replace('90', '70') }
  const plan = '### Task 1\n\nLower the threshold in vitest.config.ts.\n'
  expect(await lostTests(git, { ...now, plan: '' })).toEqual([
    { path: 'vitest.config.ts', text: 'vitest.config.ts: lines 90 is 70 now', planned: false },
  ])
  expect((await lostTests(git, { ...now, plan }))[0]?.planned).toBe(true)
  expect(plansLess('### Task 1\n\nFormat vitest.config.ts.\n', 'vitest.config.ts')).toBe(false)
})
