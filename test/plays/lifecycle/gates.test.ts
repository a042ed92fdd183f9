import { chmod, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { newLifecycleState, setCurrent, setLastSession } from '../../../source/documents/lifecycle-edit.js'
import { type Act, artifacts, createStage, does, endsWith, play, says, statePath, upTo } from './stage.js'

// Gates and the ways out of them, each once (docs/lifecycle.md, "Questions"). Others are played in the other files.

const adopt = () => ({ value: 'adopt' })
const at = (flow: string, step: number, name: string, status = 'not_started') =>
  setCurrent(newLifecycleState(flow, step, name), { status })
const waits = says({ status: 'gate', gate: { id: 'x', question: 'x' } })
const research = () => upTo('greenfield', 'Research', at('greenfield', 2, 'Research'))
const values = (question: { options: { value: string }[] } | undefined) =>
  question?.options.map(({ value }) => value)

describe('Q-START and Q-BRIEF', () => {
  test('the other flow, and a brief that is a file: asked again where there is none', async () => {
    const project = await createStage({ 'src/main.ts': 'x', 'brief.md': 'A box' })
    const played = await play(project, {
      answers: {
        'Q-START': 'flow:greenfield',
        'Q-BRIEF': [
          { value: 'file', text: 'missing.md' },
          { value: 'file', text: 'brief.md' },
        ],
      },
      acts: { Problem: waits },
    })
    expect(played.gates).toEqual(['Q-START', 'Q-BRIEF', 'Q-BRIEF', 'Q-WORKER'])
    expect(values(played.asked[0])).toEqual(['start', 'flow:greenfield', 'stop'])
    expect(played.asked[2]?.body[0]).toContain('There is no file missing.md')
    expect(played.dispatches[0]?.brief).toMatchObject({ flow: 'greenfield', brief: 'the file brief.md' })
  })
})

test('Q-NAME by the number', async () => {
  const project = await createStage(upTo('greenfield', 'Plan', at('greenfield', 3, 'Research')))
  const played = await play(project, {
    askFirst: adopt,
    answers: { 'Q-NAME': 'number' },
    acts: { Plan: waits },
  })
  expect(played.gates).toEqual(['Q-ADOPT', 'Q-NAME', 'Q-WORKER'])
  expect(played.record.current).toMatchObject({ step: 3, name: 'Plan' })
})

test('Q-NAME where the number is missing: the name says which step it is', async () => {
  const text = at('greenfield', 3, 'Plan').replace('step: 3\n', '')
  const project = await createStage(upTo('greenfield', 'Plan', text))
  const answers = { 'Q-NAME': 'name' }
  const played = await play(project, { askFirst: adopt, answers, acts: { Plan: waits } })
  expect(played.gates).toEqual(['Q-ADOPT', 'Q-NAME', 'Q-WORKER'])
  expect(played.asked[1]?.body).toEqual(['The state file says no step, and the name "Plan".'])
  expect(played.record.current).toMatchObject({ step: 3, name: 'Plan' })
})

test('Q-BLOCKED: an optional step is skipped with its reason, and the failure is cleared', async () => {
  const text = setCurrent(at('greenfield', 4, 'UI Design', 'failed'), { retryCount: 3 })
  const project = await createStage(upTo('greenfield', 'UI Design', text))
  const played = await play(project, {
    askFirst: adopt,
    answers: { 'Q-BLOCKED': { value: 'skip', text: 'no screens' } },
    acts: { Decompose: waits },
  })
  expect(played.gates).toEqual(['Q-ADOPT', 'Q-BLOCKED', 'Q-WORKER'])
  expect(values(played.asked[1])).toEqual(['reset', 'skip', 'stop'])
  expect(played.record).toMatchObject({
    current: { step: 5, retryCount: 0 },
    completed: [{ name: 'UI Design', outcome: 'skipped: no screens' }],
    blockers: [],
  })
})

describe('Q-CONFIRM', () => {
  test.each(['confirm', 'retry'])('of a step that the file calls completed: %s', async (answer) => {
    const project = await createStage(
      upTo('greenfield', 'Plan', at('greenfield', 2, 'Research', 'completed')),
    )
    const played = await play(project, {
      askFirst: adopt,
      answers: { 'Q-CONFIRM': answer, 'Q-DRIFT': 'file' },
      acts: { Plan: waits, Research: waits },
    })
    expect(played.asked.find(({ gate }) => gate === 'Q-CONFIRM')?.title).toContain('is called completed')
    const first = played.dispatches[0]?.brief.step.name
    expect(first).toBe(answer === 'confirm' ? 'Plan' : 'Research')
    expect(played.record.completed.map(({ name }) => name)).toEqual(answer === 'confirm' ? ['Research'] : [])
  })

  test('a result that is not confirmed counts as a failed run', async () => {
    const project = await createStage({
      ...upTo('existing-code', '', at('existing-code', 5, 'Run Tests')),
      ...artifacts.Document,
      ...artifacts['Test Spec'],
      ...artifacts['Decompose Tests'],
      ...artifacts['Implement Tests'],
    })
    const played = await play(project, {
      askFirst: adopt,
      acts: { 'Run Tests': says({ status: 'complete', outcome: 'all green' }) },
      answers: { 'Q-CONFIRM': ['retry', 'retry', 'stop'] },
    })
    expect(played.dispatches.map(({ brief }) => brief.retry.attempt)).toEqual([0, 1, 2])
    // Nobody takes the word of the worker for a run of the program.
    expect(played.asked.find(({ gate }) => gate === 'Q-CONFIRM')?.body).toEqual([
      'The worker says: all green',
      'This project names no test command, so autopilot has run no test itself.',
    ])
    expect(played.record.current).toMatchObject({ status: 'in_progress', retryCount: 1 })
    expect(played.record.lastSession.reason).toBe('user paused')
  })
})

test('Q-DEPLOY: deployed, the flow is done, and Q-LOOP follows', async () => {
  const project = await createStage({ [statePath]: at('greenfield', 10, 'Deploy') })
  const played = await play(project, {
    askFirst: adopt,
    acts: {
      Deploy: async (_, stage) => {
        await stage.write('_docs/04_deploy/reports/deploy_status_report.md', 'x')
        return { status: 'complete', outcome: 'released' }
      },
    },
    answers: { 'Q-DEPLOY': 'deploy', 'Q-LOOP': 'close' },
  })
  expect(played.gates).toEqual(['Q-ADOPT', 'Q-DEPLOY', 'Q-LOOP'])
  expect(played.dispatches[0]?.brief.prepareOnly).toBeUndefined()
  expect(played.record.current.step).toBe('done')
  expect(played.record.decisions.some((line) => line.endsWith(' Q-DEPLOY: 10 Deploy: deploy'))).toBe(true)
})

describe('Q-EDITED', () => {
  /** The person says why the session ends, and so does the program, which is told to stop. */
  async function bothSay(answer: string) {
    const project = await createStage(research())
    return play(project, {
      askFirst: adopt,
      acts: { Research: waits },
      answers: { 'Q-WORKER': 'stop', 'Q-EDITED': answer },
      beforeAnswer: async ({ gate }) => {
        if (gate !== 'Q-WORKER') return
        const text = await project.read(statePath)
        await project.write(statePath, `${setLastSession(text, { reason: 'lunch' })}\n## Own\n- words\n`)
      },
    })
  }

  test.each([
    ['restore', 'user paused'],
    ['accept', 'lunch'],
    ['stop', 'lunch'],
  ])('what both changed is taken from one side: %s', async (answer, reason) => {
    const played = await bothSay(answer)
    const asked = played.asked.find(({ gate }) => gate === 'Q-EDITED')
    expect(asked?.options.map(({ label }) => label)).toEqual(['theirs', 'ours', 'stop'])
    expect(asked?.body.join('\n')).toContain('+ reason: lunch')
    expect(played.record.lastSession.reason).toBe(reason)
    expect(played.text).toContain('## Own\n- words\n')
    expect(played.stopped).toBe(true)
  })

  test('a step that a person moves to while a gate is open is where it goes on', async () => {
    const project = await createStage(upTo('greenfield', 'UI Design', at('greenfield', 4, 'UI Design')))
    const played = await play(project, {
      askFirst: adopt,
      acts: { Decompose: waits, Research: waits },
      answers: { 'Q-OPTIONAL': { value: 'skip', text: 'none' }, 'Q-DRIFT': 'file' },
      beforeAnswer: async ({ gate }) => {
        if (gate !== 'Q-OPTIONAL') return
        const text = await project.read(statePath)
        await project.write(statePath, setCurrent(text, { step: 2, name: 'Research' }))
      },
    })
    expect(played.dispatches.map(({ brief }) => brief.step.name)).toEqual(['Research'])
    expect(played.record.completed).toEqual([])
  })
})

test('a person who moves the file while a step is under way is followed; what the worker reports does not count', async () => {
  const project = await createStage(upTo('greenfield', 'UI Design', at('greenfield', 3, 'Plan')))
  let moved = false
  const played = await play(project, {
    askFirst: adopt,
    acts: { Research: waits, Plan: waits },
    answers: { 'Q-DRIFT': 'file', 'Q-WORKER': [{ value: 'answer', text: 'a' }] },
    beforeAnswer: async ({ gate }) => {
      if (gate !== 'Q-WORKER' || moved) return
      moved = true
      const text = await project.read(statePath)
      await project.write(statePath, setCurrent(text, { step: 2, name: 'Research', status: 'in_progress' }))
    },
  })
  expect(played.dispatches.map(({ brief }) => brief.step.name)).toEqual(['Plan', 'Research'])
  expect(played.record.completed).toEqual([])
})

test('Q-TOUCHED: kept, the file is as the worker left it', async () => {
  const project = await createStage(research())
  const played = await play(project, {
    askFirst: adopt,
    acts: {
      Research: async (_, stage) => {
        const text = await stage.read(statePath)
        await stage.write(statePath, text.replace('- none', '- the network is down'))
        return { status: 'gate', gate: { id: 'x', question: 'x' } }
      },
    },
    answers: { 'Q-TOUCHED': 'accept' },
  })
  expect(played.gates).toEqual(['Q-ADOPT', 'Q-TOUCHED', 'Q-WORKER'])
  expect(played.record.blockers).toEqual(['the network is down'])
  expect(played.record.decisions.at(-1)).toMatch(/ Q-TOUCHED: accepted of lifecycle-worker \(2 Research\): /)
})

describe('commits', () => {
  test('Q-COMMIT: a hook that refuses is asked about, and the row stays', async () => {
    const project = await createStage(research())
    await writeFile(project.path('.git/hooks/pre-commit'), '#!/bin/sh\necho not today\nexit 1\n')
    await chmod(project.path('.git/hooks/pre-commit'), 0o755)
    const played = await play(project, {
      askFirst: adopt,
      acts: { Research: does, Plan: waits },
      answers: { 'Q-COMMIT': ['retry', 'no-hooks'] },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-COMMIT', 'Q-COMMIT', 'Q-WORKER'])
    expect(played.asked[1]?.body).toContain('not today')
    expect(await project.git('log', '-1', '--format=%s')).toBe('[autopilot] Step 2: Research')
    expect(await project.git('show', `HEAD:${statePath}`)).toContain('| 2 | Research |')
  })

  test.each(['leave', 'include'])(
    'Q-DIRTY: what was uncommitted before the step and changed in it: %s',
    async (answer) => {
      const project = await createStage({ ...research(), 'notes.txt': 'a' })
      await project.write('notes.txt', 'mine')
      const played = await play(project, {
        askFirst: adopt,
        acts: {
          Research: async (dispatch, stage) => {
            await stage.write('notes.txt', 'mine and the agent')
            return does(dispatch, stage)
          },
          Plan: waits,
        },
        answers: { 'Q-TOUCHED': 'mine', 'Q-DIRTY': answer },
      })
      expect(played.gates).toContain('Q-DIRTY')
      const files = (await project.git('show', '--format=', '--name-only', 'HEAD')).split('\n')
      expect(files.includes('notes.txt')).toBe(answer === 'include')
      expect(files).toContain('_docs/01_solution/solution.md')
    },
  )
})

/** Fills its conversation in the third sub-step, and fails in the next one. */
const planUntilFull: Act = (dispatch, project) => {
  if (dispatch.nth > 1) return { status: 'failed', error: 'twice' }
  return endsWith('context', async (_, stage) => {
    const text = await stage.read(statePath)
    await stage.write(statePath, setCurrent(text, { subStep: { id: '3', name: 'Components' } }))
  })(dispatch, project)
}

describe('a worker that does not come to an end', () => {
  test('Q-AGENT: its process fails; trying again counts as no failure', async () => {
    const project = await createStage(research())
    const played = await play(project, {
      askFirst: adopt,
      acts: {
        Research: (dispatch, stage) => (dispatch.nth === 1 ? endsWith('crash') : waits)(dispatch, stage),
      },
      answers: { 'Q-AGENT': 'retry' },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-AGENT', 'Q-WORKER'])
    expect(played.dispatches.map(({ brief }) => brief.retry.attempt)).toEqual([0, 0])
    expect(played.record.current).toMatchObject({ status: 'in_progress', retryCount: 0 })
  })

  test('a full conversation makes place for a fresh one: Last Session says so, and nothing has failed', async () => {
    const project = await createStage(research())
    const played = await play(project, {
      askFirst: adopt,
      acts: {
        Research: (dispatch, stage) =>
          (dispatch.nth === 1 ? endsWith('context', does) : does)(dispatch, stage),
        Plan: planUntilFull,
      },
    })
    const [, second, , plan] = played.dispatches
    expect(second?.resumes).toBeUndefined()
    expect(played.record.completed).toMatchObject([{ name: 'Research', outcome: 'Research is done' }])
    expect(plan?.prompt).toContain('- done: Architecture')
    expect(plan?.prompt).toContain('- under way: Components')
    expect(plan?.prompt).toContain('- to do: Epics')
    const sessions = played.records.flatMap((record) =>
      record.type === 'update' ? [JSON.stringify(record.image)] : [],
    )
    expect(sessions.filter((image) => image.includes('context limit'))).not.toEqual([])
  })
})

describe('a stop by key while the worker is at it', () => {
  test('Last Session says so; what it may change is taken in, and nothing is asked when it goes on', async () => {
    const project = await createStage(research())
    const first = await play(project, {
      askFirst: adopt,
      acts: {
        Research: async ({ stop }, stage) => {
          const text = await stage.read(statePath)
          const moved = setCurrent(text, { subStep: { id: '2', name: 'Draft' } })
          await stage.write(statePath, moved.replace('## Key Decisions\n', '## Key Decisions\n- use files\n'))
          stop()
          return { status: 'failed', error: 'stopped' }
        },
      },
    })
    expect(first.stopped).toBe(true)
    expect(first.record).toMatchObject({
      current: { status: 'in_progress', subStep: { id: '2', name: 'Draft' }, retryCount: 0 },
      decisions: ['use files (agent)'],
      lastSession: { reason: 'user paused', endedAt: 'Step 2 Research \u2014 SubStep 2 Draft' },
    })
    const second = await play(project, { acts: { Research: waits } })
    expect(second.gates).toEqual(['Q-WORKER'])
    expect(second.dispatches[0]?.brief.subStep).toEqual({ id: '2', name: 'Draft' })
    expect(second.record.decisions).toEqual(['use files (agent)'])
  })

  test.each([
    ['accept', 5],
    ['restore', 2],
  ])('what it may not change is asked about when it goes on: %s', async (answer, step) => {
    const project = await createStage(research())
    const first = await play(project, {
      askFirst: adopt,
      acts: {
        Research: async ({ stop }, stage) => {
          const text = await stage.read(statePath)
          await stage.write(statePath, setCurrent(text, { step: 5, name: 'Decompose' }))
          stop()
          return { status: 'failed', error: 'stopped' }
        },
      },
    })
    expect(first.record.current.step).toBe(5)
    const second = await play(project, {
      askFirst: ({ gate }) => {
        expect(gate).toBe('Q-EDITED')
        return { value: answer }
      },
      acts: { Research: waits, Decompose: waits },
      answers: { 'Q-DRIFT': 'file' },
    })
    expect(second.asked[0]?.body).toContain('An agent was at work, so this may be its doing.')
    expect(second.record.current.step).toBe(step)
  })
})

test('sub-steps are live: by the plan that the worker tells, and by the state file, whichever moved last', async () => {
  const project = await createStage(upTo('greenfield', 'Plan', at('greenfield', 3, 'Plan')))
  const shown: string[] = []
  const moves: Act = async ({ tell, untilShown }, stage) => {
    const see = async (title: string) => {
      await untilShown(title)
      shown.push(title)
    }
    const text = await stage.read(statePath)
    const items = [
      { text: 'Sketch', status: 'completed' },
      { text: 'Review', status: 'in_progress' },
    ]
    tell({ type: 'plan', items })
    await see('Review')
    await stage.write(statePath, setCurrent(text, { subStep: { id: '5', name: 'Component Tests' } }))
    await see('Component Tests')
    tell({ type: 'plan', items: items.map((item) => ({ ...item, status: 'in_progress' })) })
    await see('Sketch')
    // Told with its id, as the state file has it: shown by its name.
    tell({ type: 'plan', items: [{ text: '7 \u2014 Final report', status: 'in_progress' }] })
    await see('Final report')
    return { status: 'gate', gate: { id: 'x', question: 'x' } }
  }
  const played = await play(project, { askFirst: adopt, acts: { Plan: moves } })
  expect(shown).toEqual(['Review', 'Component Tests', 'Sketch', 'Final report'])
  expect(played.gates).toEqual(['Q-ADOPT', 'Q-WORKER'])
  expect(played.record.current.subStep).toEqual({ id: '5', name: 'Component Tests' })
})

test('a gate whose question is printed as a box has the options of the box', async () => {
  const rule = '\u2550'.repeat(38)
  const question = `${rule}\n DECISION REQUIRED: Which store?\n${rule}\n A) Files\n B) SQLite\n${rule}\n Recommendation: B \u2014 it is there\n${rule}`
  const project = await createStage(research())
  const played = await play(project, {
    askFirst: adopt,
    acts: { Research: says({ status: 'gate', gate: { id: 'store', question } }) },
  })
  expect(played.asked[1]).toMatchObject({ gate: 'Q-WORKER', title: 'Which store?' })
  expect(played.asked[1]?.options.map(({ label, recommended }) => [label, recommended === true])).toEqual([
    ['A) Files', false],
    ['B) SQLite', true],
    ['stop', false],
  ])
})
