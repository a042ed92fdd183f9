import { expect, test } from 'vitest'
import { saysNothing, saysSomething } from '../../source/documents/says-something.js'

test.each([
  '',
  '-',
  'None',
  'none.',
  'N/A',
  'No gaps found.',
  'No blockers',
  'Nothing to report',
  'no known issues',
])('an entry of a list that says that there is none: %s', (text) => expect(saysNothing(text)).toBe(true))

test.each([
  'No tests were written.',
  'No error handling',
  'none of the tests pass',
  'Nothing rounds.',
  'Task 2',
  'no'.repeat(60),
])('an entry that says something: %s', (text) => expect(saysNothing(text)).toBe(false))

test.each([
  '# Report\n\nTBD\n',
  '# Report\n\n## Risks\n- TODO\n- [ ] tbd.\n\n*To be written later*\n',
  '# Report\n\n<!--\nIt is all here.\n-->\n',
  '---\ntitle: Report\nstatus: done\n---\n\n# Report\n',
  '\uFEFF# Report\n\n\u200b\u200b &nbsp; \u00a0\n',
  '# Report\n\n```mermaid\n```\n\n~~~\n\n~~~\n',
  '# Report\n\n> Version: {{version}}\n\n<Describe it in one paragraph.>\n\n- [ ] <risk one>\n- ...\n',
  '# Report\n\n| Component | Purpose |\n|-----------|---------|\n| <name> | <purpose> |\n| ... | |\n',
  '# Report\n\n| Criterion | Test |\n|---|---|\n',
  '# Report\n\nCriterion | Test\n--- | :---:\n',
  '# Report\n\nThis document will be written later.\n',
  '# Report\n\nThe section is still to be completed soon.\n\n**Status**: TBD\n',
  '# Bericht\n\nFolgt noch.\n\n## Risiken\n\nWird noch ergänzt.\n\nTexte folgen\n',
  '# Rapport\n\nÀ compléter\n\n# Informe\n\nPendiente de completar\n',
  '<br>\n<div align>\n</div>\n',
  '\0'.repeat(200),
  'PK\u0003\u0004\0\0 words',
  'Report\n======\n\nParts\n-----\n',
  '# Report\r\n\r\n> Coming soon...\r\n<!-- what is to be said -->\r\n[one paragraph]\r\n',
])('a document that only keeps a place for what is to come says nothing: %j', (text) =>
  expect(saysSomething(text)).toBe(false),
)

test.each([
  'x',
  '# Restrictions\n\nNone\n',
  'TODO: call the bank',
  'The todo list is kept in a file.',
  '- [x] done',
  Buffer.from('\uFEFFOne function.\r\n', 'utf16le').toString('utf8'),
  '# Lösung\n\nEine Funktion je Skala.\n',
  '# 解決策\n\n各温度目盛りに一つの関数。\n',
  '# Solution\n\n```mermaid\ngraph TD; A-->B\n```\n',
  '| Part | Why |\n|---|---|\n| scales.js | one function each |\n',
  '| Part | Why |\n|---|---|\n| scales.js | TBD |\n',
  '---\ntitle: Solution\n---\n\nOne function.\n',
  '---\n\nOne function, behind a rule.\n\n---\n',
  'One function.\n\n---\ntitle: no front matter\n---\n',
  '<!-- the parts -->\nOne function.\n<!-- and no more',
  '<!--\nparts\n--> One function.\n',
  '<details><summary>All of it</summary>\n\nOne function.\n\n</details>\n',
  '- Promise<number>\n',
  '- <T> is the scale\n',
  '- <https://example.invalid/paper>\n',
  '<img src="picture.png">\n',
  'What follows is a list of scales.\n',
  'The report will be written by the bank.\n',
  'Die Skala folgt dem Gefrierpunkt.\n',
  'Status: complete\n',
  '# Report\n\n**Date**: 2026-03-01\n',
  'Title without a body\nand a second line\n',
])('a document that says something: %j', (text) => expect(saysSomething(text)).toBe(true))

test.each([
  'None.',
  'No gaps identified; all acceptance criteria are met',
  '✅ None',
  '(none)',
  '[]',
  'None - everything matches the plan',
  'No blocking gaps',
  'There are no gaps.',
])('an entry that says that there is nothing: %j', (text) => expect(saysNothing(text)).toBe(true))

test.each([
  'FAIL',
  '❌',
  'No tests for rankine',
  'none of the tests pass',
  'None: all tests fail',
  'Nothing works',
  'No gaps; everything but rankine is met',
  'There is no test for rankine',
])('an entry that says something: %j', (text) => expect(saysNothing(text)).toBe(false))
