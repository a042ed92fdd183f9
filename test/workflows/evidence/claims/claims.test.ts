import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sameContent } from '../../../../source/documents/same-content.js'
import { openUnits, unitsIn } from '../../../../source/workflows/evidence/claims/executed-tests.js'
import { kindOf } from '../../../../source/workflows/evidence/claims/hollow-changes.js'
import {
  idleCases,
  rewrittenCases,
  rewrittenTests,
} from '../../../../source/workflows/evidence/claims/rewritten-tests.js'
import { skipMarks } from '../../../../source/workflows/evidence/claims/skip-marks.js'
import { judgeTask, matches, pathOf, takenBack } from '../../../../source/workflows/evidence/claims/tasks.js'
import { casesIn, endsOfRun, isHollow } from '../../../../source/workflows/evidence/claims/test-bodies.js'
import {
  isTestFile,
  lostTests,
  plansRemoval,
  testCases,
} from '../../../../source/workflows/evidence/claims/test-files.js'
import { unseenWork } from '../../../../source/workflows/evidence/claims/unseen-work.js'
import {
  areDocuments,
  assessmentDoubt,
  assessmentsDiffer,
  failuresIn,
  judgeVerdict,
  listedAsBlocking,
  otherLists,
  severityDoubt,
} from '../../../../source/workflows/evidence/claims/verdict.js'
import { unknownTasks } from '../../../../source/workflows/harness/execution/task-ids.js'
import { inTemporary } from '../../../support/temporary.js'

test.each([
  ['FAIL: rankine of freezing water is wrong', true],
  ['- **Missing:** the test of rankine', true],
  ['Not verified - the deploy', true],
  ['❌ rankine', true],
  ['[FAIL]: rankine', true],
  ['6 passed, 0 failed', false],
  ['Failed: 0, passed: 6', false],
  ['Gaps: none. No failures.', false],
  ['Missing: nothing', false],
  ['Fails with an error on bad input, as the plan wants (PASS)', false],
  ['FAIL -> PASS after the second run', false],
  ['No test is skipped or failing', false],
  ['Missing files are told with their names', false],
  ['Task 2: FAIL', true],
  ['| rankine | ❌ | no such scale |', true],
  ['AC 3: not met', true],
  ['Criterion 2 — FAILED: no test', true],
  ['rankine ❌', true],
  ['npm test: 1 failed, 5 passed', true],
  ['ℹ fail 2', true],
  ['not ok 3 - rankine', true],
  ['- [ ] rankine', true],
  ['Could not run the tests here, the code looks right', true],
  ['Tests were not run', true],
  ['UNVERIFIED: rankine', true],
  ['Before the change 1 failed, 5 passed; now 6 passed', false],
  ['With the guard removed 2 tests failed, so the test is sharp', false],
  ['2 pre-existing failures in test/old', false],
  ['❌ → ✅ rankine works now', false],
  ['- [x] rankine', false],
  ['Bad input: exit 1, as planned', false],
  ['The command line prints "FAILED" for a bad value', false],
  ['did not find any regressions', false],
  ['Could not find a gap', false],
])('evidence of a pass that says that something does not hold: %s', (line, is) => {
  expect(failuresIn(['node --test', line])).toHaveLength(is ? 1 : 0)
})

test.each([
  ['a.js', "export function a() {\n  throw new Error('not implemented')\n}\n", 'stub'],
  ['a.py', 'class A:\n    def a(self):\n        raise NotImplementedError\n', 'stub'],
  ['a.rs', 'pub fn a(c: f64) -> f64 {\n    todo!()\n}\n', 'stub'],
  ['a.go', 'package a\n\nfunc A() int {\n\tpanic("not implemented")\n}\n', 'stub'],
  [
    'A.java',
    'class A {\n  int a() {\n    throw new UnsupportedOperationException("TODO");\n  }\n}\n',
    'stub',
  ],
  ['A.cs', 'class A\n{\n    int F() => throw new NotImplementedException();\n}\n', 'stub'],
  ['a.ex', 'defmodule A do\n  def a(c) do\n    raise "not implemented"\n  end\nend\n', 'stub'],
  ['a.test.js', "import { test } from 'node:test'\ntest('a', () => {\n  return true\n})\n", 'idle'],
  ['test_a.py', 'def test_a():\n    assert True\n', 'idle'],
  [
    'base.js',
    "export class A {\n  a() {\n    throw new Error('not implemented')\n  }\n}\nexport class B extends A {\n  a() {\n    return 1\n  }\n}\n",
    undefined,
  ],
  ['a.js', 'export function a() {\n  // TODO: not implemented for kelvin\n  return 1\n}\n', undefined],
  ['a.test.js', "import { a } from '../src/a.js'\ntest('a', () => equal(a(), 1))\n", undefined],
])('a new file in which nothing is done yet: %s', (name, text, kind) => {
  expect(kindOf(name, undefined, text)).toBe(kind)
  expect(kindOf(name, 'const other = 1\n', `const other = 1\n${text}`)).toBe(
    kind === 'idle' ? undefined : kind,
  )
})

test('a stub shows no task, unless it is what the task asks for', () => {
  const seen = {
    touched: new Set(['src/a.js']),
    takenBack: new Set<string>(),
    writtenUnseen: new Set<string>(),
    hollow: new Map([['src/a.js', 'stub' as const]]),
  }
  const task = { id: '1', title: 'A', files: ['src/a.js'], text: 'Write a.' }
  expect(judgeTask(task, seen).doubt).toContain('src/a.js: what says itself that it is not implemented')
  expect(judgeTask({ ...task, text: 'Write a skeleton.' }, seen).badge).toBe('shown')
})

