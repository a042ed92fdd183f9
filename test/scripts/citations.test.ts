import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inTemporary } from '../support/temporary.js'

const script = join(dirname(fileURLToPath(import.meta.url)), '../../scripts/citations.js')

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  return inTemporary('citations', async (dir) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
    }
    const { stdout, status } = spawnSync(process.execPath, [script, dir], { encoding: 'utf8' })
    const lines = stdout.trim().split('\n').slice(0, -1)
    expect(status).toBe(lines.length > 0 ? 1 : 0)
    return lines
  })
}

const page = '# Rules\n\n## Plan gate\n\ntext\n\n```\n## Not a heading\n```\n'

test('a page and its headings may be cited, over several lines and several at once', async () => {
  const problems = await problemsOf({
    'docs/rules.md': `${page}\n## Commits\n`,
    'source/a.ts': [
      '// The gate (docs/rules.md, "Plan gate"; and docs/rules.md).',
      `const x = 1 ${'//'} docs/rules.md, "Plan gate" and "Commits"`,
      '/**',
      ' * A long one: docs/rules.md,',
      ' * "Plan gate".',
      ' */',
      "export const url = 'docs/nothing.md'",
    ].join('\n'),
  })
  expect(problems).toEqual([])
})

test('what does not exist is named with its place', async () => {
  const problems = await problemsOf({
    'docs/rules.md': page,
    'source/a.ts': '// docs/rules.md, "Commits"\n\nconst x = 1\n/** docs/gone.md */\n',
    'test/b.test.tsx': '// docs/rules.md, "Not a heading"\n',
  })
  expect(problems).toEqual([
    'source/a.ts:1  cites "Commits", which docs/rules.md does not have',
    'source/a.ts:4  cites docs/gone.md, which is not there',
    'test/b.test.tsx:1  cites "Not a heading", which docs/rules.md does not have',
  ])
})

test('documents that are not in the repository, and numbers of sections, are not cited', async () => {
  const outside = ['harness', 'design'].map((name) => `${name}.md`)
  const problems = await problemsOf({
    'source/a.ts': `// ${outside[0]} ${'section'} 2.2\n\nconst x = 1\n// ${outside[1]}\nconst y = 1\n/* rules of ${'section'} 4 */\n`,
  })
  expect(problems.map((line) => line.split('  ')[0])).toEqual([
    'source/a.ts:1',
    'source/a.ts:4',
    'source/a.ts:6',
  ])
})

test('links between the pages lead somewhere', async () => {
  const problems = await problemsOf({
    'docs/rules.md': page,
    'docs/deep/more.md':
      '[a](../rules.md#plan-gate) [b](../rules.md#commits) [c](gone.md) `[d](<slug>/e.md)`\n',
  })
  expect(problems).toEqual([
    'docs/deep/more.md  links to docs/rules.md#commits, which is not there',
    'docs/deep/more.md  links to docs/deep/gone.md, which is not there',
  ])
})
