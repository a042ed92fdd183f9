import { chmod, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import {
  addCompleted,
  addDecision,
  newLifecycleState,
  setCurrent,
} from '../../../source/documents/lifecycle-edit.js'
import { artifacts, createStage, does, play, says, statePath, upTo } from './stage.js'

const adopt = () => ({ value: 'adopt' })
const at = (flow: string, step: number | string, name: string, status = 'not_started') =>
  setCurrent(newLifecycleState(flow, step, name), { status })
const row = (step: number, name: string) => ({ step, name, completed: '2026-03-01', outcome: 'x' })

describe('drift', () => {
  test('vector 10: back to 5, or kept at 6 and not asked again', async () => {
    const rows = [
      row(1, 'Problem'),
      row(2, 'Research'),
      row(3, 'Plan'),
      row(4, 'UI Design'),
      row(5, 'Decompose'),
    ]
    const text = rows.reduce(addCompleted, at('greenfield', 6, 'Implement'))
    const { '_docs/02_tasks/_dependencies_table.md': _, ...tasks } = artifacts.Decompose ?? {}
    const files = { ...upTo('greenfield', 'Decompose', text), ...tasks }
    const project = await createStage(files)
    const kept = await play(project, {
      askFirst: adopt,
      answers: { 'Q-DRIFT': 'file' },
      acts: { Implement: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
    })
    expect(kept.gates).toEqual(['Q-ADOPT', 'Q-DRIFT', 'Q-WORKER'])
    expect(kept.asked[1]?.body.join('\n')).toContain('missing _docs/02_tasks/_dependencies_table.md')
    expect(kept.record.current.step).toBe(6)
    const other = await createStage(files)
    const moved = await play(other, {
      askFirst: adopt,
      answers: { 'Q-DRIFT': 'folders' },
      acts: { Decompose: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
    })
    expect(moved.gates).toEqual(['Q-ADOPT', 'Q-DRIFT', 'Q-WORKER'])
    expect(moved.record.current).toMatchObject({ step: 5, name: 'Decompose', retryCount: 0 })
    expect(moved.record.completed).toHaveLength(5)
    expect(
      moved.record.decisions.some((line) => line.includes('Q-DRIFT: folders (greenfield 5 Decompose')),
    ).toBe(true)
  })

  test('later: what was passed over has its row', async () => {
    const project = await createStage({
      ...upTo('greenfield', 'UI Design', at('greenfield', 2, 'Research', 'in_progress')),
    })
    const played = await play(project, { askFirst: adopt, answers: { 'Q-DRIFT': 'folders' } })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-DRIFT', 'Q-OPTIONAL'])
    expect(played.record.current).toMatchObject({ step: 4, name: 'UI Design' })
    expect(played.record.completed.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['Research', 'found in folders'],
      ['Plan', 'found in folders'],
    ])
  })
})

describe('folders that change while a question is open', () => {
  const missing = '_docs/02_tasks/_dependencies_table.md'
  const here = () => upTo('greenfield', 'Decompose', at('greenfield', 5, 'Decompose'))

  test('the artifact of a step is deleted at a boundary between two runs: drift is asked about first', async () => {
    const project = await createStage(here())
    const first = await play(project, { askFirst: adopt, acts: { Decompose: does } })
    expect(first.gates).toEqual(['Q-ADOPT', 'Q-BOUNDARY'])
    await rm(join(project.dir, missing))
    const second = await play(project)
    expect(second.gates).toEqual(['Q-DRIFT'])
    expect(second.asked[0]?.body.slice(4, 6)).toEqual(['5 Decompose: open', `  missing ${missing}`])
    expect(second.asked[0]?.evidence?.[0]?.lines?.[0]).toBe('1 Problem: done')
    expect(second.record.current).toMatchObject({ step: 6, status: 'not_started' })
  })

  test('deleted under the open question: its answer does not count; kept once, the question comes back', async () => {
    const project = await createStage(here())
    let isGone = false
    const played = await play(project, {
      askFirst: adopt,
      acts: { Decompose: does, Implement: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
      answers: { 'Q-BOUNDARY': 'A', 'Q-DRIFT': 'file' },
      async beforeAnswer({ gate }) {
        if (gate !== 'Q-BOUNDARY' || isGone) return
        isGone = true
        await rm(join(project.dir, missing))
      },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-BOUNDARY', 'Q-DRIFT', 'Q-BOUNDARY', 'Q-WORKER'])
  })

  test('under the question of drift itself: what was shown last is what counts', async () => {
    const project = await createStage(upTo('greenfield', 'Plan', at('greenfield', 2, 'Research')))
    const report = artifacts.Plan ?? {}
    const played = await play(project, {
      askFirst: adopt,
      answers: { 'Q-DRIFT': 'folders', 'Q-OPTIONAL': 'stop' },
      async beforeAnswer({ gate, body }) {
        if (gate === 'Q-DRIFT' && body.includes('folders: greenfield 3 Plan, not_started'))
          for (const [path, text] of Object.entries(report)) await project.write(path, text)
      },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-DRIFT', 'Q-DRIFT', 'Q-OPTIONAL'])
    expect(played.asked[2]?.body).toContain('folders: greenfield 4 UI Design, not_started')
    expect(played.record.current).toMatchObject({ step: 4, name: 'UI Design' })
    expect(played.record.completed.map(({ name }) => name)).toEqual(['Research', 'Plan'])
  })

  test('a merge that begins under the question of drift is asked about, and the drift after it', async () => {
    const project = await createStage(upTo('greenfield', 'Plan', at('greenfield', 2, 'Research')))
    let merges = true
    const played = await play(project, {
      askFirst: adopt,
      answers: { 'Q-DRIFT': 'folders', 'Q-EDITED': 'ours' },
      acts: { Plan: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
      async beforeAnswer({ gate }) {
        if (gate !== 'Q-DRIFT' || !merges) return
        merges = false
        const text = await project.read(statePath)
        await project.write(
          statePath,
          text.replace(/step: 2\n/, '<<<<<<< a\nstep: 2\n=======\nstep: 3\n>>>>>>> b\n'),
        )
      },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-DRIFT', 'Q-EDITED', 'Q-DRIFT', 'Q-WORKER'])
    expect(played.record).toMatchObject({ conflicts: [], current: { step: 3, name: 'Plan' } })
    expect(played.record.decisions.filter((line) => line.includes('Q-DRIFT'))).toHaveLength(1)
  })

  test('before an optional step, a release and a brief, too', async () => {
    const optional = await createStage(upTo('greenfield', 'UI Design', at('greenfield', 4, 'UI Design')))
    expect((await play(optional, { askFirst: adopt })).gates).toEqual(['Q-ADOPT', 'Q-OPTIONAL'])
    await optional.write('_docs/02_document/ui_mockups/main.md', '# Main\n\nA list.\n')
    expect((await play(optional)).gates).toEqual(['Q-DRIFT'])

    const release = await createStage({
      ...upTo('greenfield', 'Decompose', at('greenfield', 10, 'Deploy')),
      [missing]: artifacts.Decompose?.[missing] ?? '',
      '_docs/02_tasks/done/T-1_box.md': 'x',
      '_docs/03_implementation/implementation_report_core.md': 'x',
    })
    const before = await play(release, { askFirst: adopt, answers: { 'Q-DRIFT': 'file' } })
    expect(before.gates.at(-1)).toBe('Q-DEPLOY')
    await rm(join(release.dir, '_docs/02_document/FINAL_report.md'))
    expect((await play(release)).gates).toEqual(['Q-DRIFT'])
  })

  test('a project that got its source at the first question begins in the flow that is shown', async () => {
    const project = await createStage({})
    const first = await play(project)
    expect(first.asked[0]?.title).toBe('Start the greenfield flow here?')
    await project.write('src/a.mjs', 'export const a = 1\n')
    const second = await play(project, { answers: { 'Q-START': 'start' } })
    expect(second.asked[0]?.title).toBe('Start the existing-code flow here?')
    expect(second.record.current).toMatchObject({ flow: 'existing-code', step: 1, name: 'Document' })
  })
})

describe('what a file says that cannot be right', () => {
  test('number and name of two steps: asked, and nothing written before', async () => {
    const text = at('greenfield', 3, 'Research')
    const project = await createStage(upTo('greenfield', 'Research', text))
    const asked = await play(project, { askFirst: adopt })
    expect(asked.gates).toEqual(['Q-ADOPT', 'Q-NAME'])
    expect(asked.text).toBe(text)
    const settled = await play(project, {
      answers: { 'Q-NAME': 'name' },
      acts: { Research: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
    })
    expect(settled.record.current).toMatchObject({ step: 2, name: 'Research' })
  })

  test('a flow that there is not, and a file of another tool: the folders are offered', async () => {
    for (const text of [at('blue-sky', 3, 'Plan'), '# Notes\n\nNothing of this.\n']) {
      const project = await createStage(upTo('greenfield', 'Plan', text))
      const asked = await play(project, { askFirst: adopt })
      expect(asked.gates).toEqual(['Q-ADOPT', 'Q-DRIFT'])
      expect(asked.text).toBe(text)
      expect(asked.asked[1]?.options.map(({ label }) => label)).toContain(
        'folders: greenfield 3 Plan, not_started',
      )
      const moved = await play(project, {
        answers: { 'Q-DRIFT': 'flow:greenfield' },
        acts: { Plan: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
      })
      expect(moved.record.current).toMatchObject({ flow: 'greenfield', step: 3, name: 'Plan' })
      for (const line of text.split('\n').filter((each) => !/^(?:flow|status): /.test(each)))
        expect(moved.text).toContain(line)
    }
  })

  const merging = at('greenfield', 2, 'Research').replace(
    'step: 2\nname: Research\n',
    '<<<<<<< HEAD\nstep: 2\nname: Research\n=======\nstep: 4\nname: UI Design\n>>>>>>> other\n',
  )

  test.each([
    ['ours', 2, 'Q-WORKER'],
    ['theirs', 4, 'Q-OPTIONAL'],
  ])('a file in the middle of a merge: %s', async (side, step, gate) => {
    const project = await createStage(upTo('greenfield', side === 'ours' ? 'Research' : 'UI Design', merging))
    const asked = await play(project, { askFirst: adopt })
    expect(asked.gates).toEqual(['Q-ADOPT', 'Q-EDITED'])
    expect(asked.asked[1]?.body).toEqual(
      expect.arrayContaining(['Lines 5 to 11:', '  ours   step: 2', '  theirs name: UI Design']),
    )
    expect(asked.text).toBe(merging)
    const played = await play(project, {
      answers: { 'Q-EDITED': side },
      acts: { Research: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
    })
    expect(played.gates).toEqual(['Q-EDITED', gate])
    expect(played.record).toMatchObject({ conflicts: [], current: { step } })
  })

  test('marks that do not belong together leave nothing but stop', async () => {
    const text = merging.replace('=======\n', '')
    const project = await createStage({ [statePath]: text })
    const played = await play(project, { askFirst: adopt })
    expect(played.asked[1]?.options.map(({ value }) => value)).toEqual(['stop'])
    expect(played.text).toBe(text)
  })

  test('a merge that breaks into a run is asked about where it stands, and nothing of it is lost', async () => {
    const project = await createStage(upTo('greenfield', 'Research', at('greenfield', 2, 'Research')))
    const text = (now: string) =>
      now.replace(/step: 2\n/, '<<<<<<< a\nstep: 2\n=======\nstep: 3\n>>>>>>> b\n')
    const played = await play(project, {
      askFirst: adopt,
      acts: { Research: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
      answers: { 'Q-WORKER': { value: 'answer', text: 'yes' } },
      beforeAnswer: async (question) => {
        if (question.gate === 'Q-WORKER') await project.write(statePath, text(await project.read(statePath)))
      },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-WORKER', 'Q-EDITED'])
    expect(played.text).toContain('<<<<<<< a\nstep: 2\n=======\nstep: 3\n>>>>>>> b\n')
    expect(played.record.decisions.some((line) => line.includes(' Q-WORKER: 2 Research, x: yes'))).toBe(true)
  })

  test('two state files: one is used, the other stays', async () => {
    const project = await createStage({
      ...upTo('greenfield', 'Research', at('greenfield', 2, 'Research')),
      '_autopilot_state.md': 'x',
    })
    const played = await play(project, {
      askFirst: adopt,
      answers: { 'Q-DRIFT': 'use' },
      acts: { Research: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
    })
    expect(played.asked[1]?.body).toContain('_autopilot_state.md')
    expect(await project.read('_autopilot_state.md')).toBe('x')
  })

  test('vector 14: a broken flow file is a question, asked once', async () => {
    const files = {
      ...upTo('greenfield', 'Research', at('greenfield', 2, 'Research')),
      '_docs/_autopilot_flow.yaml': 'version: 2\n',
    }
    const project = await createStage(files)
    const acts = { Research: says({ status: 'gate', gate: { id: 'x', question: 'x' } }) }
    const stopped = await play(project, { askFirst: adopt, acts })
    expect(stopped.gates).toEqual(['Q-ADOPT', 'Q-FLOW'])
    const played = await play(project, { acts, answers: { 'Q-FLOW': 'built-in' } })
    expect(played.gates).toEqual(['Q-FLOW', 'Q-WORKER'])
    expect(played.record.decisions[0]).toContain('Q-FLOW: built-in')
  })
})

describe('vector 15: edits of others', () => {
  test('an edit while the worker is at it: sub-step and additions stay, the rest is asked about and put back', async () => {
    const project = await createStage(upTo('greenfield', 'Research', at('greenfield', 2, 'Research')))
    const played = await play(project, {
      askFirst: adopt,
      acts: {
        Research: async (dispatch, stage) => {
          const text = await stage.read(statePath)
          const edited = addCompleted(
            addDecision(setCurrent(text, { subStep: { id: '2', name: 'draft' } }), 'use files'),
            row(9, 'Mine'),
          )
          await stage.write(statePath, edited)
          await does(dispatch, stage)
          return { status: 'gate', gate: { id: 'x', question: 'x' } }
        },
      },
      answers: { 'Q-TOUCHED': 'put-back' },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-TOUCHED', 'Q-WORKER'])
    expect(played.asked[1]?.body.join('\n')).toContain('| 9 | Mine |')
    expect(played.record).toMatchObject({
      current: { subStep: { id: '2', name: 'draft' } },
      completed: [],
    })
    expect(played.record.decisions).toContain('use files (agent)')
  })

  test('an edit of a person while a question is open is merged', async () => {
    const project = await createStage(upTo('greenfield', 'UI Design', at('greenfield', 4, 'UI Design')))
    const played = await play(project, {
      askFirst: adopt,
      acts: { Decompose: does },
      answers: {
        'Q-OPTIONAL': { value: 'skip', text: 'none' },
      },
      beforeAnswer: async (question) => {
        if (question.gate !== 'Q-OPTIONAL') return
        await project.write(statePath, addDecision(await project.read(statePath), 'a person was here'))
      },
    })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-OPTIONAL', 'Q-BOUNDARY'])
    expect(played.record.decisions).toContain('a person was here')
    expect(played.record.completed.map(({ name }) => name)).toEqual(['UI Design', 'Decompose'])
  })

  test('an edit between two runs is taken over without a question', async () => {
    const project = await createStage(upTo('greenfield', 'UI Design', at('greenfield', 4, 'UI Design')))
    await play(project, { askFirst: adopt })
    await project.write(statePath, `${await project.read(statePath)}\n## Own\n- words\n`)
    const played = await play(project, {})
    expect(played.gates).toEqual(['Q-OPTIONAL'])
    expect(played.text.endsWith('\n## Own\n- words\n')).toBe(true)
  })
})

test('vector 12: behind the last step a new task is asked about, and closing ends well, every time', async () => {
  const project = await createStage({ [statePath]: at('greenfield', '"done"', 'Deploy', 'completed') })
  const closed = await play(project, { askFirst: adopt, answers: { 'Q-LOOP': 'close' } })
  expect([closed.gates, closed.stopped]).toEqual([['Q-ADOPT', 'Q-LOOP'], false])
  const looped = await play(project, {
    answers: { 'Q-LOOP': 'new', 'Q-BRIEF': { value: 'text', text: 'A lock' } },
    acts: { 'New Task': says({ status: 'gate', gate: { id: 'x', question: 'x' } }) },
  })
  expect(looped.gates).toEqual(['Q-LOOP', 'Q-BRIEF', 'Q-WORKER'])
  expect(looped.dispatches[0]?.brief).toMatchObject({
    flow: 'existing-code',
    step: { id: '7', number: 7 },
    brief: 'A lock',
  })
})

test('what stands in the file and is not changed is never written again', async () => {
  const text = at('greenfield', 4, 'UI Design').replaceAll('\n', '\r\n')
  const project = await createStage(upTo('greenfield', 'UI Design', text))
  const before = await project.git('hash-object', statePath)
  const played = await play(project, { askFirst: adopt })
  expect(played.gates).toEqual(['Q-ADOPT', 'Q-OPTIONAL'])
  expect(await project.git('hash-object', statePath)).toBe(before)
  await expect(project.read(`${statePath}.bak`)).rejects.toThrow('ENOENT')
})

test('the state file keeps who may read it, and a new one follows the umask, as people commit it', async () => {
  const mode = async (project: { dir: string }) => (await stat(join(project.dir, statePath))).mode & 0o777
  const fresh = await createStage({})
  await play(fresh, { answers: { 'Q-START': 'start' } })
  expect(await mode(fresh)).toBe(0o666 & ~process.umask())
  await chmod(join(fresh.dir, statePath), 0o664)
  await play(fresh, { answers: { 'Q-BRIEF': { value: 'text', text: 'a box' } }, acts: { Problem: does } })
  expect((await play(fresh)).record.current.step).toBe(2)
  expect(await mode(fresh)).toBe(0o664)
})

it('the prompt of the worker', async () => {
  const { workerPrompt } = await import('../../../source/workflows/lifecycle/personas/lifecycle-worker.js')
  const order = {
    projectDir: '/project',
    flow: 'greenfield',
    step: { id: '3', name: 'Plan', number: 3, total: 10 },
    subStep: { id: '4', name: 'Review' },
    subSteps: [{ id: '4', name: 'Review' }],
    skill: 'plan',
    gates: [{ id: 'risks', question: 'Are the risks accepted?', options: ['yes', 'no'], recommend: 'yes' }],
    attempt: 3,
    retry: { attempt: 2, errors: ['no data'] },
    gateAnswer: { id: 'store', choice: 'Files', note: 'small' },
    docsDir: '_docs',
    statePath,
    freshContext: false,
    brief: 'A box',
    prepareOnly: true,
    earlier: [{ step: '2 Research', result: { status: 'complete' } }],
    done: ['`_docs/02_document/architecture.md`'],
  }
  expect(workerPrompt(order, { interrupted: true, note: 'be brief' })).toMatchSnapshot()
  expect(
    workerPrompt(
      { ...order, retry: { attempt: 0, errors: [] }, earlier: [], gates: [], done: [], freshContext: true },
      { interrupted: false },
    ),
  ).toMatchSnapshot()
})
