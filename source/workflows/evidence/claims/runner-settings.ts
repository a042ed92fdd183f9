import { basename } from 'node:path'

// What the settings of a runner of tests ask for, and whether that is less than before: a threshold that went down or away, a run without
// tests that counts as passed (docs/evidence.md, "Tests"). By text. Pure; linear in the text.

const names =
  /^(?:(?:vitest|vite|jest|karma|ava|mocha|nyc|c8|playwright|cypress|web-test-runner|wtr|stryker)\.(?:config|conf|workspace)(?:\.[\w-]{1,30})?\.(?:[cm]?[jt]s|json)|\.(?:mocharc|nycrc|c8rc|jestrc|coveragerc|rspec)(?:\.\w{1,5})?|package\.json|pytest\.ini|tox\.ini|noxfile\.py|setup\.cfg|pyproject\.toml|Cargo\.toml|phpunit\.xml(?:\.dist)?|tarpaulin\.toml|\.simplecov|(?:spec|rails|test)_helper\.rb|mix\.exs|pom\.xml|build\.gradle(?:\.kts)?|[\w.-]{1,100}\.(?:cs|fs|vb)proj|Directory\.Build\.props|\.?codecov\.ya?ml|CMakeLists\.txt|GNUmakefile|[Mm]akefile|[Jj]ustfile|\.gitlab-ci\.ya?ml|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.travis\.yml|Jenkinsfile)$/
const ofServers =
  /(?:^|\/)(?:\.github\/workflows\/[^/]{1,100}\.ya?ml|\.circleci\/config\.yml|\.woodpecker(?:\/[^/]{1,100})?\.ya?ml)$/

/** True for a file in which runners of tests, and servers that run them, are told what to ask for. */
export const isRunnerSettings = (path: string): boolean => names.test(basename(path)) || isOfServer(path)

const isOfServer = (path: string) => ofServers.test(path)