test.each([
  ['The tests in test/old.test.js are obsolete: purge them.', true],
  ['test/old.test.js is no longer needed.', true],
  ['Fold the cases of test/old.test.js into the new file.', true],
  ['test/old.test.js can go.', true],
  ['Do not purge test/old.test.js.', false],
  ['Convert the sources.', false],
  ['Clean up the sources.', false],
])('a plan that takes a test away in other words: %s', (sentence, is) => {
  const plan = `### Task 1: One\n\n**Files:** src/a.js, test/old.test.js\n\n1. ${sentence}\n`
  expect(plansRemoval(plan, 'test/old.test.js')).toBe(is)
})

test('lists of a result beside those that it has to have', () => {
  const result = {
    verdict: 'pass',
    gaps: [],
    missing: ['Task 2', 'none'],
    failed: [],
    notes: ['fine'],
    unmet: 'x',
  }
  expect(otherLists(result)).toEqual(['missing: Task 2', 'unmet: x'])
  const open = {
    deferred: [{ id: 'Task 2', why: 'time' }],
    tasks_remaining: 'Task 3',
    tasks: [
      { id: 'Task 1', status: 'complete' },
      { id: 'Task 4', status: 'in progress' },
    ],
    taskStatus: { 'Task 1': 'done', 'Task 5': 'skipped' },
  }
  expect(otherLists(open)).toEqual([
    'deferred: Task 2',
    'tasks_remaining: Task 3',
    'tasks: Task 4',
    'taskStatus: Task 5',
  ])
  const none = {
    pending: [],
    remaining: 'none',
    skipped: '0',
    todo: 'nothing',
    open: 'no',
    status: 'complete',
  }
  expect(otherLists(none)).toEqual([])
})

test.each([
  ['npm test exited with code 1'],
  ['Exit code: 2'],
  ['FAILED tests/test_scales.py::test_rankine'],
  ['src/rankine.ts(1,2): error TS2322: no number'],
  ['2 problems (2 errors, 0 warnings)'],
  ['Task 2 is missing its tests'],
  ['Task 2 (skipped)'],
  ['Task 2 - incomplete'],
  ['Task 2: PARTIAL'],
  ['Deferred: Task 2'],
  ['No tests were run'],
  ['Traceback (most recent call last):'],
])('evidence that tells of a failure: %s', (entry) => expect(failuresIn([entry])).toEqual([entry]))

test.each([
  ['npm test exited with code 0'],
  ['Exits with code 2 on unknown options'],
  ['The build fails with code 1 when a type is wrong'],
  ['error TS2322 is gone'],
  ['0 problems (0 errors, 3 warnings)'],
  ['Task 2: skipped rows are counted'],
  ['Task 3: docs say that drafts are incomplete'],
  ['Task 2 was not implemented before, it is now: PASS'],
  ['pending -> incomplete is refused'],
  ['All tasks complete; nothing deferred'],
])('evidence that speaks of failures and tells of none: %s', (entry) =>
  expect(failuresIn([entry])).toEqual([]),
)

test.each([
  ['a.scala', 'object A {\n  def kelvin(c: Double): Double = ???\n}\n'],
  ['a.dart', 'double kelvin(double c) => throw UnimplementedError();\n'],
  ['a.py', 'def kelvin(c):\n    # TODO: implement\n    return None\n'],
  ['a.c', 'double kelvin(double c) {\n  /* TODO */\n  return 0;\n}\n'],
  ['a.sql', '-- TODO: a table\n'],
  ['a.vue', '<template>\n  <!-- TODO -->\n</template>\n'],
  ['a.sh', '#!/bin/sh\n# TODO\nexit 0\n'],
  ['guide.md', '# Guide\n\nTBD\n'],
])('what is still to come, in %s', (name, text) => expect(kindOf(name, undefined, text)).toBe('stub'))

test.each([
  ['a.js', '// TODO: faster\nexport function a(c) {\n  return c + 1\n}\n'],
  ['a.ts', 'export function a() {\n  // Nothing to do here.\n  return null\n}\n'],
  ['a.py', 'class E(Exception):\n    pass\n'],
  ['a.html', '<!-- TODO: icons -->\n<p>Words</p>\n'],
  ['a.yml', '# TODO\na: 1\n'],
  ['guide.md', '# Guide\n'],
  ['guide.md', '# Guide\n\nSome words.\n\n## Open\n\nTBD\n'],
])('what is there, in %s', (name, text) => expect(kindOf(name, undefined, text)).toBeUndefined())

