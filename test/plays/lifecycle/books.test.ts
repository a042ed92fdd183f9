import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  addCompleted,
  addRetry,
  clearRetries,
  newLifecycleState,
  setCurrent,
  setLastSession,
} from '../../../source/documents/lifecycle-edit.js'
import type { TestProject } from '../../support/project.js'
import { type Act, type Answers, artifacts, createStage, does, play, statePath, upTo } from './stage.js'

// Workers that keep the books of the state file themselves: what the program would enter too is no question, anything
// else is (docs/lifecycle.md, "What a worker may change").

const today = new Date().toISOString().slice(0, 10)
const research = { step: 2, name: 'Research', completed: today, outcome: 'SQLite it is' }
const fresh = newLifecycleState('greenfield', 2, 'Research')
const withRetry = addRetry(setCurrent(fresh, { status: 'in_progress', retryCount: 1 }), {
  attempt: '1',
  step: 2,
  name: 'Research',
  subStep: '',
  reason: 'flaky',
  timestamp: '2026-03-01T10:00:00+00:00',
})

const ended = (reason: string, endedAt = 'Step 2 Research') => ({ date: today, endedAt, reason })
const toPlan = { step: 3, name: 'Plan', status: 'not_started', retryCount: 0, subStep: null }

type Edit = (text: string) => string
const edits =
  (...all: Edit[]) =>
  async (project: TestProject) => {
    const text = await project.read(statePath)
    await project.write(
      statePath,
      all.reduce((latest, edit) => edit(latest), text),
    )
  }
const row: Edit = (text) => addCompleted(text, research)
const session: Edit = (text) => setLastSession(text, ended('completed step'))

/** Leaves what the step should, then edits the state file. */
const keeps =
  (...all: Edit[]): Act =>
  async (dispatch, project) => {
    const result = await does(dispatch, project)
    await edits(...all)(project)
    return result
  }
/** Edits the state file, and reports this. */
const reports =
  (result: unknown, ...all: Edit[]): Act =>
  async (_, project) => {
    await edits(...all)(project)
    return result
  }

const failed = { status: 'failed', error: 'no network' }
const gate = { status: 'gate', gate: { id: 'db', question: 'Which one?', options: ['SQLite', 'Postgres'] } }

async function run(act: Act, { text = fresh, answers = {} as Answers } = {}) {
  const project = await createStage(upTo('greenfield', 'Research', text))
  // What comes behind the step is not looked at.
  const stops: Act = (dispatch) => {
    dispatch.stop()
    return gate
  }
  const acts = { Research: act, Plan: stops }
  const played = await play(project, { askFirst: () => ({ value: 'adopt' }), acts, answers })
  const beside = ['Q-ADOPT', 'Q-BLOCKED', 'Q-OPTIONAL']
  const asked = played.asked.filter((one) => !beside.includes(one.gate))
  return {
    project,
    played,
    gates: asked.map((one) => one.gate),
    words: asked.map(({ body }) => body.join('\n')).join('\n'),
    rows: played.record.completed.map(({ name, outcome }) => `${name}: ${outcome}`),
  }
}

const bold = fresh
  .replace('status: not_started', '- **status**: not_started\n- **sub_step**: 1 \u2014 sources')
  .replaceAll(/^(flow|step|name|retry_count):/gm, '- **$1**:')
const nested = fresh.replace(
  'status: not_started',
  'status: not_started\nsub_step:\n  id: 1\n  name: sources',
)