const thresholds: readonly RegExp[] = [
  /\b(lines|branches|functions|statements|fail[_-]under|cov-fail-under|minimum_?coverage|coverageThreshold|(?:min|minimum)[_-]?coverage|threshold|break)\b["']?\s{0,8}[:=]\s{0,8}["']?(\d{1,3}(?:\.\d{1,4})?)/gi,
  // On a command line, in Ruby, in XML and in Gradle
  /--(lines|branches|functions|statements|fail-under|cov-fail-under|min-coverage|fail-under-lines) {1,4}(\d{1,3}(?:\.\d{1,4})?)/gi,
  /\b(minimum_coverage(?:_by_file)?) {1,4}(\d{1,3}(?:\.\d{1,4})?)/gi,
  /<(minimum|threshold|lineThreshold|branchThreshold|mutationThreshold|coverageThreshold)>\s{0,8}(\d{1,3}(?:\.\d{1,4})?)/gi,
  /\b(minimum|minBound)\b\s{0,4}(?:=|\()\s{0,4}["']?(\d{1,3}(?:\.\d{1,4})?)/gi,
  /\b(target): {0,4}["']?(\d{1,3}(?:\.\d{1,4})?)%/gi,
]

/** What makes a run count as passed although it is none, or lets failures through. */
const lenient: readonly { what: string; pattern: RegExp }[] = [
  {
    what: 'a run without tests counts as passed',
    pattern: /\bpassWithNoTests["']?\s{0,8}[:=]\s{0,8}true\b|--pass-?with-?no-?tests\b/i,
  },
  {
    what: 'tests are left out',
    pattern:
      /<(?:skipTests|skipITs|maven\.test\.skip)>\s{0,8}true|-D(?:skipTests|maven\.test\.skip)\b|<IsTestProject>\s{0,8}false|\btest\s{0,4}\{[^{}]{0,400}\benabled\s{0,4}=\s{0,4}false|\bgradlew?\b[^\n]{0,200} -x test\b|^(?:auto)?tests? {0,4}= {0,4}false\b|\bDISABLED {1,4}(?:TRUE|ON)\b/im,
  },
  {
    what: 'failures of tests let it pass',
    pattern:
      /<testFailureIgnore>\s{0,8}true|\bignoreFailures\s{0,4}=\s{0,4}true|\bsetIgnoreFailures\(\s{0,4}true|\bdangerouslyIgnoreUnhandledErrors["']?\s{0,4}:\s{0,4}true|\bWILL_FAIL {1,4}(?:TRUE|ON)\b|^\s{0,20}ignore_outcome\s{0,4}=\s{0,4}(?:true|1)\b|\bsuccess_codes\s{0,4}=\s{0,4}\[[^\]\n]{0,40}\b1\b/im,
  },
]

const runsTests =
  /\b(?:(?:npm|pnpm|yarn|bun|deno)(?: run)?(?: -\S{1,40}){0,4} t(?:est\S{0,40})?\b|vitest|jest|mocha|pytest|unittest|tox|nox|rspec|phpunit|ctest|playwright test|node (?:-\S{1,40} ){0,4}--test|(?:cargo|go|mix|dotnet|swift|flutter|dart|mvnw?|gradlew?|make|just|rake|composer)(?: \S{1,60}){0,3} (?:test|nextest|check|verify)\b)/
const neverRed = /\|\| {0,4}(?:true|:|exit 0|echo\b[^\n]{0,200})(?=\s|$|["'])|; {0,4}(?:true|exit 0)\s{0,4}$/

/** Steps of a server's file, rules of a makefile: what stands together. The next job begins no step. */
const stepsOf = (text: string) => text.split(/\n(?=[ \t]{0,40}- | {2}[\w-]{1,100}: {0,4}(?:\n|$)|\S)/)

/** What of the steps that run tests may fail, or is never done. */
function letThrough(text: string): Set<string> {
  const found = new Set<string>()
  for (const step of stepsOf(text)) {
    const lines = step.split('\n').filter((line) => runsTests.test(line))
    if (lines.length === 0) continue
    if (
      lines.some(
        (line) => neverRed.test(line) || /^\t@?-|^\s{1,40}- {1,4}-|commands {0,4}= {0,4}- /.test(line),
      )
    )
      found.add('a step of tests passes whatever they say')
    if (
      /^\s{1,40}exit 0\s{0,4}$/m.test(step) ||
      lines.some((line) => /\bcatchError\b|\breturnStatus:? {0,4}true\b/.test(line))
    )
      found.add('a step of tests passes whatever they say')
    if (/^\s{0,40}-? {0,4}(?:continue-on-error|continueOnError|allow_failure): {0,4}true\b/m.test(step))
      found.add('a step of tests may fail')
    if (
      /^\s{0,40}-? {0,4}if: {0,4}["']?(?:false|\$\{\{ {0,4}false {0,4}\}\})/m.test(step) ||
      /^\s{0,40}when: {0,4}(?:never|manual|on_fail)\b/m.test(step)
    )
      found.add('a step of tests is never done')
  }
  return found
}

/** Jobs of a server whose tests are never run, or may fail: what is said before their steps. */
function jobsLetThrough(text: string): Set<string> {
  const found = new Set<string>()
  for (const job of text.split(/\n(?= {2}[\w-]{1,100}: {0,4}(?:\n|$))/)) {
    if (!job.split('\n').some((line) => runsTests.test(line))) continue
    const [head = ''] = job.split(/\n {4}steps:/)
    if (/^ {4}if: {0,4}["']?(?:false|\$\{\{ {0,4}false {0,4}\}\})/m.test(head))
      found.add('a step of tests is never done')
    if (/^ {4}continue-on-error: {0,4}true\b/m.test(head)) found.add('a step of tests may fail')
  }
  return found
}

/** Of which runners take no tests anyway. */
const noTests =
  /^(?:\*{2}\/)?(?:<rootDir>)?[/\\^.*]{0,6}(?:node_modules|dist|build|out|lib|coverage|e2e|integration|playwright|cypress|fixtures?|generated|vendor|\.\w{1,40}|configDefaults|examples?|bench\w{0,6}|target|tmp|storybook)\b|\.d\.ts|\.config\.|spec\.e2e|\.e2e/i
const startsRunner = /\b(?:pytest|addopts|jest|vitest|mocha|phpunit|rspec|nextest|py\.test)\b/
/** On a line that starts a runner, or gives it options. */
const optionsLeftOut: readonly RegExp[] = [
  /--(?:ignore|ignore-glob|deselect|testPathIgnorePatterns|exclude-group|exclude-testsuite)[ =]{1,2}["']?([^\s"',\]]{1,200})/g,
  /-k {1,2}\\?["']?(not [\w ]{1,100})/g,
]
/** Where other things are left out too: what has the name of tests. */
const namesLeftOut: readonly RegExp[] = [
  /<exclude>\s{0,8}([^<]{1,200}?)\s{0,8}<\/exclude>/g,
  /\bexclude {1,4}["']([^"'\n]{1,200})["']/g,
]
const listsLeftOut =
  /["']?\b(testPathIgnorePatterns|collect_ignore(?:_glob)?|exclude|ignore)["']?\s{0,8}[:=]\s{0,8}\[([^\]]{0,2000})\]/g

/** Tests that a runner is told to leave out, as they are written there. */
function leftOutIn(text: string, path: string): Set<string> {
  const found: string[] = []
  const all = (pattern: RegExp, where: string) =>
    [...where.matchAll(pattern)].map(([, name = '']) => name.trim())
  for (const line of text.split('\n').filter((each) => startsRunner.test(each)))
    found.push(...optionsLeftOut.flatMap((pattern) => all(pattern, line)))
  if (basename(path) === '.rspec') found.push(...all(/--tag {1,2}(~\S{1,100})/g, text))
  const isOfTests = (name: string) => /test|spec/i.test(name)
  found.push(...namesLeftOut.flatMap((pattern) => all(pattern, text)).filter(isOfTests))
  const isOfRunner = /^(?:vitest|jest|ava|karma|wtr)\.|^\.(?:mocharc|jestrc)/.test(basename(path))
  for (const [, key = '', names = ''] of text.matchAll(listsLeftOut)) {
    const some = all(/["'`]([^"'`\n]{1,200})["'`]/g, names)
    const isShared = key === 'exclude' || key === 'ignore'
    found.push(...(isShared ? some.filter((name) => isOfRunner && isOfTests(name)) : some))
  }
  return new Set(found.filter((name) => !noTests.test(name)))
}

/** By name the thresholds of a text, lowest first. */
function thresholdsIn(text: string): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const pattern of thresholds)
    for (const [, name = '', value = ''] of text.matchAll(pattern)) {
      const key = name.toLowerCase()
      found.set(
        key,
        [...(found.get(key) ?? []), Number(value)].sort((a, b) => a - b),
      )
    }
  return found
}

const withoutComments = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|#|;)/.test(line))
    .join('\n')

const testsRegistered = /\b(?:add_test|gtest_discover_tests|catch_discover_tests|doctest_discover_tests)\(/g

/** In words, what settings ask for that is less than before; empty where it is as much or more. `path`: whose settings they are. */
export function lessAskedFor(before: string, now: string, path = ''): string[] {
  const [old, fresh] = [withoutComments(before), withoutComments(now)]
  const [was, is] = [thresholdsIn(old), thresholdsIn(fresh)]
  const lower = [...was].flatMap(([name, values]) => {
    const [least = 0] = values
    const left = is.get(name)?.[0]
    if (left === undefined) return least > 0 ? [`${name} ${least} is not asked for any more`] : []
    return left < least ? [`${name} ${least} is ${left} now`] : []
  })
  const came = lenient.filter(({ pattern }) => pattern.test(fresh) && !pattern.test(old))
  const through = new Set([...letThrough(old), ...jobsLetThrough(old)])
  const [outBefore, outNow] = [leftOutIn(old, path), leftOutIn(fresh, path)]
  const out = [...outNow].filter((name) => !outBefore.has(name))
  const steps = (text: string) => text.split('\n').filter((line) => runsTests.test(line)).length
  const registered = (text: string) => (text.match(testsRegistered) ?? []).length
  return [
    ...lower,
    ...came.map(({ what }) => what),
    ...new Set([...letThrough(fresh), ...jobsLetThrough(fresh)].filter((what) => !through.has(what))),
    ...(out.length > 0 ? [`tests are left out: ${out.slice(0, 5).join(', ')}`] : []),
    ...(isOfServer(path) && steps(old) > 0 && steps(fresh) === 0
      ? ['nothing in it runs tests any more']
      : []),
    ...(registered(fresh) < registered(old) ? ['fewer tests are registered'] : []),
  ]
}

const ofSettings =
  /threshold|coverage|lower|relax|loosen|less strict|no tests|without tests|passWithNoTests|allow\w{0,3} to fail|non-?blocking|continue-on-error|optional|informational|flaky|quarantine/i

/** Whether the task of the plan that names the file speaks of what it asks for. */
export function plansLess(plan: string, path: string): boolean {
  return plan
    .split(/^(?=#{2,4} |[ \t]{0,8}<task[\s>])/m)
    .some((part) => part.includes(basename(path)) && ofSettings.test(part))
}
