import { describe, expect, test } from 'vitest'
import {
  type Act,
  type Acts,
  type Answers,
  crash,
  createStage,
  type Dispatch,
  fails,
  type Played,
  play,
} from './stage.js'

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

  test.each(['crash', 'timeout', 'refused', 'denied'] as const)(
    'also where it ends with %s',
    async (error) => {
      const project = await createStage([{ name: 'Box' }])
      const acts: Acts = {
        execution: (dispatch, here) => {
          const usual = asks.execution?.(dispatch, here)
          return dispatch.nth === 1 ? fails(error, 'The agent has ended.') : usual
        },
      }
      const played = await play(project, { acts, answers: answer })
      expect(gateOf(played)?.body).toContain('Which box do you mean?')
      expect(executions(played)[1]?.prompt).toContain('The blue one.')
    },
  )

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

describe('an agent whose result gives no reason', () => {
  const words = 'The registry wants a password.\nWhich one?'
  const complete = ({ brief }: Dispatch) => ({
    status: 'complete',
    completed: (brief.tasks ?? []).map(({ id }) => id),
  })
  /** Says its words and hands that back the first time. */
  const hands =
    (result: unknown): Act =>
    (dispatch) => {
      if (dispatch.nth > 1) return complete(dispatch)
      dispatch.says(words)
      return result
    }

  test.each([
    ['no failure', {}],
    ['a failure that says none', { failure: { task: 'Task 1', error: 'None.' } }],
    ['an empty failure', { failure: { task: '', error: '' } }],
  ])('blocked with %s: its last words are asked about and told to the next one', async (_, more) => {
    const project = await createStage([{ name: 'Box' }])
    const acts = { execution: hands({ status: 'blocked', completed: [], ...more }) }
    const played = await play(project, { acts, answers: { 'Q-AGENT': 'retry' } })
    expect(gateOf(played)?.body.join('\n')).toContain(words)
    expect(executions(played)[1]?.prompt).toContain('Which one?')
  })

  test('blocked without a word: that it said nothing else', async () => {
    const project = await createStage([{ name: 'Box' }])
    const execution: Act = (one) =>
      one.nth > 1
        ? complete(one)
        : { status: 'blocked', completed: [], failure: { task: 'Task 1', error: '' } }
    const played = await play(project, { acts: { execution }, answers: { 'Q-AGENT': 'retry' } })
    expect(gateOf(played)?.body).toEqual(['Task 1: It gave no reason and said nothing else.'])
  })

  test('failed with an empty error: its last words are the error of the retry', async () => {
    const project = await createStage([{ name: 'Box' }])
    const failure = { task: 'Task 1', error: 'n/a' }
    const played = await play(project, {
      acts: { execution: hands({ status: 'failed', completed: [], failure }) },
    })
    expect(executions(played)[1]?.brief.retry?.errors.join('\n')).toContain(words)
  })

  test('a checkpoint that asks nothing shows its last words, else what the plan says', async () => {
    const checkpoint = { type: 'human-verify', task: 'Task 1', prompt: '' }
    for (const [says, shown] of [
      [true, 'Which one?'],
      [false, 'Do it.'],
    ] as const) {
      const project = await createStage([{ name: 'Box' }])
      const execution: Act = (one) => {
        if (one.nth > 1) return complete(one)
        if (says) one.says(words)
        return { status: 'checkpoint', completed: [], checkpoint }
      }
      const played = await play(project, { acts: { execution }, answers: { 'human-verify': 'confirm' } })
      expect(played.asked.find(({ gate }) => gate === 'human-verify')?.body).toContain(shown)
    }
  })

  test('a decision without choices offers those of the plan', async () => {
    const project = await createStage([{ name: 'Box' }])
    const acts: Acts = {
      plan: async ({ brief }, here) => {
        const task = '### Task 1: pick [checkpoint:decision]\n\nOptions:\n\n- red\n- blue\n'
        await here.write(brief.planPath, `# Plan: box\n\n## Tasks\n\n${task}`)
        return { planPath: brief.planPath, concerns: [] }
      },
      execution: hands({
        status: 'checkpoint',
        completed: [],
        checkpoint: { type: 'decision', task: 'Task 1', prompt: 'Which colour?' },
      }),
    }
    const played = await play(project, { acts, answers: { decision: 'option:blue' } })
    const labels = played.asked.find(({ gate }) => gate === 'decision')?.options.map(({ label }) => label)
    expect(labels).toEqual(['red', 'blue', 'something else', 'stop'])
  })

  test('a verifier that names no gap: its evidence, else its last words, are asked about and to be fixed', async () => {
    for (const [evidence, shown] of [
      [['FAIL: 3 of 5 boxes are open'], '3 of 5 boxes are open'],
      [[], 'Which one?'],
    ] as const) {
      const project = await createStage([{ name: 'Box' }])
      const verification: Act = ({ nth, says }) => {
        if (nth > 1) return { verdict: 'pass', gaps: [] }
        says(words)
        return { verdict: 'fail', gaps: [], evidence }
      }
      const execution: Act = async (one, here) => {
        if (one.nth > 1) await here.write('box.txt', 'shut')
        return complete(one)
      }
      const played = await play(project, {
        acts: { verification, execution },
        answers: { 'Q-VERIFY': 'fix' },
      })
      const body = played.asked.find(({ gate }) => gate === 'Q-VERIFY')?.body.join('\n')
      expect(body).toContain(shown)
      expect(executions(played)[1]?.prompt).toContain(shown)
    }
  })

  test('a reviewer that wants changes and lists none: its last words are asked about', async () => {
    const project = await createStage([{ name: 'Box' }])
    const review: Act = ({ says }) => {
      says(words)
      return { assessment: 'request-changes', findings: [] }
    }
    const acts = { review, 'final-review': review }
    const answers = {
      'Q-REVIEW': { value: 'override', text: 'no' },
      'Q-FINAL': { value: 'override', text: 'no' },
    }
    const played = await play(project, { acts, answers })
    for (const gate of ['Q-REVIEW', 'Q-FINAL'])
      expect(played.asked.find((one) => one.gate === gate)?.body.join('\n')).toContain(words)
  })

  test('a fix of the final review that is blocked', async () => {
    const project = await createStage([{ name: 'Box' }])
    const finding = { severity: 'blocking', file: 'box.txt', title: 'open' }
    const acts: Acts = {
      'final-review': ({ nth }) => ({ findings: nth === 1 ? [finding] : [] }),
      'final-fix': async ({ nth, says }, here) => {
        if (nth === 1) {
          says(words)
          return { status: 'blocked', completed: [] }
        }
        await here.write('box.txt', 'shut')
        return { status: 'complete', completed: [] }
      },
    }
    const played = await play(project, { acts, answers: { 'Q-FINAL': 'fix', 'Q-AGENT': 'retry' } })
    expect(gateOf(played)?.body.join('\n')).toContain(words)
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