describe('tasks', () => {
  const none = new Set<string>()
  const seen = { touched: new Set(['src/box.ts']), takenBack: none, writtenUnseen: none }

  test('one of the files is enough; another file shows nothing; without files it stays claimed', () => {
    const task = { id: '1', title: 'box' }
    expect(judgeTask({ ...task, files: ['src/box.ts', 'src/lid.ts'] }, seen).badge).toBe('shown')
    expect(judgeTask({ ...task, files: ['src/lid.ts'] }, seen).doubt).toContain('src/lid.ts')
    expect(judgeTask(task, seen)).toEqual({ id: '1', badge: 'claimed' })
  })

  test('a name is the same in each form of Unicode', () => {
    const files = ['src/größe.ts'.normalize('NFC')]
    const touched = new Set(['src/größe.ts'.normalize('NFD')])
    expect(judgeTask({ id: '1', title: 'x', files }, { ...seen, touched }).badge).toBe('shown')
  })

  test('a lock file shows a task that names it or speaks of it, and no other', () => {
    const lock = 'src/package-lock.json'
    const now = { ...seen, touched: new Set([lock]), hollow: new Map([[lock, 'lock' as const]]) }
    const task = { id: '1', title: 'kelvin', files: ['src/'] }
    expect(judgeTask(task, now).doubt).toContain('a lock file')
    expect(judgeTask({ ...task, files: ['package-lock.json'] }, now).badge).toBe('shown')
    expect(judgeTask({ ...task, text: 'Upgrade what is installed.' }, now).badge).toBe('shown')
  })

  test('what was committed and taken back shows nothing, unless another task names it too', () => {
    const task = { id: '1', title: 'lid', files: ['src/lid.ts'] }
    const back = { ...seen, takenBack: new Set(['src/lid.ts']) }
    expect(judgeTask(task, back).doubt).toContain('as they were when the phase began')
    expect(judgeTask(task, back, [{ id: '2', title: 'tidy', files: ['src/lid.ts'] }]).badge).toBe('shown')
  })

  test('a change in which nothing was done shows nothing, unless the task speaks of just that', () => {
    const task = { id: '1', title: 'box', files: ['src/box.ts'] }
    const hollow = { ...seen, hollow: new Map([['src/box.ts', 'mode'] as const]) }
    expect(judgeTask(task, hollow).doubt).toContain('src/box.ts: its permissions')
    expect(judgeTask({ ...task, text: 'Make it executable.' }, hollow).badge).toBe('shown')
    const two = { ...hollow, touched: new Set(['src/box.ts', 'src/lid.ts']) }
    expect(judgeTask({ ...task, files: ['src/box.ts', 'src/lid.ts'] }, two).badge).toBe('shown')
  })

  test.each([
    ['a.js', undefined, ' \n', 'empty'],
    ['__init__.py', undefined, '', undefined],
    ['.gitkeep', undefined, '', undefined],
    ['a.js', 'x\n', 'x\n', 'mode'],
    ['a.js', 'x\ny\n', 'x  \r\n\ny', 'blank'],
    ['a.py', 'if x:\n  y\n', 'if x:\ny\n', undefined],
    ['a.bin', '\uFFFD\0', '\uFFFD\0', undefined],
    ['a.ts', undefined, '// later\n/* todo */\n', 'comment'],
    ['a.ts', undefined, '/** @type {import("x").Config} */\n', undefined],
    ['a.ts', 'f(a, b)\n', '\uFEFF// says f\nf(\n  a, b)\n', 'comment'],
    ['a.ts', 'f(a, b)\n', 'f(a, b) // @ts-expect-error later\n', undefined],
    ['a.ts', 'f("a b")\n', 'f("a  b")\n', undefined],
    ['a.ts', 'f("// a")\n', 'f("// b")\n', undefined],
    ['a.ts', 'f(`\n// a`)\n', 'f(`\n// b`)\n', undefined],
    ['a.ts', 'return a\n', 'returna\n', undefined],
    ['a.ts', 'x = a / b / c // c\n', 'x = a / b / c\n', 'comment'],
    ['a.ts', 'x = /[/*]"/.test(a)\nf()\n', 'x = /[/*]"/.test(a)\ng()\n', undefined],
    ['a.ts', "const url = 'http://a'\n", "const url = 'http://b'\n", undefined],
    ['a.tsx', '<a>it is https://a</a>\n', '<a>it is https://b</a>\n', undefined],
    ['a.css', 'a { b: url(//x) }\n', 'a { b: url(//y) }\n', undefined],
    ['a.rs', "fn f<'a>(x: &'a str) {}\n", "fn f<'b>(x: &'b str) {}\n", undefined],
    ['a.rs', 'fn f() {}\n', '/// ```\n/// assert!(true)\n/// ```\nfn f() {}\n', undefined],
    ['a.go', 'package a\n', '//go:build linux\npackage a\n', undefined],
    ['a.py', 'x = 1\n', '# one\nx = 1  # more\n', 'comment'],
    ['a.py', 'x = 1\n', 'x = 1  # type: int\n', undefined],
    ['a.py', "x = 'a #b'\n", "x = 'a #c'\n", undefined],
    ['a.py', 'def f():\n  pass\n', 'def f():\n  """Says f."""\n  pass\n', undefined],
    ['a.sh', 'a\n', '#!/bin/bash\na\n', undefined],
    ['a.md', 'a\n', '<!-- b -->\na\n', undefined],
  ])('%s from %j to %j: %s', (name, before, now, kind) => expect(kindOf(name, before, now)).toBe(kind))

  test('comments alone show a task that speaks of them, or of the layout; another one they leave claimed', () => {
    const task = { id: '1', title: 'box', files: ['src/box.ts'] }
    const worded = { ...seen, hollow: new Map([['src/box.ts', 'comment'] as const]) }
    const badge = (text: string) => judgeTask({ ...task, text }, worded).badge
    expect(judgeTask({ ...task, text: 'Write src/box.ts.' }, worded)).toEqual({ id: '1', badge: 'claimed' })
    expect(badge('Write docs/box.ts and src/box.ts.')).toBe('claimed')
    for (const text of ['Document the box.', 'Say in a comment why.', 'Run prettier.', 'A stub for later.'])
      expect(badge(text)).toBe('shown')
  })

  test('a file that a rule of the phase hides shows nothing', async () => {
    await inTemporary('unseen', async (root) => {
      await mkdir(join(root, 'src'))
      for (const name of ['src/box.ts', 'src/lid.ts']) await writeFile(join(root, name), 'x')
      await writeFile(join(root, '.gitignore'), 'dist/\n/src/box.*\n')
      const git = { pathsAt: async () => ['.gitignore'], textAt: async () => 'dist/\n' }
      const begun = { git, root, start: 'start', since: 0, touched: new Set(['.gitignore']) }
      const tasks = [{ id: '1', title: 'box', files: ['src/box.ts', 'src/lid.ts'] }]
      const unseen = await unseenWork({ ...begun, plan: 'Write the box.' }, tasks)
      expect([[...unseen.written], [...unseen.hidden]]).toEqual([['src/lid.ts'], ['src/box.ts']])
      const planned = await unseenWork({ ...begun, plan: 'Write the box, and ignore it.' }, tasks)
      expect([...planned.hidden]).toEqual([])
      const doubt = { ...seen, touched: new Set<string>(), hidden: new Set(['src/box.ts']) }
      expect(judgeTask({ id: '1', title: 'box', files: ['src/box.ts'] }, doubt).doubt).toContain(
        'not to look at',
      )
    })
  })

  test('tasks that a plan does not have; parts of tasks and words are none', () => {
    const tasks = ['1', '2'].map((id) => ({ id, title: `box ${id}`, line: 1 }))
    expect(
      unknownTasks(['Task 1', '2', 'Task 9: the lid', 'Phase 1 Task 3', 'Task 2.1', 'tests'], tasks),
    ).toEqual(['Task 9'])
  })

  test('a path that a commit moved on was not taken back', () => {
    const made = { files: [{ path: 'a.ts', blob: '1' }] }
    const gone = { path: 'a.ts', blob: null }
    expect(takenBack([{ files: [gone] }, made], none)).toEqual(new Set(['a.ts']))
    expect(takenBack([{ files: [gone, { path: 'b.ts', blob: '1' }] }, made], none)).not.toContain('a.ts')
    expect(takenBack([{ files: [gone, { path: 'in/a.ts', blob: '2' }] }, made], none)).not.toContain('a.ts')
    expect(takenBack([made], new Set(['a.ts']))).toEqual(none)
  })

  test('a path that was only written back, or removed without a trace, was taken back', () => {
    const commit = (...files: [path: string, blob: string | null][]) => ({
      files: files.map(([path, blob]) => ({ path, blob })),
    })
    const made = commit(['a.ts', '1'])
    const back = (...commits: ReturnType<typeof commit>[]) => takenBack(commits, none).has('a.ts')
    // Somebody else's file of the same name or content beside it, in each place where it says nothing.
    expect(back(commit(['a.ts', '0'], ['in/a.ts', '1']), made)).toBe(true)
    expect(back(commit(['in/a.ts', '5']), commit(['a.ts', null]), made)).toBe(true)
    expect(back(commit(['a.ts', null], ['in/a.ts', null]), made)).toBe(true)
    expect(back(commit(['a.ts', null], ['c.ts', '7']), made)).toBe(true)
  })

  test('a task itself is none of the others, and what was never touched is told as that', () => {
    const task = { id: '1', title: 'lid', files: ['src/lid.ts'] }
    expect(judgeTask(task, { ...seen, takenBack: new Set(['src/lid.ts']) }, [task]).badge).toBe('claimed')
    expect(judgeTask(task, seen).doubt).toContain('none of its files has changed')
    expect(judgeTask({ ...task, files: ['lib/box.ts'] }, seen).badge).toBe('claimed')
    expect(
      judgeTask({ ...task, files: ['lib/box.ts'] }, { ...seen, touched: new Set(['src/lib/box.ts']) }).badge,
    ).toBe('claimed')
  })

  test.each([
    ['docs/user guide.md', 'docs/user guide.md'],
    ['src/{a,box}.ts', 'src/box.ts'],
    ['box.ts', 'src/box.ts'],
  ])('%s names %s', (entry, path) => {
    const task = { id: '1', title: 'box', files: [entry] }
    expect(judgeTask(task, { ...seen, touched: new Set([path]) }).badge).toBe('shown')
  })

  test.each([
    ['Create: `src/a.ts`', ['src/a.ts']],
    ['./src/a.ts:12-15', ['src/a.ts']],
    ['src/a.ts (new)', ['src/a.ts']],
    ['Makefile', ['Makefile']],
    ['the usual suspects', []],
  ])('the path in %s', (entry, paths) => expect(pathOf(entry)).toEqual(paths))

  test.each([
    ['src', 'src/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['src/a', 'src/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a.js', false],
    ['*.md', 'readme.md', true],
    ['src/**/a.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/in/deep/a.ts', true],
    ['src/**/in/*.ts', 'src/in/a.ts', true],
    ['src/**/in/*.ts', 'src/out/a.ts', false],
    ['a*bc*d', 'axcd', false],
    ['a*x*b', 'acb', false],
    ['ab*bc', 'abc', false],
    ['ab*bc', 'abbc', true],
    ['src/*.ts', 'lib/src/a.ts', false],
  ])('%s stands for %s: %s', (pattern, path, yes) => expect(matches(pattern, path)).toBe(yes))
})

describe('test files', () => {
  test('what is one', () => {
    expect(['test/a.js', 'src/a.test.ts', 'pkg/a_test.go', 'tests/test_a.py'].every(isTestFile)).toBe(true)
    expect(['src/a.ts', 'test/data.json', 'src/contest.ts'].some(isTestFile)).toBe(false)
  })

  test('cases and marks', () => {
    expect(testCases('test(\'a\', f)\nit.only("b", f)\ndef test_c():\nfunc TestD(')).toEqual([
      'a',
      'b',
      'test_c',
      'TestD',
    ])
    expect(skipMarks("test.skip('a')\nxit('b')\n@pytest.mark.skip\nt.Skip()")).toBe(4)
    expect(skipMarks("test('a', { skip: 'slow' }, f)\nt.skip('b')\npytestmark = pytest.mark.skip")).toBe(3)
    expect(skipMarks('{ skip: 10, take: 5 }\nlist.skip(2)')).toBe(0)
  })

  const gitWith = (before: Record<string, string>, moved = new Map<string, string>()) => ({
    changedFrom: async () => ['test/a.test.js', 'test/b.test.js'],
    pathsAt: async () => Object.keys(before),
    textAt: async (_commit: string, path: string) => before[path],
    movedFrom: async () => moved,
  })
  const lost = (now: Record<string, string>, plan = '') =>
    lostTests(gitWith({ 'test/a.test.js': "test('one', f)\ntest('two', f)" }), {
      start: 'start',
      read: async (path) => now[path],
      plan,
    })

  test('gone, fewer, skipped; moved or renamed cases are there', async () => {
    expect((await lost({}))[0]?.text).toContain('is gone')
    expect((await lost({ 'test/a.test.js': "test('one', f)" }))[0]?.text).toContain('1 test case fewer: two')
    expect((await lost({ 'test/a.test.js': "test.skip('one', f)\ntest('two', f)" }))[0]?.text).toContain(
      'skipped',
    )
    expect(await lost({ 'test/b.test.js': "test('one', f)\ntest('two', f)" })).toEqual([])
    expect(await lost({ 'test/a.test.js': "test('one', f)\ntest('second', f)" })).toEqual([])
  })

  const filled = "test('one', () => equal(f(1), 2))\ntest('two', () => check(f(2)))"
  const emptied = (now: string) =>
    lostTests(gitWith({ 'test/a.test.js': filled }), {
      start: 'start',
      read: async (path) => (path === 'test/a.test.js' ? now : undefined),
      plan: '',
    })

  test.each([
    ["test('one', () => {})\ntest('two', () => check(f(2)))", 'one'],
    ["test('one', () => { expect(true).toBe(true) })\ntest('two', () => check(f(2)))", 'one'],
    ["test('one', () => equal(f(1), 2))\ntest('two', () => {\n  return\n  check(f(2))\n})", 'two'],
  ])('a case that looks at nothing any more: %s', async (now, name) => {
    expect((await emptied(now))[0]?.text).toContain(`checks nothing of the project any more: ${name}`)
  })

  test('a helper that asserts nothing any more is named; one whose assertion moved is not', async () => {
    const helper = "import { strictEqual } from 'assert'\nexport const same = (a, b) => strictEqual(a, b)\n"
    const idle = 'export const same = () => undefined\n'
    const helped = (now: Record<string, string>) =>
      lostTests(gitWith({ 'test/a.test.js': helper }), {
        start: 'start',
        read: async (path) => now[path],
        plan: '',
      })
    expect((await helped({ 'test/a.test.js': idle }))[0]?.text).toContain('compares nothing any more')
    expect(await helped({ 'test/a.test.js': idle, 'test/b.test.js': helper })).toEqual([])
    expect(await helped({ 'test/a.test.js': helper.replaceAll('strictEqual', 'deepEqual') })).toEqual([])
  })

  const many = "test('one', () => {\n  equal(f(1), 2)\n  equal(f(2), 3)\n})\ntest('two', () => check(f(2)))"
  test.each([
    ['a comparison is gone', many.replace('  equal(f(2), 3)\n', ''), true],
    [
      'it went into another case',
      `${many.replace('  equal(f(2), 3)\n', '')}\ntest('three', () => {\n  equal(f(2), 3)\n})`,
      false,
    ],
    ['all are gone', many.replaceAll(/equal\((f\(\d\)), \d\)/g, '$1'), true],
    ['a helper came in their place', many.replaceAll(/equal\((f\(\d\)), \d\)/g, 'holds($1)'), false],
    [
      'they are one',
      many.replace(/ {2}equal.*\n {2}equal.*\n/, '  deepEqual([1, 2].map(f), [2, 3])\n'),
      false,
    ],
    ['what it throws is caught', many.replace('equal(f(1), 2)', 'try {\n equal(f(1), 2)\n } catch {}'), true],
    ['anything will do', many.replace('equal(f(1), 2)', 'ok(f(1) || true)'), true],
    ['another one came', many.replace('equal(f(1), 2)', 'equal(f(1), 2)\n  equal(f(4), 5)'), false],
  ])('a case that checks less: %s', async (_name, now, is) => {
    const git = gitWith({ 'test/a.test.js': many })
    const read = async (path: string) => (path === 'test/a.test.js' ? now : undefined)
    const lost = await lostTests(git, { start: 'start', read, plan: '' })
    expect(lost.map(({ text }) => text)).toEqual(
      is ? [expect.stringContaining('checks less than before: one')] : [],
    )
  })

  test('a case is not hollow for its layout, its helpers or its own words; commented out it is gone', async () => {
    const other = `it("one", function () {\n  assert.strictEqual(f(1), 2);\n});\nit("two", () => expectTwo(2));`
    expect(await emptied(other)).toEqual([])
    const commented = filled.replace(/^/gm, '// ')
    expect((await emptied(commented))[0]?.text).toContain('2 test cases fewer: one; two')
    const onCi = filled.replace(
      '() => equal(f(1), 2)',
      '() => {\n  if (process.env.CI) return\n  equal(f(1), 2)\n}',
    )
    expect((await emptied(onCi))[0]?.text).toContain('1 more test marked to be skipped')
    expect((await emptied(`/* ${filled} */`))[0]?.text).toContain('fewer')
  })

  test('bodies end where they end, in other languages too', () => {
    const hollow = (text: string) =>
      casesIn(text).flatMap(({ name, body }) => (body !== undefined && isHollow(body) ? [name] : []))
    expect(
      hollow('def test_a():\n    assert True\n\ndef test_b(c):\n    assert c.get(1)\n\nx = 1\n'),
    ).toEqual(['test_a'])
    expect(hollow('func TestA(t *testing.T) {\n}\nfunc TestB(t *testing.T) {\n  Run(t)\n}\n')).toEqual([
      'TestA',
    ])
    expect(
      hollow('#[test]\nfn a() { assert_eq!(1, 1); }\n#[test]\nfn b() { assert_eq!(add(1), 1); }'),
    ).toEqual(['a'])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code to be read
    expect(hollow("test('a', () => { log(\"it's ) '\") })\ntest('b', () => toKelvin(`${1}`))")).toEqual([])
  })

  test('assertions and snapshots that are others now are listed, another layout of them is not', async () => {
    const before =
      "import { equal } from 'assert'\ntest('a', () => equal(f(0), 32))\ntest('b', () => {\n  expect(f(1)).toBe(2)\n})\n"
    expect(rewrittenCases(before, before.replace('32', '33'))).toEqual(['a'])
    expect(rewrittenCases(before, before.replace('toBe(2)', 'toBeDefined()'))).toEqual(['b'])
    expect(rewrittenCases(before, before.replaceAll("'", '"').replace('toBe(2)', 'toBe(2);'))).toEqual([])
    expect(rewrittenCases(before, `${before}test('c', () => equal(f(2), 3))\n`)).toEqual([])
    expect(idleCases(before, `${before}test('c', () => {})\ntest('d', () => equal(f(2), 3))\n`)).toEqual([
      'c',
    ])
    const texts: Record<string, string> = {
      'test/a.test.ts': before,
      'test/__snapshots__/a.snap': 'x',
      'src/a.ts': 'x',
    }
    const now: Record<string, string> = {
      ...texts,
      'test/a.test.ts': before.replace('32', '33'),
      'test/b.snap': 'new',
    }
    const git = {
      changedFrom: async () => ['src/a.ts', 'test/a.test.ts', 'test/__snapshots__/a.snap', 'test/b.snap'],
      pathsAt: async () => Object.keys(texts),
      textAt: async (_: string, path: string) => texts[path],
    }
    expect(await rewrittenTests(git, { start: 'start', read: async (path) => now[path] })).toEqual([
      'test/a.test.ts: 1 test case is held to something else than before: a',
      'test/__snapshots__/a.snap: the snapshot was rewritten',
    ])
  })

  test('whoever ends the run from inside is named, not what stands in a text', () => {
    expect(endsOfRun('log()\nprocess.exit(0)\nprocess.exit()\n')).toBe(2)
    expect(endsOfRun("spawn('process.exit(0)') // process.exit(0)\nprocess.exit(1)\n")).toBe(0)
  })

  test('a file of cases that ends the run of all is told, once it is one that ended none before', async () => {
    const units = { before: openUnits(unitsIn('ok 1 - one\n# tests 1\n') ?? '') }
    const ends = "test('one', f)\nprocess.exit(0)\n"
    const told = async (path: string, text: string, before?: string, of: object = { units }) => {
      const git = {
        ...gitWith(before === undefined ? {} : { [path]: before }),
        changedFrom: async () => [path],
      }
      const found = await lostTests(git, { start: 'start', read: async () => text, plan: '', ...of })
      return found.map((each) => each.text)
    }
    const wanted = ['test/a.test.js: ends the run of all tests by itself, as if they had passed']
    expect(await told('test/a.test.js', ends, "test('one', f)\n")).toEqual(wanted)
    expect(await told('test/a.test.js', ends)).toEqual(wanted)
    expect(await told('test/a.test.js', ends, ends)).toEqual([])
    expect(await told('test/a.test.js', "test('one', f)\n", "test('one', f)\n")).toEqual([])
    // A program that the tests start may end as it likes, and where no run named its cases nothing is known.
    expect(await told('test/server.js', ends)).toEqual([])
    expect(await told('test/a.test.js', ends, "test('one', f)\n", {})).toEqual([])
  })

  test('what is there and was executed before is named where a run does not name it any more', async () => {
    const run = (...names: string[]) => {
      const report = names.map((name, at) => `ok ${at + 1} - ${name}\n`).join('')
      return openUnits(unitsIn(`${report}# tests ${names.length}\n`) ?? '')
    }
    const texts = { 'test/a.test.js': "test('one', f)\ntest('two', f)" }
    const silent = (now: string[], plan = '', read: Record<string, string> = texts) =>
      lostTests(
        { ...gitWith(texts), changedFrom: async () => Object.keys(read).filter((path) => !(path in texts)) },
        {
          start: 'start',
          read: async (path) => read[path],
          plan,
          units: { before: run('one', 'two'), now: run(...now) },
        },
      )
    expect(await silent(['one', 'two', 'three'])).toEqual([])
    const [lostOne] = await silent(['one', 'three', 'four'])
    expect(lostOne).toMatchObject({
      planned: false,
      text: expect.stringContaining('not executed any more: two'),
    })
    expect((await silent(['one'], '### Task 1\n\nSkip two of test/a.test.js.\n'))[0]?.planned).toBe(true)
    const moved = { 'test/a.js': texts['test/a.test.js'] }
    expect((await silent(['three', 'four'], '', moved))[0]?.text).toContain(
      'test/a.js: 2 test cases are there',
    )
  })

  test('a file that a run does not name any more is told once, and not where it is gone', async () => {
    const units = {
      before: openUnits(unitsIn('PASS a.test.js\nTests: 2 passed, 2 total\n') ?? ''),
      now: openUnits(unitsIn('PASS b.test.js\nTests: 2 passed, 2 total\n') ?? ''),
    }
    const told = async (now: string | undefined, changed = [] as string[]) => {
      const git = { ...gitWith({ 'test/a.test.js': filled }), changedFrom: async () => changed }
      const found = await lostTests(git, { start: 'start', read: async () => now, plan: '', units })
      return found.map(({ text }) => text)
    }
    expect(await told(filled)).toEqual(['test/a.test.js is there and is not executed any more'])
    expect(await told(filled, ['test/a.test.js'])).toHaveLength(1)
    expect(await told("test('one', () => equal(f(1), 2))", ['test/a.test.js'])).toEqual([
      'test/a.test.js: 1 test case fewer: two',
    ])
    expect(await told(undefined)).toEqual([])
  })

  test('a file of tests in which no case is read is told where it is gone, another one is not', async () => {
    const gone = async (path: string) => {
      const git = { ...gitWith({ [path]: 'check(f(1))\n' }), changedFrom: async () => [path] }
      return (await lostTests(git, { start: 'start', read: async () => undefined, plan: '' })).map(
        ({ text }) => text,
      )
    }
    expect(await gone('test/a.test.js')).toEqual(['test/a.test.js is gone'])
    expect(await gone('test/server.js')).toEqual([])
  })

  test('a case that is written another way and still executed is there', async () => {
    const units = { now: openUnits(unitsIn('ok 1 - one\nok 2 - two\n# tests 2\n') ?? '') }
    const table = 'for (const name of names) test(name, () => check(name))'
    const now = { start: 'start', read: async () => table, plan: '' }
    const git = gitWith({ 'test/a.test.js': filled })
    expect(await lostTests(git, now)).toHaveLength(1)
    expect(await lostTests(git, { ...now, units })).toEqual([])
  })

  test('a file that git finds under another name is there, with other names of its cases too', async () => {
    const read = async (path: string) =>
      path === 'test/b.test.js' ? filled.replace('one', 'first') : undefined
    const now = { start: 'start', read, plan: '' }
    expect(await lostTests(gitWith({ 'test/a.test.js': filled }), now)).toHaveLength(1)
    const moved = new Map([['test/a.test.js', 'test/b.test.js']])
    expect(await lostTests(gitWith({ 'test/a.test.js': filled }, moved), now)).toEqual([])
  })

  test('the plan has to speak of a removal, and not only of the file', async () => {
    const remove = '### Task 1: tidy\n\nRemove test/a.test.js.\n'
    expect((await lost({}, remove))[0]?.planned).toBe(true)
    expect(plansRemoval('### Task 1: add\n\n**Files:** test/a.test.js\n', 'test/a.test.js')).toBe(false)
    const spoken = (text: string, path: string) =>
      plansRemoval(`### Task 1\n\n**Files:** test/a.test.js\n\n1. ${text}\n`, path)
    expect(spoken('Do not remove anything from test/a.test.js.', 'test/a.test.js')).toBe(false)
    expect(spoken('They must not be deleted.', 'test/a.test.js')).toBe(false)
    expect(spoken('Tests that do not hold any more are removed.', 'test/a.test.js')).toBe(true)
    expect(spoken('Delete the obsolete\n   tests in test/old/.', 'test/old/b.test.js')).toBe(true)
    expect(spoken('Delete `test/old/*.test.js`.', 'test/old/b.test.js')).toBe(true)
    expect(spoken('Delete src/old.js. Run the tests in test/old/.', 'test/old/b.test.js')).toBe(false)
    expect(plansRemoval(`${remove}### Task 2\n\n**Files:** test/b.test.js\n`, 'test/b.test.js')).toBe(false)
  })
})

describe('words', () => {
  test('a pass has no gaps and has run something, or our tests carry it', () => {
    expect(judgeVerdict({ verdict: 'pass', gaps: [], commands: 1 })).toMatchObject({
      verdict: 'pass',
      verified: true,
    })
    const silent = { verdict: 'pass', gaps: [] } as const
    expect(judgeVerdict(silent).verdict).toBe('incomplete')
    expect(judgeVerdict({ ...silent, isRead: true })).toMatchObject({ verdict: 'pass', verified: true })
    expect(judgeVerdict({ ...silent, tests: 'passed' })).toMatchObject({ verdict: 'pass', verified: true })
    expect(judgeVerdict({ ...silent, commands: 2, failedCommands: 1 }).verdict).toBe('pass')
    const failed = judgeVerdict({ ...silent, commands: 2, failedCommands: 2, isRead: true })
    expect(failed).toMatchObject({
      verdict: 'incomplete',
      why: [expect.stringContaining('has failed: each')],
    })
    expect(judgeVerdict(silent).why.join()).toContain('ran no command')
    expect(judgeVerdict({ verdict: 'fail', gaps: [], commands: 1 })).toEqual({
      verdict: 'fail',
      why: [],
      verified: false,
    })
    expect(areDocuments(['docs/a.md', 'docs/b.png', 'LICENSE'])).toBe(true)
    expect(areDocuments(['docs/a.md', 'src/a.ts'])).toBe(false)
    expect(judgeVerdict({ verdict: 'pass', gaps: ['one'], commands: 1 }).verdict).toBe('incomplete')
    expect(judgeVerdict({ verdict: 'pass', gaps: [], commands: 0 }).verdict).toBe('incomplete')
    expect(judgeVerdict({ verdict: 'pass', gaps: [], commands: 0, tests: 'passed' })).toMatchObject({
      verdict: 'pass',
      verified: false,
    })
  })

  test('assessments', () => {
    expect([undefined, 'approve', 'Comment', 'LGTM'].map(assessmentDoubt)).toEqual(Array(4).fill(undefined))
    for (const word of [
      '**Approve** ✅',
      'Approved.',
      'LGTM!',
      'approve with minor suggestions',
      'Looks good',
    ])
      expect(assessmentDoubt(word)).toBeUndefined()
    for (const word of ['approve?', 'approve, but see below', 'approve with reservations', 'not approved'])
      expect(assessmentDoubt(word)).toContain(word)
    expect(assessmentDoubt('request-changes')).toContain('requests changes')
    expect(assessmentDoubt('dreadful')).toContain('"dreadful", which is no word that opens anything')
    expect(assessmentsDiffer(undefined, 'request-changes')).toBe(false)
    expect(assessmentsDiffer('request-changes', ' ')).toBe(false)
    expect(assessmentsDiffer('comment', 'approve')).toBe(false)
    expect(assessmentsDiffer('approve', undefined)).toBe(false)
    expect(assessmentsDiffer('approve', 'request-changes')).toBe(true)
  })

  test.each([
    ['BLOCKING: half a degree is lost'],
    ['[blocking] half a degree is lost'],
    ['**Blocker** - half a degree is lost'],
    ['⛔ Critical: keys are logged'],
    ['BLOCKING rounding error'],
    ['P0: no rounding'],
    ['Rounding', 'This must be fixed before merging.'],
    ['Rounding', 'Small as it is, it blocks the release.'],
    ['Rounding', 'Please do not merge this.'],
  ])('a note that blocks by its own words: %s', (title, rationale?: string) => {
    expect(severityDoubt([{ severity: 'note', title, ...(rationale ? { rationale } : {}) }])).toContain(title)
    expect(
      severityDoubt([{ severity: 'blocking', title, ...(rationale ? { rationale } : {}) }]),
    ).toBeUndefined()
  })

  test.each([
    ['Non-blocking: a name could be shorter'],
    ['Blocking read in the loop of events'],
    ['Critical section is longer than it has to be'],
    ['Blocks until the file is written', 'Not blocking; nothing that blocks the merge.'],
    ['Naming', 'It does not have to be fixed before merging.'],
    ['Naming', 'Could be critical one day. This blocks the thread for a moment.'],
    ['Merging', 'Rows must be merged before they are sorted.'],
  ])('a note that is one: %s', (title, rationale?: string) => {
    const doubt = severityDoubt([{ severity: 'note', title, ...(rationale ? { rationale } : {}) }])
    expect(doubt).toBeUndefined()
  })

  test('lists beside the findings of a review', () => {
    expect(
      listedAsBlocking({ findings: [], blockers: ['No rounding'], must_fix: [{ title: 'Keys' }] }),
    ).toEqual(['blockers: No rounding', 'must_fix: Keys'])
    expect(
      listedAsBlocking({ findings: [], blocking: ['none'], critical: [], suggestions: ['A name'] }),
    ).toEqual([])
  })
})

test('the same content, laid out otherwise', () => {
  const plan = '# Plan\n\n- [ ] Write it\n- Test\n  it well\n\n```sh\nrun  it\n```\n'
  expect(sameContent(plan, '# Plan\n\n\n* [x] Write it\n* Test it well\n\n```sh\nrun  it\n```\n')).toBe(true)
  expect(sameContent(plan, plan.replace('Test', 'Skip'))).toBe(false)
  expect(sameContent(plan, plan.replace('run  it', 'run it'))).toBe(false)
})
