import { describe, expect, test } from 'vitest'
import { type Act, createStage, type Dispatch, fails, type Played, play } from './stage.js'

// Budgets in their three scopes (docs/agents.md, "Budgets"). A raise doubles the budget for its own scope only.

const two = [{ name: 'Box' }, { name: 'List' }]

const complete = ({ brief }: Dispatch) => ({
  status: 'complete',
  completed: (brief.tasks ?? []).map((task) => task.id),
})

const budgets = (played: Played) =>
  played.asked.filter(({ gate }) => gate === 'Q-BUDGET').map(({ body }) => body.join(' '))

const raises = (played: Played) =>
  (played.state.decisions as { decision: string; choice?: string; scope?: unknown }[])
    .filter(({ decision }) => decision === 'budget_raised')
    .map(({ choice, scope }) => ({ choice, scope }))

const replies = (played: Played) =>
  played.records.flatMap((record) => {
    const reply = record.type === 'agent' ? (record.reply as { ok: boolean; budget?: unknown }) : undefined
    return reply?.budget === undefined ? [] : [reply]
  })

/** Every executor spends the same each time it is dispatched, and is done. */
const spending =
  (used: { usd?: number; input?: number; output?: number }): Act =>
  (dispatch) => {
    dispatch.spend({ input: 0, output: 0, ...used })
    return complete(dispatch)
  }

describe('of one dispatch', () => {
  test('usd: it ends there; raised, the same work goes on with twice as much, and only this work', async () => {
    const project = await createStage(two)
    const usd = [1.2, 1.8, 0.5]
    const played = await play(project, {
      resumable: true,
      limits: { usd: 1 },
      acts: {
        execution: (dispatch) => {
          dispatch.spend({ usd: usd[dispatch.nth - 1] ?? 0 })
          return complete(dispatch)
        },
      },
      answers: { 'Q-BUDGET': 'raise' },
    })
    expect(budgets(played)).toEqual(['1.20 of 1.00 US dollars of this dispatch are used.'])
    const sent = played.dispatches.filter(({ kind }) => kind === 'execution')
    expect(sent.map(({ limits }) => limits.usd)).toEqual([1, 2, 1])
    expect(sent[1]?.resumes).toBeDefined()
    expect(played.dispatches.find(({ kind }) => kind === 'verification')?.limits.usd).toBe(1)
    expect(replies(played)).toMatchObject([
      { ok: false, error: 'budget', budget: { name: 'usd', scope: 'dispatch', limit: 1, used: 1.2 } },
    ])
    expect(raises(played)).toEqual([
      { choice: 'usd', scope: { kind: 'dispatch', id: expect.stringContaining('executor-1') } },
    ])
    expect(played.state.currentState).toBe('DONE')
  })

  test('tokens: raised once for the first phase, and asked at the same number in the second', async () => {
    const project = await createStage(two)
    const input = [100, 150, 120, 150]
    const played = await play(project, {
      limits: { tokens: 100 },
      acts: {
        execution: (dispatch) => {
          dispatch.spend({ input: input[dispatch.nth - 1] ?? 0, output: 0 })
          return complete(dispatch)
        },
      },
      answers: { 'Q-BUDGET': 'raise' },
    })
    expect(budgets(played)).toEqual([
      '100 of 100 tokens of this dispatch are used.',
      '120 of 100 tokens of this dispatch are used.',
    ])
    expect(played.state.currentState).toBe('DONE')
  })

  test('tokens: reached again after a raise, it is asked again at the raised number', async () => {
    const project = await createStage([{ name: 'Box' }])
    const input = [100, 200, 399]
    const played = await play(project, {
      limits: { tokens: 100 },
      acts: {
        execution: (dispatch) => {
          dispatch.spend({ input: input[dispatch.nth - 1] ?? 0, output: 0 })
          return complete(dispatch)
        },
      },
      answers: { 'Q-BUDGET': 'raise' },
    })
    expect(budgets(played)).toEqual([
      '100 of 100 tokens of this dispatch are used.',
      '200 of 200 tokens of this dispatch are used.',
    ])
  })

  test('turns: kept by the agent program, which is told twice as many after a raise', async () => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, {
      limits: { turns: 5 },
      acts: {
        execution: (dispatch) => (dispatch.nth === 1 ? fails('turns', 'out of turns') : complete(dispatch)),
      },
      answers: { 'Q-BUDGET': 'raise' },
    })
    const sent = played.dispatches.filter(({ kind }) => kind === 'execution')
    expect(sent.map(({ limits }) => limits.turns)).toEqual([5, 10])
    expect(played.dispatches.find(({ kind }) => kind === 'verification')?.limits.turns).toBe(5)
    expect(replies(played)).toMatchObject([{ budget: { name: 'turns', scope: 'dispatch', limit: 5 } }])
    expect(raises(played)).toMatchObject([{ choice: 'turns', scope: { kind: 'dispatch' } }])
  })

  test('a budget that the agent program kept by itself is that of dollars', async () => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, {
      limits: { usd: 3 },
      acts: {
        execution: (dispatch) =>
          dispatch.nth === 1 ? fails('budget', 'the budget of 3 USD is used up') : complete(dispatch),
      },
      answers: { 'Q-BUDGET': 'raise' },
    })
    expect(budgets(played)).toEqual(['the budget of 3 USD is used up'])
    const sent = played.dispatches.filter(({ kind }) => kind === 'execution')
    expect(sent.map(({ limits }) => limits.usd)).toEqual([3, 6])
  })
})

