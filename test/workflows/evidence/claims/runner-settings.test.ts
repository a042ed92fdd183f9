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

const server =
  'on: push\njobs:\n  unit:\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n'

test.each([
  [
    'package.json',
    '"test": "c8 --check-coverage --lines 90 node --test"',
    '"test": "c8 --check-coverage --lines 50 node --test"',
  ],
  [
    'spec/spec_helper.rb',
    'SimpleCov.start { minimum_coverage 90 }',
    'SimpleCov.start { minimum_coverage 20 }',
  ],
  ['pom.xml', '<minimum>0.80</minimum>', '<minimum>0.10</minimum>'],
  ['pom.xml', '<plugins/>', '<plugins/><skipTests>true</skipTests>'],
  ['pom.xml', '<plugins/>', '<plugins/><testFailureIgnore>true</testFailureIgnore>'],
  ['build.gradle', 'minimum = 0.8', 'minimum = 0.1'],
  ['build.gradle.kts', 'minimum = "0.8".toBigDecimal()', 'minimum = "0.1".toBigDecimal()'],
  ['build.gradle', 'test { useJUnitPlatform() }', 'test { useJUnitPlatform()\n ignoreFailures = true }'],
  ['build.gradle', 'test { useJUnitPlatform() }', 'test { enabled = false }'],
  ['mix.exs', 'summary: [threshold: 85]', 'summary: [threshold: 5]'],
  ['Scale.csproj', '<Threshold>80</Threshold>', '<Threshold>8</Threshold>'],
  ['codecov.yml', 'project:\n  target: 90%\n', 'project:\n  target: 10%\n'],
  ['stryker.conf.json', '{"thresholds":{"break":80}}', '{"thresholds":{"break":8}}'],
  ['Makefile', 'test:\n\tgo test ./...\n', 'test:\n\tgo test ./... || true\n'],
  ['Makefile', 'test:\n\tgo test ./...\n', 'test:\n\t-go test ./...\n'],
  ['CMakeLists.txt', 'add_test(NAME a COMMAND a)\n', 'set(A 1)\n'],
  [
    'CMakeLists.txt',
    'add_test(NAME a COMMAND a)\n',
    'add_test(NAME a COMMAND a)\nset_tests_properties(a PROPERTIES WILL_FAIL TRUE)\n',
  ],
  ['Cargo.toml', '[lib]\nname = "a"\n', '[lib]\nname = "a"\ntest = false\n'],
  ['.gitlab-ci.yml', 'unit:\n  script: [pytest]\n', 'unit:\n  script: [pytest]\n  allow_failure: true\n'],
  ['.github/workflows/ci.yml', server, server.replace('npm test', 'npm test || true')],
  ['.github/workflows/ci.yml', server, `${server}        continue-on-error: true\n`],
  ['.github/workflows/ci.yml', server, server.replace('npm test', 'npm run lint')],
  ['.github/workflows/ci.yml', server, server.replace('run: npm test', 'if: false\n        run: npm test')],
])('less is asked for in %s: %j is %j', (path, before, now) => {
  expect(isRunnerSettings(path)).toBe(true)
  expect(lessAskedFor(before, now, path)).toHaveLength(1)
  expect(lessAskedFor(now, before, path)).toEqual([])
})

test('what is not about tests may fail', () => {
  const more = `${server.replace('npm test', 'npm test -- --coverage')}      - run: npm audit || true\n      - uses: codecov/codecov-action@v4\n        continue-on-error: true\n  deploy:\n    if: github.ref == 'refs/heads/main'\n`
  expect(lessAskedFor(server, more)).toEqual([])
  expect(
    lessAskedFor('test:\n\tgo test ./...\n', 'test: lint\n\tgo test -race ./...\n\tgo vet ./... || true\n'),
  ).toEqual([])
  expect(lessAskedFor('"test": "node --test"', '"test": "node run.mjs"', 'package.json')).toEqual([])
  expect(lessAskedFor('"version": "1.0.0"', '"version": "2.0.0", "scripts": {"test": "jest"}')).toEqual([])
})

const ci = 'on: push\njobs:\n  unit:\n    steps:\n      - run: npm test\n'
test.each([
  ['pyproject.toml', '', 'addopts = "--ignore=tests/old"\n', 'tests are left out: tests/old'],
  ['pytest.ini', '', 'addopts = -k "not old"\n', 'tests are left out: not old'],
  ['.rspec', '', '--tag ~old\n', 'tests are left out: ~old'],
  ['jest.config.js', '', 'testPathIgnorePatterns: ["/node_modules/", "old"]', 'tests are left out: old'],
  ['vitest.config.ts', '', 'exclude: ["test/old/**"]', 'tests are left out: test/old/**'],
  ['phpunit.xml', '', '<exclude>tests/old</exclude>', 'tests are left out: tests/old'],
  ['build.gradle', '', 'test { exclude "**/OldTest*" }', 'tests are left out: **/OldTest*'],
  ['tox.ini', '', '[testenv]\nignore_outcome = true\n', 'failures of tests let it pass'],
  ['Cargo.toml', '', 'autotests = false\n', 'tests are left out'],
  [
    '.gitlab-ci.yml',
    'a:\n  script:\n    - npm test\n',
    'a:\n  script:\n    - npm test\n  when: manual\n',
    'a step of tests is never done',
  ],
  [
    'Jenkinsfile',
    'sh "npm test"',
    'catchError { sh "npm test" }',
    'a step of tests passes whatever they say',
  ],
  [
    '.github/workflows/ci.yml',
    ci,
    ci.replace('    steps', '    if: false\n    steps'),
    'a step of tests is never done',
  ],
  [
    '.github/workflows/ci.yml',
    ci,
    ci.replace('    steps', '    continue-on-error: true\n    steps'),
    'a step of tests may fail',
  ],
])('what leaves tests out or lets them fail, in %s', (path, before, now, less) => {
  expect(isRunnerSettings(path)).toBe(true)
  expect(lessAskedFor(before, now, path)).toEqual([less])
})

test.each([
  ['Makefile', 'lint:\n\tflake8 --ignore=E501\n'],
  ['pyproject.toml', '[tool.ruff]\nexclude = ["tests/data"]\naddopts = "--ignore=node_modules -ra"\n'],
  ['vitest.config.ts', 'coverage: { exclude: ["src/types/**"] }, exclude: ["e2e/**", "dist/**"]'],
  ['jest.config.js', 'testPathIgnorePatterns: ["/node_modules/", "<rootDir>/dist/", "e2e"]'],
  ['pom.xml', '<excludes><exclude>**/*.txt</exclude></excludes>'],
  [
    '.github/workflows/ci.yml',
    `${ci}  deploy:\n    continue-on-error: true\n    steps:\n      - run: deploy\n`,
  ],
])('what leaves out other things, in %s', (path, now) => {
  expect(lessAskedFor(path.endsWith('ci.yml') ? ci : '', now, path)).toEqual([])
})
