import { describe, expect, test } from 'vitest'
import { sameContent } from '../../../../source/documents/same-content.js'
import { judgeTask, matches, pathOf, takenBack } from '../../../../source/workflows/evidence/claims/tasks.js'
import {
  isTestFile,
  lostTests,
  plansRemoval,
  skipMarks,
  testCases,
} from '../../../../source/workflows/evidence/claims/test-files.js'
import {
  assessmentDoubt,
  assessmentsDiffer,
  judgeVerdict,
} from '../../../../source/workflows/evidence/claims/verdict.js'

describe('tasks', () => {
  const none = new Set<string>()
  const seen = { touched: new Set(['src/box.ts']), takenBack: none, writtenUnseen: none }

  test('one of the files is enough; another file shows nothing; without files it stays claimed', () => {
    const task = { id: '1', title: 'box' }
    expect(judgeTask({ ...task, files: ['src/box.ts', 'src/lid.ts'] }, seen).badge).toBe('shown')
    expect(judgeTask({ ...task, files: ['src/lid.ts'] }, seen).doubt).toContain('src/lid.ts')
    expect(judgeTask(task, seen)).toEqual({ id: '1', badge: 'claimed' })
  })

  test('what was committed and taken back shows nothing, unless another task names it too', () => {
    const task = { id: '1', title: 'lid', files: ['src/lid.ts'] }
    const back = { ...seen, takenBack: new Set(['src/lid.ts']) }
    expect(judgeTask(task, back).doubt).toContain('as they were when the phase began')
    expect(judgeTask(task, back, [{ id: '2', title: 'tidy', files: ['src/lid.ts'] }]).badge).toBe('shown')
  })

  test('a path that a commit moved on was not taken back', () => {
    const made = { files: [{ path: 'a.ts', blob: '1' }] }
    const gone = { path: 'a.ts', blob: null }
    expect(takenBack([{ files: [gone] }, made], none)).toEqual(new Set(['a.ts']))
    expect(takenBack([{ files: [gone, { path: 'b.ts', blob: '1' }] }, made], none)).not.toContain('a.ts')
    expect(takenBack([{ files: [gone, { path: 'in/a.ts', blob: '2' }] }, made], none)).not.toContain('a.ts')
    expect(takenBack([made], new Set(['a.ts']))).toEqual(none)
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

  const gitWith = (before: Record<string, string>) => ({
    changedFrom: async () => ['test/a.test.js', 'test/b.test.js'],
    pathsAt: async () => Object.keys(before),
    textAt: async (_commit: string, path: string) => before[path],
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

  test('the plan has to speak of a removal, and not only of the file', async () => {
    const remove = '### Task 1: tidy\n\nRemove test/a.test.js.\n'
    expect((await lost({}, remove))[0]?.planned).toBe(true)
    expect(plansRemoval('### Task 1: add\n\n**Files:** test/a.test.js\n', 'test/a.test.js')).toBe(false)
    expect(plansRemoval(`${remove}### Task 2\n\n**Files:** test/b.test.js\n`, 'test/b.test.js')).toBe(false)
  })
})

describe('words', () => {
  test('a pass has no gaps and has run something, or our tests carry it', () => {
    expect(judgeVerdict({ verdict: 'pass', gaps: [], commands: 1 })).toMatchObject({
      verdict: 'pass',
      verified: true,
    })
    expect(judgeVerdict({ verdict: 'pass', gaps: [] })).toMatchObject({ verdict: 'pass', verified: true })
    expect(judgeVerdict({ verdict: 'pass', gaps: ['one'], commands: 1 }).verdict).toBe('incomplete')
    expect(judgeVerdict({ verdict: 'pass', gaps: [], commands: 0 }).verdict).toBe('incomplete')
    expect(judgeVerdict({ verdict: 'pass', gaps: [], commands: 0, tests: 'passed' })).toMatchObject({
      verdict: 'pass',
      verified: false,
    })
  })

  test('assessments', () => {
    expect([undefined, 'approve', 'Comment', 'LGTM'].map(assessmentDoubt)).toEqual(Array(4).fill(undefined))
    expect(assessmentDoubt('request-changes')).toContain('requests changes')
    expect(assessmentDoubt('dreadful')).toContain('dreadful')
    expect(assessmentsDiffer('comment', 'approve')).toBe(false)
    expect(assessmentsDiffer('approve', undefined)).toBe(false)
    expect(assessmentsDiffer('approve', 'request-changes')).toBe(true)
  })
})

test('the same content, laid out otherwise', () => {
  const plan = '# Plan\n\n- [ ] Write it\n- Test\n  it well\n\n```sh\nrun  it\n```\n'
  expect(sameContent(plan, '# Plan\n\n\n* [x] Write it\n* Test it well\n\n```sh\nrun  it\n```\n')).toBe(true)
  expect(sameContent(plan, plan.replace('Test', 'Skip'))).toBe(false)
  expect(sameContent(plan, plan.replace('run  it', 'run it'))).toBe(false)
})
