import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  appendLearnings,
  countLearnings,
  learningEntries,
  promotable,
} from '../../source/documents/learnings.js'

// The fixture pair: a session file, and a project file into which the upstream program promoted it.

const file = (name: string) => readFileSync(new URL(`../fixtures/learnings/${name}`, import.meta.url), 'utf8')
const session = file('session.md')
const byUpstream = file('global-after-upstream.md')

/** What the upstream program promotes: entries without blank lines, skipped when their text is in the file already. */
function upstreamPromotes(from: string, into: string): string[] {
  const entries: string[][] = []
  for (const line of from.split('\n')) {
    if (line.startsWith('# ') || /^<!-- hash:.*-->/.test(line)) continue
    if (/^- \*\*\d{4}-\d{2}-\d{2}|^## \d{4}-\d{2}-\d{2}/.test(line)) entries.push([line])
    else if (line.trim() !== '') entries.at(-1)?.push(line)
  }
  return entries
    .map((lines) => lines.join('\n'))
    .filter(
      (entry) => /\[outcome:(gotcha|decision|observation)\]/.test(entry) && !into.includes(entry.trim()),
    )
}

it('blank lines do not belong to an entry', () => {
  expect(learningEntries(session).map(({ line, text }) => [line, text.split('\n').length])).toEqual([
    [3, 3],
    [10, 2],
    [14, 1],
  ])
  expect(countLearnings(byUpstream)).toBe(3)
})

it('promotes nothing that the upstream program promoted', () => {
  expect(upstreamPromotes(session, file('global-before.md'))).toHaveLength(2)
  expect(promotable(session, byUpstream)).toEqual({ promoted: [], kept: 3 })
})

it('leaves nothing for the upstream program to promote again', () => {
  const before = file('global-before.md')
  const { promoted, kept } = promotable(session, before)
  const after = appendLearnings(before, promoted)
  expect([promoted.length, kept]).toEqual([2, 1])
  expect(after).toBe(byUpstream)
  expect(upstreamPromotes(session, after)).toEqual([])
})

it('knows an entry that stands in the project file with blank lines in it', () => {
  const spread = byUpstream.replace('- [skill:harness-autopilot] [outcome:complete]', '\n$&')
  expect(spread).not.toBe(byUpstream)
  expect(promotable(session, spread).promoted).toEqual([])
})
