// The code that the roles of the rehearsal write: with the faults that an honest first try has.

/** Wrong for a book whose pages nobody has counted. */
export const progressSource = `/** How much of a book is read, in whole per cent. */
export function progressOf({ pages, read }) {
  return Math.round((read / pages) * 100)
}
`

export const progressTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressOf } from '../source/progress.mjs'

test('half a book is 50, a third 33', () => {
  assert.equal(progressOf({ pages: 200, read: 100 }), 50)
  assert.equal(progressOf({ pages: 300, read: 100 }), 33)
})
`

/** The same, right for that book too, with a test of it. */
export const withoutPages = [
  {
    path: 'source/progress.mjs',
    text: `/** How much of a book is read, in whole per cent; a book without counted pages is at 0. */
export function progressOf({ pages, read = 0 }) {
  return pages ? Math.round((read / pages) * 100) : 0
}
`,
  },
  {
    path: 'test/progress.test.mjs',
    text: `${progressTest}
test('a book without counted pages is at 0', () => {
  assert.equal(progressOf({ read: 12 }), 0)
})
`,
  },
]

/** `width`: the expression for the column of titles. A fixed number is wrong for longer titles. */
export const reportSource = (width: string) => `import { progressOf } from './progress.mjs'
import { shelfOf } from './shelf.mjs'

/** One line for each book: its title, and a bar of ten characters. */
export function reportOf(books) {
  const width = Math.max(...books.map(({ title }) => title.length))
  return shelfOf(books)
    .map((book) => \`\${book.title.padEnd(${width})} \${barOf(progressOf(book))}\`)
    .join('\\n')
}

function barOf(progress) {
  const full = Math.round(progress / 10)
  return '#'.repeat(full) + '.'.repeat(10 - full)
}
`

export const reportTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportOf } from '../source/report.mjs'

test('has a line for each book', () => {
  const report = reportOf([{ title: 'Walden', pages: 2, read: 1 }, { title: 'Emma', pages: 1, read: 1 }])
  assert.deepEqual(report.split('\\n').map((line) => line.split(' ')[0]), ['Emma', 'Walden'])
})
`
