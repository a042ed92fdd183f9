import { describe, expect, it, test } from 'vitest'
import { newLifecycleState, setCurrent } from '../../../source/documents/lifecycle-edit.js'
import { artifacts, createStage, does, play, says, statePath, upTo } from './stage.js'

const deploys: typeof does = ({ brief }) => ({
  status: 'complete',
  outcome: brief.prepareOnly ? 'scripts written' : 'released',
})
const adopt = () => ({ value: 'adopt' })
const at = (flow: string, step: number, name: string, status = 'not_started') =>
  setCurrent(newLifecycleState(flow, step, name), { status })

describe('the first entry', () => {
  test('an empty project: asked before anything is written, then the brief, then the first step', async () => {
    const project = await createStage({})
    const refused = await play(project, {})
    expect(refused.gates).toEqual(['Q-START'])
    expect(refused.asked[0]?.evidence?.[0]?.lines).toContain('missing source files')
    expect(await project.git('status', '--porcelain', '--', '_docs', '.gitignore')).toBe('')

    const played = await play(project, {
      acts: { Problem: does, Research: does },
      answers: { 'Q-START': 'start', 'Q-BRIEF': { value: 'text', text: 'A box\nwith a lid' } },
    })
    expect(played.gates.slice(0, 2)).toEqual(['Q-START', 'Q-BRIEF'])
    expect(played.dispatches[0]?.brief).toMatchObject({
      workflow: 'lifecycle',
      expects: 'step',
      persona: 'lifecycle-worker',
      attempt: 1,
      flow: 'greenfield',
      step: { id: '1', name: 'Problem', number: 1, total: 10 },
      retry: { attempt: 0, errors: [] },
      docsDir: '_docs',
      statePath,
      freshContext: true,
      brief: 'A box with a lid',
    })
    expect(played.dispatches[1]?.brief).toMatchObject({
      step: { name: 'Research' },
      freshContext: false,
      earlier: [{ step: '1 Problem' }],
    })
    expect(played.dispatches[1]?.resumes).toBe('talk-1')
    expect(played.record.completed.slice(0, 2)).toMatchObject([
      { step: 1, name: 'Problem', outcome: 'Problem is done' },
      { step: 2, name: 'Research' },
    ])
    const log = await project.git('log', '--format=%s')
    expect(log.split('\n').slice(0, 2)).toEqual([
      '[autopilot] Step 2: Research',
      '[autopilot] Step 1: Problem',
    ])
    const shown = await project.git('show', '--format=', '--name-only', 'HEAD~1')
    expect(shown.split('\n')).toEqual(
      expect.arrayContaining([statePath, '.gitignore', '_docs/.gitignore', '_docs/00_problem/problem.md']),
    )
    expect(shown).not.toContain('.autopilot')
    expect(await project.git('show', `HEAD~1:${statePath}`)).toContain('| 1 | Problem |')
  })
})

describe('boundaries', () => {
  test.each(['A', 'B'])(
    'vector 4: after Decompose Tests the next step is not started; %s',
    async (choice) => {
      const project = await createStage(
        upTo('existing-code', 'Decompose Tests', at('existing-code', 3, 'Decompose Tests')),
      )
      const first = await play(project, { askFirst: adopt, acts: { 'Decompose Tests': does } })
      expect(first.gates).toEqual(['Q-ADOPT', 'Q-BOUNDARY'])
      expect(first.record.current).toMatchObject({
        step: 4,
        name: 'Implement Tests',
        status: 'not_started',
        retryCount: 0,
      })
      expect(first.record.lastSession).toMatchObject({
        reason: 'session boundary',
        notes: 'Decompose complete, implementation ready',
      })
      const question = first.asked[1]
      expect(question?.title).toBe('DECISION REQUIRED: Decompose complete \u2014 start implementation?')
      expect(question?.body).toEqual(
        expect.arrayContaining(['Tasks: 2', 'Estimated batches: 2', 'Complexity points: 5']),
      )
      expect(question?.options.find(({ recommended }) => recommended)?.value).toBe('A')

      const second = await play(project, {
        acts: { 'Implement Tests': does },
        answers: { 'Q-BOUNDARY': choice },
      })
      expect(second.dispatches[0]?.brief).toMatchObject({
        step: { name: 'Implement Tests' },
        freshContext: choice === 'A',
      })
      expect(second.dispatches[0]?.resumes).toBe(choice === 'A' ? undefined : 'talk-1')
      expect(second.record.decisions.some((line) => line.includes(`Q-BOUNDARY: ${choice},`))).toBe(true)
    },
  )
})

