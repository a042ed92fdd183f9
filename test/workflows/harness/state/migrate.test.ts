import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../../source/problem.js'
import { nextOpenPhase } from '../../../../source/workflows/harness/phases.js'
import { type Migration, migrate } from '../../../../source/workflows/harness/state/migrate.js'
import { askLine } from '../../../../source/workflows/harness/state/migration-ask.js'
import { harnessStateSchema } from '../../../../source/workflows/harness/state/state.js'

const context = { sessionDir: '.harness/sessions/s', head: 'abc123' }
const read = (raw: unknown): Migration => migrate(raw, context)

type Raw = Record<string, unknown>
const phase = (more: Raw = {}): Raw => ({
  name: 'Rule parser',
  complexity: 'low',
  complexityOverride: null,
  planPath: null,
  status: 'pending',
  ...more,
})
const v5 = (more: Raw = {}): Raw => ({
  schemaVersion: 5,
  sessionDir: '.harness/sessions/changes--mail-rules--proposal',
  specPath: 'docs/changes/mail-rules/proposal.md',
  startingCommit: '4be1c09',
  reviewPlans: false,
  rigorLevel: 'standard',
  currentState: 'EXECUTE',
  currentPhase: 0,
  awaitingInteractivePlan: false,
  phases: [phase({ status: 'in-progress', planPath: 'docs/plans/a-plan.md' }), phase({ name: 'UI' })],
  retryBudget: {
    maxAttempts: 3,
    currentTask: {
      name: 'Task 2',
      attemptsUsed: 1,
      attempts: [{ timestamp: '2030-04-02T09:10:00Z', error: '2 red', fix: 'null check', result: 'failed' }],
    },
  },
  history: [],
  decisions: [],
  finalReview: { status: 'pending', findings: [], retryCount: 0 },
  ...more,
})
const without = (raw: Raw, ...keys: string[]): Raw =>
  Object.fromEntries(Object.entries(raw).filter(([key]) => !keys.includes(key)))
const closed = [phase({ status: 'complete' }), phase({ status: 'skipped' })]
const half = [phase({ status: 'complete' }), phase({ status: 'pending' })]

