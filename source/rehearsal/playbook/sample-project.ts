import { writeSampleProject } from '../write-sample.js'

// The project of the playbook demo: a reading list with a roadmap of three phases. The first of them is done, and nobody
// has ticked it.

export const sampleSubject = '.planning'

const roadmap = `# Roadmap

- [ ] **Phase 1: Shelf** - books in their order
- [ ] **Phase 2: Progress** - how far one has read
- [ ] **Phase 3: Report** - the shelf on one page

### Phase 1: Shelf

**Goal**: Books stand in the order of their titles, each once
**Depends on**: Nothing
**Requirements**: SHELF-1
**Success Criteria**:
1. The shelf sorts its books -- verified by: \`node --test test/shelf.test.mjs\`
2. The shelf is part of the library -- verified by: \`grep -c shelf source/index.mjs\` (at least 1)

### Phase 2: Progress

**Goal**: Of every book one can tell how much of it is read
**Depends on**: Phase 1
**Requirements**: PROG-1, PROG-2
**Success Criteria**:
1. Progress is told in per cent -- verified by: \`node --test test/progress.test.mjs\`
2. Progress is part of the library -- verified by: \`grep -c progress source/index.mjs\` (at least 1)

### Phase 3: Report

**Goal**: The shelf is printed with a bar for each book
**Depends on**: Phase 2
**Requirements**: REP-1
**Success Criteria**:
1. The report has a line for each book -- verified by: \`node --test test/report.test.mjs\`
2. The report is part of the library -- verified by: \`grep -c report source/index.mjs\` (at least 1)
`

const requirements = `# Requirements

- SHELF-1: books are sorted by title, and a title stands there once.
- PROG-1: how much of a book is read is told in whole per cent.
- PROG-2: a book whose pages nobody has counted is at 0.
- REP-1: the report has one line for each book, and all bars begin in the same column.
`

/** No program but node is needed for the commands of this project. */
const config = `${JSON.stringify(
  {
    project: {
      type: 'nodejs',
      manifest: 'package.json',
      commands: { compile: 'node source/index.mjs', test: 'node --test', lint: null, build: null },
      commands_source: 'user-override',
    },
  },
  null,
  2,
)}\n`

const shelf = `/** The books in the order of their titles, each title once. */
export function shelfOf(books) {
  const byTitle = new Map(books.map((book) => [book.title, book]))
  return [...byTitle.values()].sort((one, other) => one.title.localeCompare(other.title))
}
`

const shelfTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shelfOf } from '../source/shelf.mjs'

test('sorts by title, and keeps each title once', () => {
  const titles = shelfOf([{ title: 'Walden' }, { title: 'Emma' }, { title: 'Emma' }]).map(({ title }) => title)
  assert.deepEqual(titles, ['Emma', 'Walden'])
})
`

const files = [
  {
    path: 'package.json',
    text: '{\n  "name": "reading-list",\n  "type": "module",\n  "private": true\n}\n',
  },
  { path: '.gitignore', text: '.autopilot/\n' },
  { path: 'source/index.mjs', text: "export { shelfOf } from './shelf.mjs'\n" },
  { path: 'source/shelf.mjs', text: shelf },
  { path: 'test/shelf.test.mjs', text: shelfTest },
]

const planning = [
  { path: '.planning/ROADMAP.md', text: roadmap },
  { path: '.planning/REQUIREMENTS.md', text: requirements },
  { path: '.planning/config.json', text: config },
]

/** Writes it into an empty or absent folder. */
export async function createSampleProject(dir: string): Promise<void> {
  await writeSampleProject(dir, [
    { message: 'A shelf of books', files },
    { message: 'Plan what the reading list is to do', files: planning },
  ])
}
