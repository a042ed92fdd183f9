import { expect, it } from 'vitest'
import { createLines } from '../../../source/ui/plain/lines.js'

function linesOf(unicode: boolean) {
  const written: string[] = []
  const files: string[] = []
  const lines = createLines({
    out: (text) => void files.push(text),
    terminal: {
      write: (text) => void written.push(text),
      isStdout: false,
      columns: () => 80,
      close: () => undefined,
    },
    wantsWords: false,
    unicode,
  })
  return { lines, written, files }
}

const said = 'Start implementation? \u2014 it\u2019s the longest\u2026'

it('a terminal without Unicode gets the forms of ASCII, and a file what was said', () => {
  const { lines, written, files } = linesOf(false)
  lines.show([said])
  expect(written.join('')).toContain("Start implementation? - it's the longest~")
  expect(files.join('')).toContain(said)
})

it('a terminal with Unicode gets what was said', () => {
  const { lines, written } = linesOf(true)
  lines.show([said])
  expect(written.join('')).toContain(said)
})