function problem(action: () => unknown): Problem {
  try {
    action()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('no problem')
}

describe('version 5', () => {
  it('is taken as it is', () => {
    expect(read(v5())).toEqual({
      state: v5(),
      schemaVersion: 5,
      changes: [],
      unknownKeys: [],
      warnings: [],
      asks: [],
      readOnly: false,
    })
  })

  it('keeps unknown keys at every level and names them', () => {
    const raw = v5({
      sessionSlug: 's',
      gates: [1],
      phases: [phase({ index: 0, n: 1 }), phase({ index: 1 })],
      retryBudget: { maxAttempts: 3, currentTask: null, note: 'x' },
      finalReview: { status: 'pending', findings: [], retryCount: 0, outcome: {} },
    })
    const { state, unknownKeys } = read(raw)
    expect(state).toEqual(raw)
    expect(unknownKeys).toEqual([
      'sessionSlug',
      'gates',
      'phases[].index',
      'phases[].n',
      'retryBudget.note',
      'finalReview.outcome',
    ])
  })

  it('is not changed in the hands of the caller', () => {
    const raw = v5({ phases: [{ name: 'x', status: 'in_progress' }], retryBudget: 2 })
    const before = structuredClone(raw)
    read(raw)
    expect(raw).toEqual(before)
  })
})

describe('steps', () => {
  const later = [
    'schemaVersion',
    'sessionDir',
    'startingCommit',
    'decisions',
    'finalReview',
    'reviewPlans',
    'rigorLevel',
  ]

  it.each([
    [1, later.slice(0)],
    [2, later.slice(2)],
    [3, later.slice(5)],
    [4, later.slice(6)],
  ])('lead from version %i to 5', (version, missing) => {
    const { state, schemaVersion, migratedFrom, changes, asks, warnings } = read({
      ...without(v5(), ...missing),
      schemaVersion: version,
    })
    expect([schemaVersion, migratedFrom]).toEqual([version, version])
    expect(harnessStateSchema.safeParse(state).success).toBe(true)
    expect(state.schemaVersion).toBe(5)
    expect(state.sessionDir).toBe(version === 1 ? context.sessionDir : v5().sessionDir)
    expect(state.finalReview).toEqual({ status: 'pending', findings: [], retryCount: 0 })
    expect(changes.filter((change) => change.startsWith('Version'))).toHaveLength(5 - version)
    const noBase = version < 3
    expect(state.startingCommit).toBe(noBase ? null : '4be1c09')
    expect(asks).toEqual(noBase ? [{ kind: 'base-commit', suggested: 'abc123' }] : [])
    expect(warnings.length).toBe(noBase ? 1 : 0)
  })

  it('begin at 1 for a file without a version, and fill only absent keys', () => {
    const found = {
      ...without(v5(), 'schemaVersion', 'rigorLevel'),
      decisions: ['kept'],
      startingCommit: 'base',
    }
    const { state, schemaVersion, changes } = read(found)
    expect(schemaVersion).toBe(1)
    expect(state).toMatchObject({ decisions: ['kept'], startingCommit: 'base', sessionDir: v5().sessionDir })
    expect(changes).toContain('Version 2 to 3: nothing added.')
    expect(changes).toContain('Version 4 to 5: rigorLevel added.')
  })

  it('do not lead down from a newer version', () => {
    const { readOnly, schemaVersion, migratedFrom, warnings } = read(v5({ schemaVersion: 6, surprise: 1 }))
    expect([readOnly, schemaVersion, migratedFrom]).toEqual([true, 6, undefined])
    expect(warnings.join()).toMatch(/read-only/)
    expect(problem(() => read({ schemaVersion: 9 })).code).toBe('newer-version')
  })

  it.each([
    null,
    3,
    'x',
    [],
    {},
    { phases: [] },
    { phases: 'x' },
    { ...v5(), schemaVersion: 0 },
    { ...v5(), schemaVersion: {} },
  ])('refuse %j in three parts', (raw) => {
    const refused = problem(() => read(raw))
    expect(refused.code).toBe('unreadable')
    expect([refused.what, refused.why, refused.todo].every((part) => part.length > 10)).toBe(true)
  })
})

describe('odd values', () => {
  const states = (status: unknown) => {
    const { state, changes, warnings } = read(
      v5({ phases: [phase({ status })], currentState: 'PHASE_COMPLETE' }),
    )
    return [state.phases[0]?.status, changes.length, warnings.length]
  }

  it('phase status', () => {
    expect(states('in_progress')).toEqual(['in-progress', 1, 0])
    expect(states('PHASE_COMPLETE')).toEqual(['complete', 1, 0])
    expect(states('whatever')).toEqual(['pending', 0, 1])
    expect(states(undefined)).toEqual(['pending', 1, 0])
    expect(states('skipped')).toEqual(['skipped', 0, 0])
  })

  it('other keys of a phase', () => {
    const { state, changes, warnings } = read(
      v5({
        phases: [
          { name: 'A' },
          phase({
            complexity: 'huge',
            complexityOverride: 'low',
            planPath: 3,
            startedAt: null,
            verification: 'odd',
            concerns: 'one',
          }),
          'Just a name',
        ],
      }),
    )
    expect(state.phases).toEqual([
      phase({ name: 'A', complexity: 'medium' }),
      phase({ complexity: 'medium', concerns: ['one'] }),
      phase({ name: 'Just a name', complexity: 'medium' }),
    ])
    expect(changes).toContain('Phase 1: planPath was absent; null is used.')
    expect(changes).toContain('Phase 2: startedAt was null and is left out.')
    expect(warnings).toContain('Phase 2: complexity was "huge"; "medium" is used.')
  })

  it('COMPLETE with closed phases goes on at the end', () => {
    expect(read(v5({ currentState: 'COMPLETE', phases: closed })).state.currentState).toBe('FINAL_REVIEW')
    const passed = { status: 'complete', findings: [], retryCount: 0 }
    const over = read(v5({ currentState: 'COMPLETE', phases: closed, finalReview: passed }))
    expect(over.state).toMatchObject({ currentState: 'DONE', finalReview: { status: 'passed' } })
    expect(over.asks).toEqual([])
  })

  it('COMPLETE with open phases asks', () => {
    const { state, asks } = read(v5({ currentState: 'COMPLETE', phases: half }))
    expect(state).toMatchObject({ currentState: 'ASSESS', currentPhase: 1 })
    expect(asks).toEqual([{ kind: 'open-phases-but-complete', open: [1] }])
  })

  it('currentPhase behind the last phase is the same', () => {
    expect(read(v5({ currentPhase: 2, phases: closed })).state).toMatchObject({
      currentState: 'FINAL_REVIEW',
      currentPhase: 1,
    })
    expect(read(v5({ currentPhase: 2, phases: half })).asks).toEqual([
      { kind: 'open-phases-but-complete', open: [1] },
    ])
    const done = read(v5({ currentPhase: 2, phases: closed, currentState: 'DONE' }))
    expect(done.state).toMatchObject({ currentState: 'DONE', currentPhase: 1 })
    expect(done.asks).toEqual([])
  })

  it('a session that is DONE stays so, open phases or not', () => {
    const { state, asks, warnings } = read(v5({ currentState: 'DONE', phases: half }))
    expect(state.currentState).toBe('DONE')
    expect(asks).toEqual([])
    expect(warnings.join()).toMatch(/DONE with 1 open/)
  })

  it('later and unknown states', () => {
    expect(read(v5({ currentState: 'INTEGRATE' })).state.currentState).toBe('REVIEW')
    expect(read(v5({ currentState: 'INIT' })).state.currentState).toBe('ASSESS')
    expect(read(v5({ currentState: 'execute' })).state.currentState).toBe('EXECUTE')
    const outcome = read(v5({ currentState: 'OUTCOME_EVAL', phases: closed }))
    expect(outcome.state.currentState).toBe('DONE')
    expect(outcome.asks).toEqual([{ kind: 'outcome-eval', suggested: 'DONE' }])
    const unknown = read(v5({ currentState: 'BREWING' }))
    expect(unknown.asks).toEqual([{ kind: 'unknown-state', found: 'BREWING', suggested: 'ASSESS' }])
    expect(unknown.warnings.join()).toMatch(/BREWING/)
    expect(read(without(v5(), 'currentState')).asks).toMatchObject([
      { kind: 'unknown-state', found: 'missing' },
    ])
  })

  it('work in a closed phase goes on at the first open one', () => {
    const { state, warnings } = read(v5({ currentState: 'EXECUTE', currentPhase: 0, phases: half }))
    expect(state).toMatchObject({ currentState: 'ASSESS', currentPhase: 1 })
    expect(warnings.join()).toMatch(/Phase 1 is closed already/)
    expect(
      read(v5({ currentState: 'PHASE_COMPLETE', currentPhase: 0, phases: half })).state.currentState,
    ).toBe('PHASE_COMPLETE')
  })

  it('retryBudget', () => {
    expect(read(v5({ retryBudget: 2 })).state.retryBudget).toEqual({ maxAttempts: 2, currentTask: null })
    expect(read(without(v5(), 'retryBudget')).state.retryBudget).toEqual({
      maxAttempts: 3,
      currentTask: null,
    })
    expect(read(v5({ retryBudget: {} })).state.retryBudget).toEqual({ maxAttempts: 3, currentTask: null })
    expect(
      read(v5({ retryBudget: { maxAttempts: 3, currentTask: { name: 'T', attempts: ['x', {}] } } })).state
        .retryBudget.currentTask,
    ).toEqual({
      name: 'T',
      attemptsUsed: 2,
      attempts: [
        { timestamp: '', error: 'x', fix: '', result: 'failed' },
        { timestamp: '', error: '', fix: '', result: 'failed' },
      ],
    })
  })

  it('absent keys', () => {
    const keys = [
      'sessionDir',
      'history',
      'decisions',
      'finalReview',
      'reviewPlans',
      'awaitingInteractivePlan',
      'currentPhase',
    ]
    const { state, changes } = read(without(v5(), ...keys))
    expect(state).toMatchObject({
      sessionDir: context.sessionDir,
      history: [],
      decisions: [],
      currentPhase: 0,
    })
    expect(changes).toHaveLength(keys.length)
  })

  it('startingCommit null asks for a base, except when all is done', () => {
    const { state, asks, warnings } = read(v5({ startingCommit: null }))
    expect(state.startingCommit).toBeNull()
    expect(asks).toEqual([{ kind: 'base-commit', suggested: 'abc123' }])
    expect(warnings.join()).toMatch(/leaves earlier phases out/)
    expect(read(v5({ startingCommit: null, currentState: 'DONE', phases: closed })).asks).toEqual([])
  })

  it('decisions and history of other shapes are kept', () => {
    const decisions = [
      'text',
      { state: 'PLAN', what: 'a', why: 'b' },
      { date: 'd', decision: 'x', context: 'y' },
      { action: 'go', phase: 1, timestamp: 't' },
      { phase: 0, decision: 'approved', timestamp: 't', more: 1 },
    ]
    const history = [
      { state: 'PLAN', skill: 's', outcome: 'o' },
      { state: 'PLAN', timestamp: 't', result: 'r' },
    ]
    const { state, warnings } = read(v5({ decisions, history }))
    expect(state.decisions).toEqual(decisions)
    expect(state.history).toEqual(history)
    expect(warnings).toEqual([
      '2 history entries are of another shape: kept, not in the totals.',
      '4 decision entries are of another shape: kept as they are.',
    ])
  })

  it('review findings of a history entry get our words beside theirs, once', () => {
    const reviewFindings = { critical: 1, important: 2, suggestion: 3 }
    const once = read(v5({ history: [{ phase: 0, tasksCompleted: 1, reviewFindings }] })).state
    const expected = { ...reviewFindings, blocking: 1, warning: 2, note: 3 }
    expect(once.history).toMatchObject([{ reviewFindings: expected }])
    expect(read(once).changes).toEqual([])
  })

  it('findings of the final review are never lost', () => {
    const findings = [{ severity: 'important', file: 'a.ts', line: '3', title: 'T' }, 'just text', { x: 1 }]
    const { state } = read(v5({ finalReview: { status: 'odd', findings, retryCount: -1 } }))
    expect(state.finalReview).toMatchObject({ status: 'pending', retryCount: 0 })
    expect(state.finalReview.findings).toMatchObject([
      { severity: 'warning', line: 3, rawSeverity: 'important' },
      { severity: 'blocking', title: 'just text' },
      { severity: 'blocking', title: '{"x":1}' },
    ])
  })

  it('an open question that is half there is left out', () => {
    expect(read(v5({ pendingQuestion: { id: 'Q-NEXT' } })).state.pendingQuestion).toBeUndefined()
    const whole = { id: 'Q-NEXT', options: ['yes', 'stop'], askedAt: 't' }
    expect(read(v5({ pendingQuestion: whole })).state.pendingQuestion).toEqual(whole)
  })
})

describe('any state file', () => {
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined))
  const anyPhase = fc.record({
    name: odd,
    complexity: fc.oneof(odd, fc.constant('low')),
    status: fc.oneof(odd, fc.constantFrom('complete', 'in_progress', 'skipped', 'pending')),
    planPath: odd,
    concerns: odd,
    retriesUsed: odd,
  })
  const anyFile = fc.record({
    schemaVersion: fc.constantFrom(undefined, 1, 2, 3, 4, 5),
    specPath: odd,
    startingCommit: odd,
    rigorLevel: odd,
    currentState: fc.oneof(
      odd,
      fc.constantFrom('COMPLETE', 'DONE', 'EXECUTE', 'OUTCOME_EVAL', 'FINAL_REVIEW'),
    ),
    currentPhase: fc.oneof(odd, fc.integer({ min: -1, max: 5 })),
    phases: fc.array(anyPhase, { minLength: 1, maxLength: 4 }),
    retryBudget: odd,
    history: odd,
    decisions: odd,
    finalReview: odd,
    pendingQuestion: odd,
    stranger: odd,
  })

  it('becomes a valid state, and reading that again changes nothing', () => {
    fc.assert(
      fc.property(anyFile, (raw) => {
        const { state, asks } = read(raw)
        expect(harnessStateSchema.safeParse(state).success).toBe(true)
        expect(state.currentPhase).toBeLessThan(state.phases.length)
        if (raw.stranger !== undefined) expect(state.stranger).toEqual(raw.stranger)
        const again = read(state)
        expect(again.state).toEqual(state)
        expect(again.changes).toEqual([])
        for (const ask of asks) expect(askLine(ask)).toMatch(/\.$/)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the next open phase', () => {
  const phases = (...statuses: string[]) => ({
    phases: statuses.map((status) => ({ status: status as 'pending' })),
  })

  it('is the first that is neither complete nor skipped', () => {
    expect(nextOpenPhase(phases('complete', 'pending', 'skipped', 'in-progress'))).toBe(1)
    expect(nextOpenPhase(phases('complete', 'skipped'))).toBeUndefined()
  })

  it('after a phase is the first behind it, else the first of all others', () => {
    expect(nextOpenPhase(phases('pending', 'complete', 'pending'), 1)).toBe(2)
    expect(nextOpenPhase(phases('pending', 'pending', 'complete'), 1)).toBe(0)
    expect(nextOpenPhase(phases('complete', 'pending'), 1)).toBeUndefined()
  })
})
