import { describe, expect, test } from 'vitest'
import { type Acts, type Answers, crash, createStage, fails, type Played, play } from './stage.js'

// Agents that ask in plain text and end, and what the next one is told (docs/agents.md, "Results").

const executions = ({ dispatches }: Played) => dispatches.filter(({ kind }) => kind === 'execution')
const gateOf = ({ asked }: Played) => asked.find(({ gate }) => gate === 'Q-AGENT')
const answer: Answers = { 'Q-AGENT': { value: 'answer', text: 'The blue one.' } }

const asks: Acts = {
  execution: ({ brief, says, nth }) => {
    if (nth === 1) {
      says('I have looked at both.\nWhich box do you mean?')
      return fails('schema', 'no result')
    }
    return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
  },
}

describe('an agent that asks in plain text and ends', () => {
  test('its last words are in the gate, and the answer is in the next prompt with them', async () => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, { acts: asks, answers: answer })
    expect(gateOf(played)?.body).toContain('Which box do you mean?')
    expect(gateOf(played)?.options.map(({ label }) => label)).toEqual(['retry the step', 'answer', 'stop'])
    const [, second] = executions(played)
    expect(second?.resumes).toBeUndefined()
    expect(second?.prompt).toContain('Which box do you mean?')
    expect(second?.prompt).toContain('The blue one.')
    expect(second?.brief.note).toContain('The blue one.')
    expect(played.state.currentState).toBe('DONE')
  })

  test('also where it ends with a failure', async () => {
    const project = await createStage([{ name: 'Box' }])
    const acts: Acts = {
      execution: (dispatch, here) => {
        const usual = asks.execution?.(dispatch, here)
        return dispatch.nth === 1 ? crash('The agent ended with exit code 1.') : usual
      },
    }
    const played = await play(project, { acts, answers: answer })
    expect(gateOf(played)?.body).toContain('Which box do you mean?')
    expect(executions(played)[1]?.prompt).toContain('The blue one.')
  })

  test('the answer goes into the same conversation where the agent can go on in it', async () => {
    const project = await createStage([{ name: 'Box' }])
    const repaired: Acts = {
      execution: (dispatch, here) =>
        dispatch.nth === 2 ? fails('schema', 'no result') : asks.execution?.(dispatch, here),
    }
    const played = await play(project, { acts: repaired, answers: answer, resumable: true })
    const [first, , third] = executions(played)
    expect(third?.resumes).toBeDefined()
    expect(third?.prompt).toContain('The person in charge answers:')
    expect(third?.prompt).toContain('The blue one.')
    expect(third?.prompt).not.toContain(first?.prompt)
  })
})

describe('the reason of a retry', () => {
  test('is in the next prompt and in the dispatch file', async () => {
    const project = await createStage([{ name: 'Box' }])
    const acts: Acts = {
      execution: ({ brief, nth }) =>
        nth === 1
          ? crash('the disk is on fire')
          : { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) },
    }
    const played = await play(project, { acts, answers: { 'Q-AGENT': 'retry' } })
    const [, second] = executions(played)
    expect(second?.prompt).toContain('the disk is on fire')
    expect(second?.brief.note).toContain('the disk is on fire')
  })

  test('is told to a verifier whose handoff said something else', async () => {
    const project = await createStage([{ name: 'Box' }])
    const acts: Acts = {
      verification: async ({ nth }, here) => {
        if (nth === 1)
          await here.write(
            '.harness/sessions/changes--seeds--proposal/handoff.json',
            JSON.stringify({ fromSkill: 'harness-verification', verdict: 'fail', summary: '' }),
          )
        return { verdict: 'pass', gaps: [] }
      },
    }
    const played = await play(project, { acts, answers: { 'Q-AGENT': 'retry' } })
    const prompts = played.dispatches
      .filter(({ kind }) => kind === 'verification')
      .map(({ prompt }) => prompt)
    expect(prompts).toHaveLength(2)
    expect(prompts[1]).toContain('its handoff says fail')
  })

  test('is told to a planner that left no plan', async () => {
    const project = await createStage([{ name: 'Box' }])
    const acts: Acts = {
      plan: async ({ brief, nth }, here) => {
        if (nth > 1) await here.write(brief.planPath, '# Plan: box\n\n### Task 1: fold\n')
        return { planPath: brief.planPath, concerns: [] }
      },
    }
    const played = await play(project, { acts, answers: { 'Q-AGENT': 'retry' } })
    const [, second] = played.dispatches.filter(({ kind }) => kind === 'plan')
    expect(second?.prompt).toContain('no other plan for this phase was found')
  })
})