describe('retries', () => {
  const failing = (times: number) => ({
    'Test Spec': (dispatch: Parameters<typeof does>[0], project: Parameters<typeof does>[1]) =>
      dispatch.nth <= times
        ? { status: 'failed', error: `no data ${dispatch.nth}` }
        : does(dispatch, project),
  })
  const files = () => upTo('existing-code', 'Test Spec', at('existing-code', 2, 'Test Spec'))

  test('vector 5: a first run and three retries fail; nothing starts on entry; reset clears it all', async () => {
    const project = await createStage(files())
    const first = await play(project, { askFirst: adopt, acts: failing(4) })
    expect(first.gates).toEqual(['Q-ADOPT', 'Q-BLOCKED'])
    expect(first.dispatches.map(({ brief }) => [brief.attempt, brief.retry.attempt])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 3],
    ])
    expect(first.dispatches[3]?.brief.retry.errors).toEqual(['no data 1', 'no data 2', 'no data 3'])
    expect(first.record.current).toMatchObject({ step: 2, status: 'failed', retryCount: 3 })
    expect(first.record.retryLog.map(({ attempt, reason }) => [attempt, reason])).toEqual([
      ['1', 'no data 2'],
      ['2', 'no data 3'],
      ['3', 'no data 4'],
    ])
    expect(first.record.blockers).toEqual(['Step 2 Test Spec failed after 3 retries: no data 4'])

    const entered = await play(project, { acts: failing(4) })
    expect(entered.gates).toEqual(['Q-BLOCKED'])
    expect(entered.dispatches).toEqual([])
    expect(entered.text).toBe(first.text)

    const reset = await play(project, {
      acts: { 'Test Spec': () => ({ status: 'failed', error: 'again' }) },
      answers: { 'Q-BLOCKED': ['reset'] },
    })
    expect(reset.dispatches[0]?.brief.retry).toEqual({ attempt: 0, errors: [] })
    expect(
      reset.records.some(
        (record) => record.type === 'transition' && record.from === 'BLOCKED' && record.to === 'STEP',
      ),
    ).toBe(true)
  })

  test('vector 6: success on retry 2 leaves count 0 and an empty log', async () => {
    const project = await createStage(files())
    const played = await play(project, { askFirst: adopt, acts: failing(2) })
    expect(played.dispatches.slice(0, 3).map(({ brief }) => brief.retry.attempt)).toEqual([0, 1, 2])
    expect(played.record).toMatchObject({
      current: { step: 3, name: 'Decompose Tests' },
      completed: [{ name: 'Test Spec' }],
    })
    const after = played.records.findLast((record) => record.type === 'transition' && record.from === 'STEP')
    expect(after).toBeDefined()
    expect(played.record.retryLog.filter(({ name }) => name === 'Test Spec')).toEqual([])
  })

  test('vector 7: a failed step whose artifacts are there stays failed, and the evidence is shown', async () => {
    const failed = setCurrent(at('existing-code', 2, 'Test Spec', 'failed'), { retryCount: 3 })
    const project = await createStage({ ...upTo('existing-code', 'Decompose Tests', failed) })
    const played = await play(project, { askFirst: adopt })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-BLOCKED'])
    expect(played.asked[1]?.body.join('\n')).toMatch(
      /found {3}_docs\/02_document\/tests\/traceability-matrix\.md/,
    )
    expect(played.record.current).toMatchObject({ status: 'failed', retryCount: 3 })
  })

  it('a count that survived goes on with the next retry', async () => {
    const text = setCurrent(at('existing-code', 2, 'Test Spec', 'in_progress'), { retryCount: 2 })
    const project = await createStage(upTo('existing-code', 'Test Spec', text))
    const played = await play(project, { askFirst: adopt, acts: failing(9) })
    expect(played.dispatches.map(({ brief }) => brief.retry.attempt)).toEqual([3])
    expect(played.record.current).toMatchObject({ status: 'failed', retryCount: 3 })
  })

  it('failed with a lower count is asked about too', async () => {
    const project = await createStage(
      upTo(
        'existing-code',
        'Test Spec',
        setCurrent(at('existing-code', 2, 'Test Spec', 'failed'), { retryCount: 1 }),
      ),
    )
    const played = await play(project, { askFirst: adopt })
    expect(played.asked[1]?.body).toContain('It is called failed after 1 of 3 retries: somebody stopped it.')
  })
})

