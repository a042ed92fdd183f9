import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Handoff,
  type HandoffFields,
  planPathsOf,
  readHandoff,
  writeHandoff,
} from '../../source/documents/handoff.js'

const mtime = '2030-01-01T00:00:00.000Z'

function read(value: unknown) {
  const reading = readHandoff(typeof value === 'string' ? value : JSON.stringify(value), mtime)
  if ('unreadable' in reading) throw new Error(reading.unreadable)
  return reading
}

const strict = {
  timestamp: '2030-04-03T15:00:00Z',
  fromSkill: 'harness-autopilot',
  phase: 'DONE',
  summary: 'Done',
}

describe('reading', () => {
  it('takes a strict file as it is, other keys or none', () => {
    expect(read(strict)).toMatchObject({
      strict: true,
      warnings: [],
      normalised: { ...strict, completed: [], decisions: [] },
    })
    expect(read({ ...strict, extra: 1, decisions: [{ what: 'a', why: 'b' }] }).strict).toBe(true)
  })

  it.each([
    ['a missing timestamp', { ...strict, timestamp: undefined }],
    ['a missing phase', { ...strict, phase: undefined }],
    ['decisions as texts', { ...strict, decisions: ['a'] }],
    ['tasks as objects', { ...strict, completed: [{ task: 'a' }] }],
    ['a number as phase', { ...strict, phase: 1 }],
  ])('is not strict with %s, but readable and with a warning', (_, value) => {
    expect(read(value).strict).toBe(false)
    expect(read(value).warnings).not.toEqual([])
  })

  it('fills in what real skills leave out or name otherwise', () => {
    const { normalised } = read({
      fromSkill: 'harness-execution',
      summary: 'See docs/plans/a-plan.md',
      pendingTasks: ['Task 3'],
      completedTasks: ['Task 1', { task: 'Task 2', commit: 'abc' }],
      decisions: ['one', { decision: 'two', context: 'why' }],
      plan: 'docs/plans/b-plan.md',
      artifacts: { plan: 'docs/changes/x/plans/c.md', other: ['src/a.ts'] },
      learnings: 'a thing',
      checkpoint: { type: 'decision', task: 'Task 2', prompt: 'Which?', options: ['a', 'b'] },
    })
    expect(normalised).toMatchObject({
      timestamp: mtime,
      phase: '',
      pending: ['Task 3'],
      completed: ['Task 1', 'Task 2'],
      decisions: [
        { what: 'one', why: '' },
        { what: 'two', why: 'why' },
      ],
      planPath: 'docs/plans/b-plan.md',
      artifacts: ['docs/changes/x/plans/c.md', 'src/a.ts'],
      learnings: ['a thing'],
      checkpoint: { type: 'decision', task: 'Task 2', prompt: 'Which?', options: ['a', 'b'] },
    })
    expect(planPathsOf(normalised)).toEqual([
      'docs/plans/b-plan.md',
      'docs/changes/x/plans/c.md',
      'docs/plans/a-plan.md',
    ])
  })

  it('keeps what verification and review say', () => {
    const { normalised } = read({
      ...strict,
      verdict: 'PASS',
      gaps: ['g'],
      assessment: 'approve',
      findingCount: { critical: 1 },
    })
    expect(normalised).toMatchObject({
      verdict: 'pass',
      gaps: ['g'],
      assessment: 'approve',
      findingCount: { critical: 1 },
    })
    expect(read({ ...strict, verdict: 'mostly' }).normalised.verdict).toBeUndefined()
    expect(read({ ...strict, verdict: 'incomplete' }).normalised.verdict).toBe('incomplete')
  })

  it.each(['', '{', '[]', 'null', '"x"'])('says that %j is unreadable', (text) => {
    expect(readHandoff(text, mtime)).toHaveProperty('unreadable')
  })

  it('never crashes on any JSON', () => {
    const key = fc.constantFrom(
      'timestamp',
      'fromSkill',
      'completed',
      'decisions',
      'artifacts',
      'checkpoint',
      'verdict',
      'plan',
      'finalReview',
    )
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (value) => {
        const { normalised } = read(value)
        for (const list of [
          normalised.completed,
          normalised.pending,
          normalised.concerns,
          normalised.artifacts ?? [],
        ]) {
          for (const item of list) expect(typeof item).toBe('string')
        }
      }),
    )
  })
})

describe('writing', () => {
  it('is strict and reads back equal', () => {
    const texts = fc.array(fc.string(), { maxLength: 3 })
    const fields: fc.Arbitrary<HandoffFields> = fc.record(
      {
        timestamp: fc.string(),
        fromSkill: fc.string(),
        phase: fc.string(),
        summary: fc.string(),
        completed: texts,
        pending: texts,
        concerns: texts,
        blockers: texts,
        contextKeywords: texts,
        decisions: fc.array(fc.record({ what: fc.string(), why: fc.string() }), { maxLength: 3 }),
        planPath: fc.string({ minLength: 1 }),
        finalReview: fc.record({ status: fc.string(), findingsCount: fc.nat() }),
      },
      { requiredKeys: ['timestamp', 'fromSkill', 'phase', 'summary'] },
    )
    const empty: Partial<Handoff> = {
      completed: [],
      pending: [],
      concerns: [],
      decisions: [],
      blockers: [],
      contextKeywords: [],
    }
    fc.assert(
      fc.property(fields, (written) => {
        const reading = read(writeHandoff(written))
        expect(reading).toEqual({ strict: true, warnings: [], normalised: { ...empty, ...written } })
      }),
    )
  })

  it('has two spaces and a final newline', () => {
    expect(writeHandoff(strict)).toMatch(/^\{\n {2}"timestamp": "2030-04-03T15:00:00Z",\n/)
    expect(writeHandoff(strict).endsWith('\n}\n')).toBe(true)
  })
})

it('concerns that are records are told by what they are about', () => {
  const text = JSON.stringify({
    fromSkill: 'harness-planning',
    concerns: [{ concern: 'too large' }, { risk: 'no tests', severity: 'high' }, { issue: 'slow' }],
  })
  expect(readHandoff(text, 't')).toMatchObject({
    normalised: { concerns: ['too large', 'no tests', 'slow'] },
  })
})