describe('who enters what the program would enter is asked nothing', () => {
  test.each<[string, Act, string?]>([
    ['Last Session', keeps(session)],
    [
      'its row, and that its step is completed',
      keeps(row, (text) => setCurrent(text, { status: 'completed' })),
    ],
    ['row, next step and Last Session, as by hand', keeps(row, session, (text) => setCurrent(text, toPlan))],
    [
      'a Retry Log that is over',
      keeps(clearRetries, (text) => setCurrent(text, { retryCount: 0 })),
      withRetry,
    ],
    [
      'its sub-step where keys are bold',
      keeps((text) => text.replace('1 \u2014 sources', '2 \u2014 facts')),
      bold,
    ],
    [
      'its sub-step in parts',
      keeps((text) => text.replace('id: 1\n  name: sources', 'id: 2\n  name: facts')),
      nested,
    ],
    [
      'a sub-step with an editor of other line ends',
      keeps((text) => setCurrent(text, { subStep: { id: '2', name: 'facts' } }).replaceAll('\n', '\r\n')),
    ],
    ['nothing, and loses the last line end', keeps((text) => text.trimEnd())],
    [
      'notes of its own for the session',
      keeps((text) => setLastSession(text, { ...ended('completed step'), notes: 'see draft' })),
    ],
  ])('%s', async (_, act, text) => {
    const { gates, rows, played } = await run(act, text === undefined ? {} : { text })
    expect(gates).toEqual([])
    // One row, and it is that of the program.
    expect(rows).toEqual(['Research: Research is done'])
    expect(played.record).toMatchObject({ current: { step: 3, name: 'Plan' }, retryLog: [] })
  })

  test('a pause at its gate', async () => {
    const act: Act = async (dispatch, project) =>
      dispatch.nth === 1
        ? reports(gate, (text) => setLastSession(text, ended('user paused')))(dispatch, project)
        : does(dispatch, project)
    const { gates, rows } = await run(act, { answers: { 'Q-WORKER': 'A' } })
    expect([gates, rows]).toEqual([['Q-WORKER'], ['Research: Research is done']])
  })

  test('a boundary, which is asked about as it would be', async () => {
    const text = newLifecycleState('greenfield', 5, 'Decompose')
    const project = await createStage(upTo('greenfield', 'Decompose', text))
    const act = keeps(
      (all) => addCompleted(all, { step: 5, name: 'Decompose', completed: today, outcome: '2 tasks' }),
      (all) =>
        setLastSession(all, {
          ...ended('session boundary', 'Step 5 Decompose'),
          notes: 'Decompose complete, implementation ready',
        }),
      (all) => setCurrent(all, { step: 6, name: 'Implement', status: 'not_started', retryCount: 0 }),
    )
    const played = await play(project, { askFirst: () => ({ value: 'adopt' }), acts: { Decompose: act } })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-BOUNDARY'])
    expect(played.record.completed.map(({ name }) => name)).toEqual(['Decompose'])
  })
})

describe('who enters anything else is asked about, and it is put back', () => {
  const forged = (change: Partial<typeof research>) => (text: string) =>
    addCompleted(text, { ...research, ...change })
  test.each<[string, Act, string?]>([
    ['a row of another step', keeps(row, forged({ step: 3, name: 'Plan' }))],
    ['a row of another day', keeps(forged({ completed: '2020-01-01' }))],
    ['a row that claims a leave of the person', keeps(forged({ outcome: 'skipped: not needed' }))],
    ['a step too far', keeps(row, (text) => setCurrent(text, { ...toPlan, step: 4, name: 'UI Design' }))],
    ['another flow', keeps((text) => setCurrent(text, { flow: 'existing-code' }))],
    ['the next step as begun', keeps(row, (text) => setCurrent(text, { ...toPlan, status: 'in_progress' }))],
    [
      'the end of another step',
      keeps((text) => setLastSession(text, ended('completed step', 'Step 9 Performance Test'))),
    ],
    ['a boundary that there is not', keeps((text) => setLastSession(text, ended('session boundary')))],
    [
      'completed, and reports a failure',
      reports(failed, row, (text) => setCurrent(text, { status: 'completed' })),
    ],
    ['completed, and reports a gate', reports(gate, row)],
    [
      'fewer retries, and reports a failure',
      reports(failed, (text) => setCurrent(text, { retryCount: 0 })),
      withRetry,
    ],
    ['an empty Retry Log, and reports a failure', reports(failed, clearRetries), withRetry],
    ['a blocker', keeps((text) => text.replace('- none', '- Nobody may deploy.'))],
  ])('%s', async (_, act, text) => {
    const { gates, played } = await run(act, text === undefined ? {} : { text })
    expect(gates.slice(0, 1)).toEqual(['Q-TOUCHED'])
    // It was put back before it was asked about.
    expect(played.record.completed).toEqual([])
    expect(played.record.current).toMatchObject({ flow: 'greenfield', step: 2, name: 'Research' })
    expect(played.record.blockers).toEqual([])
  })

  test('the books of a step that left nothing count for nothing', async () => {
    const act = reports({ status: 'complete', outcome: 'done' }, row, session, (text) =>
      setCurrent(text, toPlan),
    )
    const { gates, rows, played } = await run(act)
    expect([gates, rows]).toEqual([['Q-CLAIM'], []])
    expect(played.record.current).toMatchObject({ step: 2, status: 'in_progress' })
  })
})