describe('questions of a step', () => {
  test('vector 8: UI Design skipped has its row, and Decompose starts', async () => {
    const project = await createStage(upTo('greenfield', 'UI Design', at('greenfield', 4, 'UI Design')))
    const played = await play(project, {
      askFirst: adopt,
      acts: { Decompose: does },
      answers: { 'Q-OPTIONAL': { value: 'skip', text: 'no screens' } },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-OPTIONAL', 'Q-BOUNDARY'])
    expect(played.record.completed.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['UI Design', 'skipped: no screens'],
      ['Decompose', 'Decompose is done'],
    ])
    expect(await project.git('log', '--format=%s', '-2')).toBe(
      '[autopilot] Step 5: Decompose\n[autopilot] Step 4: UI Design',
    )
  })

  it('a gate of the worker is a menu with letters, and its answer goes on in the same conversation', async () => {
    const project = await createStage(upTo('greenfield', 'Research', at('greenfield', 2, 'Research')))
    const played = await play(project, {
      askFirst: adopt,
      acts: {
        Research: (dispatch, stage) =>
          dispatch.nth === 1
            ? {
                status: 'gate',
                gate: {
                  id: 'store',
                  question: 'Which store?',
                  options: ['SQLite', 'Files'],
                  recommendation: 'B - simple',
                },
              }
            : does(dispatch, stage),
        Plan: says({ status: 'gate', gate: { id: 'vision', question: 'What is the vision?' } }),
      },
      answers: { 'Q-WORKER': [{ value: 'A', text: 'small' }] },
    })
    expect(played.gates.slice(1, 3)).toEqual(['Q-WORKER', 'Q-WORKER'])
    expect(played.asked[1]?.options.map(({ label, recommended }) => [label, recommended === true])).toEqual([
      ['A) SQLite', false],
      ['B) Files', true],
      ['stop', false],
    ])
    expect(played.dispatches[1]).toMatchObject({
      resumes: 'talk-1',
      brief: {
        attempt: 1,
        gateAnswer: { id: 'store', choice: 'SQLite', note: 'small' },
        freshContext: false,
      },
    })
    expect(played.record.decisions.at(-1)).toMatch(/ Q-WORKER: 2 Research, store: SQLite \(small\)$/)
    expect(played.asked[2]?.options.map(({ value }) => value)).toEqual(['answer', 'stop'])
  })

  it('a claim without artifacts is a question: retry counts, accept has its row', async () => {
    const project = await createStage(upTo('greenfield', 'Research', at('greenfield', 2, 'Research')))
    const played = await play(project, {
      askFirst: adopt,
      acts: { Research: says({ status: 'complete', outcome: 'all done' }) },
      answers: { 'Q-CLAIM': ['retry', 'retry', { value: 'accept', text: 'seen elsewhere' }] },
    })
    expect(played.dispatches.slice(0, 3).map(({ brief }) => brief.retry.attempt)).toEqual([0, 1, 2])
    expect(played.asked[1]?.body.join('\n')).toContain('missing _docs/01_solution/solution.md')
    expect(played.record.completed).toMatchObject([
      { name: 'Research', outcome: 'accepted without artifacts: seen elsewhere' },
    ])
    expect(
      played.record.decisions.some((line) => line.includes('Q-CLAIM: 2 Research accepted without artifacts')),
    ).toBe(true)
    // It is not drift afterwards.
    expect(played.gates).not.toContain('Q-DRIFT')
  })

  it('Run Tests runs the test command and is confirmed by a person', async () => {
    const done = {
      ...upTo('existing-code', '', at('existing-code', 5, 'Run Tests')),
      ...artifacts.Document,
      ...artifacts['Test Spec'],
      ...artifacts['Decompose Tests'],
      ...artifacts['Implement Tests'],
      'package.json': '{"scripts":{"test":"node --test"}}',
    }
    const project = await createStage(done)
    const ran: string[] = []
    const played = await play(project, {
      askFirst: adopt,
      command: async (argv) => {
        ran.push(argv.join(' '))
        return { code: 1, stdout: '3 failing\n', stderr: '' } as never
      },
      acts: { 'Run Tests': says({ status: 'complete', outcome: 'all green' }) },
      answers: { 'Q-CONFIRM': ['confirm'], 'Q-OPTIONAL': 'stop' },
    })
    // Once before the step, once for the claim.
    expect(ran).toEqual(['npm test', 'npm test'])
    expect(played.asked[1]?.body).toEqual([
      'The worker says: all green',
      expect.stringMatching(/^npm test failed \(\d/),
      '3 failing',
    ])
    expect(played.asked[1]?.options.find(({ recommended }) => recommended)?.value).toBe('retry')
    expect(played.record.completed).toMatchObject([{ name: 'Run Tests', outcome: 'all green' }])
  })

  it('Deploy starts only at its gate; prepared, it stays open', async () => {
    const project = await createStage({ [statePath]: at('greenfield', 10, 'Deploy') })
    const played = await play(project, {
      askFirst: adopt,
      acts: { Deploy: deploys },
      answers: { 'Q-DEPLOY': ['prepare', 'stop'] },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-DEPLOY', 'Q-DEPLOY'])
    expect(played.dispatches).toHaveLength(1)
    expect(played.dispatches[0]?.brief.prepareOnly).toBe(true)
    expect(played.record.current).toMatchObject({ step: 10, status: 'in_progress' })
    expect(played.record.completed).toEqual([])
  })
})
