import { expect, test } from 'vitest'
import { filesOfSpec } from '../../source/documents/task-spec-files.js'

// What a task's own document names as its files (docs/lifecycle.md, "The worker").

test.each<[string, string, string[]]>([
  ['a field with commas', '**Files**: `src/a.js`, src/b.js\n\nOther src/c.js\n', ['src/a.js', 'src/b.js']],
  ['a field with its colon inside', '- **Files:** src/a.js (new)\n- **Owner:** me/you.md\n', ['src/a.js']],
  [
    'a field with a list below',
    'Files:\n- Create `src/a.js`\n- Modify src/b.js: two lines\n\n- src/c.js\n',
    ['src/a.js', 'src/b.js'],
  ],
  [
    'a section, with one in it of files that are only read',
    '# T\n\n## Files\n\nThese two:\n\n- src/a.js\n\n### Tests\n1. test/a.test.js\n\n### Files to read\n- src/other.js\n\n## Scope\n- src/never.js\n',
    ['src/a.js', 'test/a.test.js'],
  ],
  ['a table', '## Files to change\n\n| File | Why |\n|---|---|\n| `src/a.js` | it is new |\n', ['src/a.js']],
  ['a fence', '### Affected files\n```\nsrc/a.js\nsrc/b.js\n```\n', ['src/a.js', 'src/b.js']],
  ['CRLF', '**Files**: src/a.js\r\n', ['src/a.js']],
  ['nothing', '**Files**: none\n\n## Files not touched\n- src/a.js\n\nThe files: see src/b.js\n', []],
  ['no field at all', '# T\n\nChange src/a.js.\n', []],
])('from %s', (_, text, files) => {
  expect(filesOfSpec(text)).toEqual(files)
})
