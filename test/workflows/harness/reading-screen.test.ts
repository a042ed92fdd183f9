import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSpec } from '../../../source/documents/spec.js'
import { readingLines } from '../../../source/workflows/harness/opening/read-phases.js'

// The reading screen leaves nothing out: every line that looks like a phase is on it as read, switched off, unused, unread
// or in a comment (docs/harness.md, "Spec grammar").

const folder = new URL('../../fixtures/cases/specs/', import.meta.url)
const shaped = /^\s*(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+)?(?:\*\*|__|~~)*\s*Phase\s*[\dA-Z]/i

/** Lines outside of fences that are closed. */
function shapedLines(text: string): number[] {
  const lines = text.split('\n')
  const fences = lines.flatMap((line, index) => (/^\s*(?:```|~~~)/.test(line) ? [index] : []))
  const inFence = (index: number) =>
    fences.some((start, at) => at % 2 === 0 && index > start && index < (fences[at + 1] ?? -1))
  return lines.flatMap((line, index) => (shaped.test(line) && !inFence(index) ? [index + 1] : []))
}

test.each(readdirSync(folder).filter((name) => name.endsWith('.md')))('%s', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8')
  const screen = readingLines(readSpec(text)).join('\n')
  const missing = shapedLines(text).filter((line) => !new RegExp(`\\bline ${line}\\b`, 'i').test(screen))
  expect(missing).toEqual([])
})
