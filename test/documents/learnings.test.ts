import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
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

describe('odd pairs of files', () => {
  const entries = [
    '## 2030-04-03 — Autopilot: Mail rules\n- [skill:a] [outcome:complete] Executed 2 phases, 11 tasks, 1 retries\n- [skill:a] [outcome:observation] Slow tests',
    '- **2030-04-02 [skill:harness-execution] [outcome:gotcha]:** Dates are *locale*-bound',
    '- **2030-04-02 [skill:harness-execution] [outcome:gotcha]:** Dates are *locale*-bound in 2 places',
    '- **2030-04-01 [skill:a] [outcome:decision]:** Keep it  \n  in one file\n\n  and no other',
    '- **2030-04-01 [skill:a] [outcome:success]:** Not kept',
  ]
  const text = `# Learnings\n\n${entries.join('\n\n')}\n`
  const sessions: [string, string][] = [
    ['usual', text],
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['mixed', text.replaceAll('\n-', '\r\n-')],
    ['blanks at the ends of lines', text.replaceAll('\n', ' \t\n')],
    ['no blank line between', text.replaceAll('\n\n', '\n')],
    ['many blank lines', text.replaceAll('\n\n', '\n\n \n\n')],
    ['no last line end', text.trimEnd()],
    ['each twice, hashes between', `${text}<!-- hash:abc -->\n${text}`],
  ]
  const projects: [string, string | undefined][] = [
    ['none', undefined],
    ['a title', '# Learnings\n'],
    ['CRLF', '# Learnings\r\n\r\n- **2029-01-01 [skill:a] [outcome:gotcha]:** Old\r\n'],
    ['no last line end', '# Learnings\n\n- **2029-01-01 [skill:a] [outcome:gotcha]:** Old'],
  ]
  const pairs = sessions.flatMap(([one, session]) =>
    projects.map(([other, project]) => ({ names: `${one}, ${other}`, session, project })),
  )
  const upstream = (from: string, into: string) => {
    const promoted = upstreamPromotes(from, into)
    return promoted.length === 0 ? into : `${into.trimEnd()}\n\n${promoted.join('\n\n')}\n`
  }

  it.each(pairs)('$names: ours, then upstream, then ours', ({ session: from, project }) => {
    const { promoted } = promotable(from, project ?? '')
    expect(promoted).toHaveLength(4)
    const after = appendLearnings(project, promoted)
    expect(after.startsWith(project ?? '')).toBe(true)
    expect(upstreamPromotes(from, after)).toEqual([])
    expect(promotable(from, after).promoted).toEqual([])
  })

  it.each(pairs)('$names: upstream, then ours', ({ session: from, project }) => {
    const after = upstream(from, project ?? '# Learnings\n')
    expect(promotable(from, after).promoted).toEqual([])
  })

  it('an editor that took blanks away, or a checkout with other line ends, makes no entry new', () => {
    const spaced = text.replaceAll('\n', '  \n')
    const after = appendLearnings(undefined, promotable(spaced, '').promoted)
    const tidied = after.replace(/[ \t]+$/gm, '')
    expect(tidied).not.toBe(after)
    expect(promotable(spaced, tidied).promoted).toEqual([])
    expect(promotable(spaced, tidied.replaceAll('\n', '\r\n')).promoted).toEqual([])
  })
})