describe('documents of an earlier step', () => {
  const criteria = '_docs/02_document/FINAL_report.md'
  const text = newLifecycleState('existing-code', 2, 'Test Spec')
  const documented = addCompleted(text, { step: 1, name: 'Document', completed: '2026-03-01', outcome: 'ok' })
  const stage = () => createStage(upTo('existing-code', 'Test Spec', documented))
  const askFirst = () => ({ value: 'adopt' })

  test('who empties one is asked about, and told by its path', async () => {
    const empties: Act = async (dispatch, project) => {
      await project.write(criteria, '# Report\n')
      return does(dispatch, project)
    }
    const played = await play(await stage(), { askFirst, acts: { 'Test Spec': empties } })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-CLAIM'])
    expect(played.asked.at(-1)?.body.join('\n')).toContain(`${criteria} of 1 Document was emptied.`)
    expect(played.record.completed.map(({ name }) => name)).toEqual(['Document'])
  })

  test('who takes one away is asked about, and may put it back', async () => {
    const takes: Act = async (dispatch, project) => {
      if (dispatch.nth === 1) await rm(join(project.dir, criteria))
      else await project.write(criteria, artifacts.Document?.[criteria] ?? '')
      return does(dispatch, project)
    }
    const played = await play(await stage(), {
      askFirst,
      acts: {
        'Test Spec': takes,
        'Decompose Tests': () => ({ status: 'gate', gate: { id: 'a', question: 'b' } }),
      },
      answers: { 'Q-CLAIM': 'retry' },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-CLAIM', 'Q-WORKER'])
    expect(played.asked[1]?.body.join('\n')).toContain(
      `${criteria} of 1 Document is gone; it was there when the step began.`,
    )
  })

  test('who rewrites one is asked nothing', async () => {
    const rewrites: Act = async (dispatch, project) => {
      await project.write(criteria, '# Report\n\nSomething else.\n')
      return does(dispatch, project)
    }
    const played = await play(await stage(), {
      askFirst,
      acts: {
        'Test Spec': rewrites,
        'Decompose Tests': () => ({ status: 'gate', gate: { id: 'a', question: 'b' } }),
      },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-WORKER'])
  })

  test.each([
    ['emptied', (project: TestProject) => project.write(criteria, '')],
    ['taken away', (project: TestProject) => rm(join(project.dir, criteria))],
  ])('one that was %s between two runs is drift', async (word, deed) => {
    const project = await stage()
    await deed(project)
    const played = await play(project, { askFirst })
    expect(played.gates.at(-1)).toBe('Q-DRIFT')
    const body = played.asked.at(-1)?.body.join('\n') ?? ''
    expect(body).toContain('folders: existing-code 1 Document')
    if (word === 'emptied') expect(body).toContain('it was emptied')
  })

  test('one that never said anything is no drift', async () => {
    const files = { ...upTo('existing-code', 'Test Spec', documented), [criteria]: '' }
    const played = await play(await createStage(files), { askFirst, acts: { 'Test Spec': does } })
    expect(played.gates).not.toContain('Q-DRIFT')
  })
})
