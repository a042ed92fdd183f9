import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendFailure } from '../../source/documents/failures.js'
import {
  appendLearnings,
  countLearnings,
  learningEntries,
  promotable,
} from '../../source/documents/learnings.js'
import { upsertSession } from '../../source/documents/session-index.js'
import { writeSummary } from '../../source/documents/summary.js'

const learnings = `# Learnings
lost
## 2030-04-03 — Autopilot: Mail rules
- [skill:harness-autopilot] [outcome:complete] Executed 2 phases
- [skill:harness-autopilot] [outcome:observation] Slow

<!-- hash:abc123 -->
- **2030-04-02 [skill:harness-execution] [outcome:gotcha]:** Locale
  more
- **2030-04-01 [skill:x] [outcome:success]:** Fine
`

describe('learnings', () => {
  it('are entries with the lines that belong to them', () => {
    expect(learningEntries(learnings)).toMatchObject([
      { line: 3, text: expect.stringMatching(/^## 2030-04-03[\s\S]*Slow$/) },
      { line: 8, text: '- **2030-04-02 [skill:harness-execution] [outcome:gotcha]:** Locale\n  more' },
      { line: 10, text: '- **2030-04-01 [skill:x] [outcome:success]:** Fine' },
    ])
    expect(countLearnings(learnings.replaceAll('\n', '\r\n'))).toBe(3)
    expect(countLearnings('')).toBe(0)
    expect(countLearnings('- **not a date** x\n### 2030-01-01\n')).toBe(0)
  })

  it('promote what is worth keeping, once', () => {
    const first = promotable(learnings, '')
    expect(first.promoted.map((text) => text.slice(0, 14))).toEqual(['## 2030-04-03 ', '- **2030-04-02'])
    expect(first.kept).toBe(1)
    const global = appendLearnings(undefined, first.promoted)
    expect(global.startsWith('# Learnings\n\n## 2030-04-03')).toBe(true)
    expect(global).toContain('Slow\n\n- **2030-04-02')
    expect(countLearnings(global)).toBe(2)
    expect(promotable(learnings, global)).toEqual({ promoted: [], kept: 3 })
    expect(promotable(learnings.replaceAll('\n', '\r\n'), global.replaceAll('\n', '\r\n')).promoted).toEqual(
      [],
    )
  })

  it('keep every byte that was there', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '\n', '\r\n', '\n\n'), (text, end) => {
        const before = `\uFEFFx${text}${end}`
        expect(appendLearnings(before, ['## 2030-01-01 — a\n- b']).startsWith(before)).toBe(true)
        expect(
          appendFailure(before, {
            date: '2030-01-01',
            skill: 's',
            type: 'blocked',
            task: 't',
            attempts: [],
          }).startsWith(before),
        ).toBe(true)
      }),
    )
  })
})

describe('failures', () => {
  const failure = {
    date: '2030-04-02',
    skill: 'harness-autopilot',
    type: 'dead-end' as const,
    task: 'Task 2',
  }

  it('are one line each, in a file with a title', () => {
    const once = appendFailure(undefined, { ...failure, attempts: ['null check', 'retry\n  twice', 'mock'] })
    expect(once).toBe(
      '# Failures\n\n- **2030-04-02 [skill:harness-autopilot] [type:dead-end]:** Task 2: null check | retry twice | mock\n',
    )
    expect(appendFailure(once, { ...failure, attempts: ['x'] })).toBe(
      `${once}\n- **2030-04-02 [skill:harness-autopilot] [type:dead-end]:** Task 2: x\n`,
    )
  })
})

describe('summary.md', () => {
  const summary = {
    session: 'changes--mail-rules--proposal',
    lastActive: '2030-04-02T10:00:00Z',
    skill: 'harness-autopilot',
    phase: '1 of 2',
    status: 'Phase 1 complete. 6/11 tasks.',
    spec: 'docs/changes/mail-rules/proposal.md',
    plan: 'docs/plans/2030-04-02-rule-parser-plan.md',
    keyContext: 'Parser done.',
    nextStep: 'Continue to Phase 2: UI',
  }

  it('is written exactly', () => {
    expect(writeSummary(summary)).toBe(`## Session Summary

**Session:** changes--mail-rules--proposal
**Last active:** 2030-04-02T10:00:00Z
**Skill:** harness-autopilot
**Phase:** 1 of 2
**Status:** Phase 1 complete. 6/11 tasks.
**Spec:** docs/changes/mail-rules/proposal.md
**Plan:** docs/plans/2030-04-02-rule-parser-plan.md
**Key context:** Parser done.
**Next step:** Continue to Phase 2: UI
`)
  })

  it('leaves out empty phase, spec and plan, and keeps one line per field', () => {
    const text = writeSummary({ ...summary, phase: undefined, spec: '', plan: undefined, keyContext: 'a\nb' })
    expect(text).not.toMatch(/Phase:\*\*|Spec:|Plan:/)
    expect(text).toContain('**Key context:** a b\n')
  })
})

describe('the index of sessions', () => {
  it('starts with a title, replaces the line of a session, appends another', () => {
    const one = upsertSession(undefined, 'a', 'autopilot, phase 1 of 2. (2030-04-02)')
    expect(one).toBe('## Active Sessions\n\n- [a](a/summary.md) — autopilot, phase 1 of 2. (2030-04-02)\n')
    const two = upsertSession(one, 'a--b', 'x')
    expect(two).toBe(`${one}- [a--b](a--b/summary.md) — x\n`)
    expect(upsertSession(two, 'a', 'y')).toBe(
      '## Active Sessions\n\n- [a](a/summary.md) — y\n- [a--b](a--b/summary.md) — x\n',
    )
  })

  it('appends after the last line that is not empty, in the ending of the file', () => {
    expect(upsertSession('## Active Sessions\r\n\r\n- [a] x\r\n\r\n\r\n', 'b', 'y')).toBe(
      '## Active Sessions\r\n\r\n- [a] x\r\n- [b](b/summary.md) — y\r\n\r\n\r\n',
    )
    expect(upsertSession('- [a] x', 'b', 'y')).toBe('- [a] x\n- [b](b/summary.md) — y')
    expect(upsertSession('## Active Sessions\n', 'b', 'y')).toBe(
      '## Active Sessions\n\n- [b](b/summary.md) — y\n',
    )
    expect(upsertSession('\uFEFF- [a] x\n', 'a', 'y')).toBe('\uFEFF- [a](a/summary.md) — y\n')
  })

  it('is the same when the same is put in twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = upsertSession(text, 'slug', 'account')
        expect(upsertSession(once, 'slug', 'account')).toBe(once)
      }),
    )
  })
})