describe('of a phase', () => {
  test.each([
    ['usd', { phaseUsd: 1 }, { usd: 1.5 }, '1.50 of 1.00 US dollars'],
    ['tokens', { phaseTokens: 100 }, { input: 150 }, '150 of 100 tokens'],
  ] as const)('%s: a raise in the first does not reach the second', async (name, limits, used, text) => {
    const project = await createStage(two)
    // Planner, verifier and reviewer of a play report a token or two, which count as well.
    const quiet: Act = (dispatch) => {
      dispatch.spend({ input: 0, output: 0, usd: 0 })
      return { verdict: 'pass', gaps: [], findings: [] }
    }
    const spent: number[] = []
    const played = await play(project, {
      limits,
      acts: {
        execution: (dispatch) => {
          // The first try of each phase is ended for it; what the second adds stays below twice as much.
          const again = spent.includes(dispatch.brief.phase.number)
          spent.push(dispatch.brief.phase.number)
          dispatch.spend({ input: 0, output: 0, usd: 0, ...(again ? {} : used) })
          return complete(dispatch)
        },
        verification: quiet,
        review: quiet,
      },
      answers: { 'Q-BUDGET': 'raise' },
    })
    const [first, second, ...more] = budgets(played)
    expect(more).toEqual([])
    expect(first).toContain(text.split(' of ')[1])
    expect(second).toContain(text.split(' of ')[1])
    expect(spent).toEqual([1, 1, 2, 2])
    const bound = name === 'usd' ? 'phaseUsd' : 'phaseTokens'
    expect(raises(played)).toEqual([
      { choice: bound, scope: { kind: 'phase', id: '1' } },
      { choice: bound, scope: { kind: 'phase', id: '2' } },
    ])
  })

  test('used up before a dispatch begins: nothing starts before the answer, also after a restart', async () => {
    const project = await createStage([{ name: 'Box' }])
    const limits = { phaseUsd: 1 }
    const first = await play(project, {
      limits,
      acts: {
        execution: (dispatch) => {
          dispatch.spend({ usd: 1.4 }, 'at the end')
          return complete(dispatch)
        },
      },
      answers: { 'Q-BUDGET': 'stop' },
    })
    expect(first.stopped).toBe(true)
    expect(budgets(first)).toEqual(['1.40 of 1.00 US dollars of this phase are used.'])
    expect(first.dispatches.at(-1)?.kind).toBe('execution')
    const second = await play(project, { limits, answers: { 'Q-BUDGET': 'raise' } })
    expect(budgets(second)).toEqual(budgets(first))
    expect(second.dispatches[0]?.kind).toBe('verification')
    expect(raises(second)).toEqual([{ choice: 'phaseUsd', scope: { kind: 'phase', id: '1' } }])
    expect(second.state.currentState).toBe('DONE')
  })
})

describe('of a run', () => {
  test.each([
    ['usd', { runUsd: 1 }, { usd: 1.1 }, /US dollars of this run/],
    ['tokens', { runTokens: 100 }, { input: 110 }, /tokens of this run/],
  ] as const)('%s: a raise holds for the phases that follow', async (name, limits, used, text) => {
    const project = await createStage(two)
    let tries = 0
    const played = await play(project, {
      limits,
      acts: {
        execution: (dispatch) => {
          tries += 1
          // 1.1 in all: over the limit at once. The rest of the run stays below twice as much.
          dispatch.spend({ input: 0, output: 0, ...(tries === 1 ? used : { usd: 0 }) })
          return complete(dispatch)
        },
      },
      answers: { 'Q-BUDGET': 'raise' },
    })
    expect(budgets(played)).toHaveLength(1)
    expect(budgets(played)[0]).toMatch(text)
    expect(raises(played)).toEqual([
      { choice: name === 'usd' ? 'runUsd' : 'runTokens', scope: { kind: 'run' } },
    ])
    expect(played.state.currentState).toBe('DONE')
  })

  test('what was used before a restart counts', async () => {
    const project = await createStage(two)
    const options = { limits: { runUsd: 2 }, acts: { execution: spending({ usd: 1.2 }) } }
    const first = await play(project, { ...options, answers: { 'Q-NEXT': 'stop' } })
    expect(first.gates).toEqual(['Q-NEXT'])
    const second = await play(project, { ...options, answers: { 'Q-BUDGET': 'stop' } })
    expect(budgets(second)).toEqual(['2.40 of 2.00 US dollars of this run are used.'])
  })
})
