import { describe, expect, test } from 'vitest'
import { compareMarkdown } from '../../source/documents/compare-markdown.js'

const plan = `# Plan

Some words that
are wrapped.

- [ ] 1.1 First task
  - Files: \`a.ts\`
- [ ] 1.2 Second task

| A | B |
|---|---|
| 1 | 2 |

\`\`\`sh
npm test
  deeper
\`\`\`
`

describe('the same content', () => {
  const layouts: [string, string][] = [
    ['wraps', plan.replace('that\nare', 'that are')],
    ['bullets', plan.replace(/^( *)- /gm, '$1* ')],
    ['blank lines', plan.replace('# Plan\n\n', '# Plan\n\n\n')],
    ['line ends', plan.replaceAll('\n', '\r\n')],
    ['marks of a fence', plan.replaceAll('```', '~~~~')],
    ['an underlined heading', plan.replace('# Plan', 'Plan\n====')],
    ['cells of a table', plan.replace('| 1 | 2 |', '|  1  |  2 |').replace('|---|---|', '| --- | --- |')],
    ['indent of a list', plan.replace(/^ {2}- Files/gm, '    - Files')],
  ]
  test.each(layouts)('%s', (_, text) => {
    expect(text).not.toBe(plan)
    expect(compareMarkdown(plan, text)).toBe('layout')
  })

  test('ticks, also with another layout', () => {
    const ticked = plan.replace('[ ] 1.1', '[x] 1.1')
    expect(compareMarkdown(plan, ticked)).toBe('ticks')
    expect(compareMarkdown(plan, ticked.replace(/^- /gm, '* '))).toBe('ticks')
    expect(compareMarkdown(ticked, ticked.replace('[x]', '[X]'))).toBe('layout')
  })

  test('the same bytes', () => {
    expect(compareMarkdown(plan, plan)).toBe('same')
  })
})

describe('other content', () => {
  const contents: [string, string][] = [
    ['a word', plan.replace('First', 'Last')],
    ['a task more', plan.replace('- [ ] 1.2', '- [ ] 1.15 New\n- [ ] 1.2')],
    ['a task less', plan.replace('- [ ] 1.2 Second task\n', '')],
    ['tasks in another order', plan.replace(/(- \[ \] 1\.1[\s\S]*?)(- \[ \] 1\.2.*\n)/, '$2$1')],
    ['no box any more', plan.replace('- [ ] 1.1', '- 1.1')],
    ['code', plan.replace('npm test', 'npm test || true')],
    ['indent in code', plan.replace('  deeper', '      deeper')],
    ['a level of a heading', plan.replace('# Plan', '## Plan')],
    ['a task in a comment', plan.replace('- [ ] 1.2 Second task', '<!-- - [ ] 1.2 Second task -->')],
    ['a marker of a checkpoint', plan.replace('First task', 'First task [human-verify]')],
    ['a tick and a word', plan.replace('[ ] 1.1 First', '[x] 1.1 Last')],
    ['a cell', plan.replace('| 1 | 2 |', '| 1 | 3 |')],
  ]
  test.each(contents)('%s', (_, text) => {
    expect(text).not.toBe(plan)
    expect(compareMarkdown(plan, text)).toBe('content')
  })
})
