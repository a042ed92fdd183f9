import { expect, test } from 'vitest'
import {
  brokenData,
  brokenJsonBlocks,
  brokenReferences,
  faultText,
} from '../../../../source/workflows/playbook/criteria/document-checks.js'
import {
  checkWires,
  isStandalone,
  referenceWord,
} from '../../../../source/workflows/playbook/criteria/wire-check.js'

const checked = async (added: string[], uses: Record<string, string[]>, log = '') =>
  (await checkWires({ added, filesWith: async (word) => uses[word] ?? [], log })).map(({ path, status }) => [
    path,
    status,
  ])

test('an added file is used, stands alone, is justified, or is an orphan', async () => {
  const uses = {
    used: ['src/used.ts', 'src/main.ts'],
    alone: ['src/alone.ts'],
    planned: ['src/planned.ts', '.planning/PLAN.md'],
  }
  const log = '- src/why.ts is standalone: loaded by name'
  expect(
    await checked(
      ['src/used.ts', 'src/alone.ts', 'src/planned.ts', 'src/why.ts', 'test/a.test.ts'],
      uses,
      log,
    ),
  ).toEqual([
    ['src/used.ts', 'referenced'],
    ['src/alone.ts', 'orphaned'],
    ['src/planned.ts', 'orphaned'],
    ['src/why.ts', 'justified'],
    ['test/a.test.ts', 'standalone'],
  ])
})

test.each([
  'src/index.ts',
  'src/App.tsx',
  'vite.config.ts',
  'a.json',
  '.eslintrc',
  'src/a.test.ts',
  'tests/help.py',
  'test_a.py',
  'bin/run',
  'scripts/x.js',
  'types/a.d.ts',
  'docs/a.md',
  'Makefile',
])('%s stands alone', (path) => expect(isStandalone(path)).toBe(true))

test.each(['src/indexer.ts', 'src/contest.ts', 'src/binary.ts', 'lib/apps.py'])('%s does not', (path) => {
  expect(isStandalone(path)).toBe(false)
})

test('a file is looked for by its name', () => {
  expect([referenceWord('src/a.b.ts'), referenceWord('bin/run')]).toEqual(['a.b', 'run'])
})

test('paths in backticks have to be there, from the root or beside the document', () => {
  const exists = (path: string) => ['src/a.ts', 'docs/sub/b.md'].includes(path)
  const text =
    'See `src/a.ts` and `sub/b.md`,\nnot `src/gone.ts`, `1.2.3`, `a.ts`.\n```\n`src/fenced.ts`\n```\n'
  expect(brokenReferences('docs/a.md', text, exists).map(faultText)).toEqual([
    'docs/a.md:2 `src/gone.ts` is not there',
  ])
})

test('JSON blocks and data have to parse', () => {
  const text = '```json\n{"a": 1}\n```\ntext\n```json\n{"a": }\n```\n```js\n{a}\n```\n'
  expect(brokenJsonBlocks('a.md', text)).toMatchObject([{ path: 'a.md', line: 5 }])
  expect(brokenData('a.json', '\uFEFF{"a": 1}')).toEqual([])
  expect(brokenData('a.json', '{')).toHaveLength(1)
  expect(brokenData('a.jsonl', '{"a": 1}\n\n{"b"}\n')).toMatchObject([{ line: 3 }])
  expect(brokenData('a.yaml', 'a: 1\nb: [1\n')).toHaveLength(1)
  expect(brokenData('a.yml', 'a: 1\n---\nb: 2\n')).toEqual([])
  expect(brokenData('a.txt', '{')).toEqual([])
})
