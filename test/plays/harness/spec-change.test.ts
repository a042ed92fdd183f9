import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { placeOfSubject } from '../../../source/sessions/place-of-subject.js'
import type { Question } from '../../../source/view/question.js'
import type { HarnessState } from '../../../source/workflows/harness/state/state.js'
import { harnessWorkflow } from '../../../source/workflows/harness/workflow.js'
import type { TestProject } from '../../support/project.js'
import {
  crash,
  createStage,
  decisionsOf,
  type Played,
  type PlayOptions,
  play,
  sessionDir,
  sessionFile,
  slug,
  specPath,
  specText,
} from './stage.js'

// The spec is another one than the session began with (docs/harness.md, "Changes of the spec").

const list = (...names: string[]) => specText(names.map((name) => ({ name })))

const planned = (played: Played) =>
  played.dispatches.filter(({ kind }) => kind === 'plan').map(({ brief }) => brief.phase.name)

const phasesOf = (state: HarnessState) => state.phases.map(({ name, status }) => [name, status])

const textOf = (question: Question | undefined) => [question?.title, ...(question?.body ?? [])].join('\n')

const changed = (played: Played) => played.asked.find(({ gate }) => gate === 'Q-SPEC-CHANGED')

/** A session of three phases that was left when the first was complete, and whose spec says something else now. */
async function leftAfterFirst(text: string): Promise<TestProject> {
  const project = await createStage([{ name: 'Box' }, { name: 'List' }, { name: 'Shelf' }])
  await play(project, { answers: { 'Q-NEXT': 'stop' } })
  await project.write(specPath, text)
  return project
}

/** As a version that kept no text of the spec left it. */
async function withoutKept(project: TestProject): Promise<void> {
  const { approvedSpec: _kept, ...state } = JSON.parse(await sessionFile(project, 'autopilot-state.json'))
  await writeFile(project.path(sessionDir, 'autopilot-state.json'), `${JSON.stringify(state, null, 2)}\n`)
}

async function resumed(text: string, options: PlayOptions = {}): Promise<Played> {
  const project = await leftAfterFirst(text)
  return play(project, { ...options, answers: { 'Q-SPEC-CHANGED': 'take', ...options.answers } })
}

describe('phases of the spec that are others than those of the session', () => {
  test('both lists are shown, with what stands where and what taking it over would come to', async () => {
    const project = await leftAfterFirst(list('Box', 'Crate', 'Shelf'))
    const played = await play(project, { answers: { 'Q-SPEC-CHANGED': 'stop' } })
    const text = textOf(changed(played))
    expect(text).toContain(specPath)
    for (const line of [
      '  Phase 1: Box (complete)',
      '  Phase 2: List (pending)',
      '  Phase 3: Shelf (pending)',
      '  Phase 1: Box (complexity: low)',
      '  Phase 2: Crate (complexity: low)',
      '  Phase 3: Shelf (complexity: low)',
      'Renamed: List is now Crate',
      '-### Phase 2: List',
      '+### Phase 2: Crate',
    ])
      expect(text).toContain(line)
    expect(changed(played)?.options.map(({ value }) => value)).toEqual(['take', 'keep', 'stop'])
    // What is read first, and edited, is the spec and not the plan of a phase.
    expect(changed(played)?.evidence).toMatchObject([{ title: specPath, path: specPath }])
    expect(changed(played)?.options.some(({ recommended }) => recommended)).toBe(false)
    // Nothing was decided: the same is asked again.
    expect(phasesOf(played.state)[1]).toEqual(['List', 'pending'])
    const again = await play(project, { answers: { 'Q-SPEC-CHANGED': 'stop' } })
    expect(textOf(changed(again))).toBe(text)
  })

  test('taken over: an added one is planned and executed, in its place', async () => {
    const played = await resumed(list('Box', 'Crate', 'List', 'Shelf'))
    expect(planned(played)).toEqual(['Crate', 'List', 'Shelf'])
    expect(phasesOf(played.state)).toEqual([
      ['Box', 'complete'],
      ['Crate', 'complete'],
      ['List', 'complete'],
      ['Shelf', 'complete'],
    ])
    expect(played.gates.filter((gate) => gate === 'Q-SPEC-CHANGED')).toHaveLength(1)
    expect(decisionsOf(played.state)).toContain('spec_changed')
  })

  test('taken over: a removed one is skipped, and has its history entry', async () => {
    const played = await resumed(list('Box', 'Shelf'))
    expect(planned(played)).toEqual(['Shelf'])
    expect(phasesOf(played.state)).toEqual([
      ['Box', 'complete'],
      ['List', 'skipped'],
      ['Shelf', 'complete'],
    ])
    expect(played.state.history).toMatchObject([{ phase: 0 }, { phase: 1, status: 'skipped' }, { phase: 2 }])
  })

  test('taken over: another order', async () => {
    const played = await resumed(list('Box', 'Shelf', 'List'))
    expect(planned(played)).toEqual(['Shelf', 'List'])
  })

  test('taken over: what is complete stays where it is, under its name', async () => {
    const played = await resumed(list('Shelf', 'List'))
    expect(textOf(changed(played))).toContain('Removed: Box; it is complete and stays')
    expect(phasesOf(played.state)).toEqual([
      ['Box', 'complete'],
      ['Shelf', 'complete'],
      ['List', 'complete'],
    ])
  })

  test('kept: the list stays, agents read the kept text, and nothing is asked again', async () => {
    const project = await leftAfterFirst(list('Box', 'Crate'))
    const played = await play(project, { answers: { 'Q-SPEC-CHANGED': 'keep' } })
    expect(planned(played)).toEqual(['List', 'Shelf'])
    expect(played.gates.filter((gate) => gate === 'Q-SPEC-CHANGED')).toHaveLength(1)
    expect(decisionsOf(played.state)).toContain('spec_change_refused')
    for (const { brief } of played.dispatches) {
      expect(brief.specPath).toContain(`${sessionDir}/approved/`)
      expect(await project.read(brief.specPath)).toBe(list('Box', 'List', 'Shelf'))
    }
    expect(played.dispatches[0]?.brief.phase.description).toContain('What List is about.')
    expect(await project.read(specPath)).toBe(list('Box', 'Crate'))
  })

  test('a phase that came while the last one was at work is not reviewed away', async () => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, {
      acts: {
        review: async ({ brief }) => {
          if (brief.phase.name === 'Box') await project.write(specPath, list('Box', 'List'))
          return { findings: [] }
        },
      },
      // A person worked beside the agent.
      answers: { 'Q-TOUCHED': 'mine', 'Q-SPEC-CHANGED': 'take' },
    })
    expect(planned(played)).toEqual(['Box', 'List'])
    expect(played.state.currentState).toBe('DONE')
    expect(phasesOf(played.state)).toEqual([
      ['Box', 'complete'],
      ['List', 'complete'],
    ])
  })

  test('in the middle of the final review: the review is left for the phase that was added', async () => {
    const project = await createStage([{ name: 'Box' }])
    await play(project, {
      acts: { 'final-review': () => crash('gone') },
      answers: { 'Q-AGENT': 'stop' },
    })
    await project.write(specPath, list('Box', 'List'))
    const played = await play(project, { answers: { 'Q-SPEC-CHANGED': 'take' } })
    expect(planned(played)).toEqual(['List'])
    expect(played.dispatches.filter(({ kind }) => kind === 'final-review')).toHaveLength(1)
    expect(phasesOf(played.state)).toEqual([
      ['Box', 'complete'],
      ['List', 'complete'],
    ])
  })

  test('asked when the session is taken up again in the middle of a phase, which stays', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    await play(project, { acts: { execution: () => crash('gone') }, answers: { 'Q-AGENT': 'stop' } })
    await project.write(specPath, list('List', 'Shelf'))
    const played = await play(project, { answers: { 'Q-SPEC-CHANGED': 'take', 'Q-AGENT': 'retry' } })
    expect(played.gates[0]).toBe('Q-SPEC-CHANGED')
    expect(textOf(changed(played))).toContain('Removed: Box; it is being worked on and stays')
    expect(phasesOf(played.state)).toEqual([
      ['Box', 'complete'],
      ['List', 'complete'],
      ['Shelf', 'complete'],
    ])
  })

  test('changed once more before the answer took effect: asked about what is there now', async () => {
    const project = await leftAfterFirst(list('Box', 'Crate'))
    const played = await play(project, {
      answers: {
        'Q-SPEC-CHANGED': [
          () => {
            writeFileSync(project.path(specPath), list('Box', 'List', 'Shelf', 'Rack'))
            return 'take'
          },
          'take',
        ],
      },
    })
    expect(planned(played)).toEqual(['List', 'Shelf', 'Rack'])
  })
})

describe('the text of the spec', () => {
  const other = list('Box', 'List', 'Shelf').replace('What List is about.', 'What a list holds.')

  test('another text of a phase is asked; taken over, its agents are told', async () => {
    const played = await resumed(other)
    expect(textOf(changed(played))).toContain('Another text: List')
    expect(played.dispatches[0]?.brief).toMatchObject({
      specPath,
      phase: { name: 'List', description: expect.stringContaining('What a list holds.') },
    })
  })

  test('another layout is a note, and nothing is asked', async () => {
    const wrapped = list('Box', 'List', 'Shelf').replace('What List is about.', 'What List\nis about.\n')
    const project = await leftAfterFirst(wrapped)
    const played = await play(project)
    expect(changed(played)).toBeUndefined()
    expect(played.notes.filter((note) => note.includes('laid out otherwise'))).toHaveLength(1)
    expect(played.dispatches[0]?.brief.specPath).toBe(specPath)
  })

  test('nothing changed: nothing asked, nothing noted', async () => {
    const played = await resumed(list('Box', 'List', 'Shelf'))
    expect(changed(played)).toBeUndefined()
    expect(played.records.some((record) => record.type === 'visit' && record.state === 'spec')).toBe(false)
    expect(decisionsOf(played.state)).not.toContain('spec_changed')
  })

  test('gone: said once, and the kept text is what agents read', async () => {
    const project = await leftAfterFirst('')
    await rm(project.path(specPath))
    const played = await play(project)
    expect(played.notes.filter((note) => note.includes('is not there'))).toHaveLength(1)
    expect(await project.read(played.dispatches[0]?.brief.specPath ?? '')).toBe(list('Box', 'List', 'Shelf'))
    expect(played.state.currentState).toBe('DONE')
  })

  test('something else in its place is asked at once; looked at again, or the kept text goes on', async () => {
    const project = await leftAfterFirst('')
    await rm(project.path(specPath))
    execFileSync('mkfifo', [project.path(specPath)])
    const played = await play(project, { answers: { 'Q-SPEC-CHANGED': ['again', 'keep'] } })
    expect(textOf(changed(played))).toContain(specPath)
    expect(played.gates.filter((gate) => gate === 'Q-SPEC-CHANGED')).toHaveLength(2)
    expect(await project.read(played.dispatches[0]?.brief.specPath ?? '')).toBe(list('Box', 'List', 'Shelf'))
    expect(played.state.currentState).toBe('DONE')
  })

  test('a session of before has kept none: it is kept from now on; another list is asked', async () => {
    for (const [names, asks] of [
      [['Box', 'List', 'Shelf'], false],
      [['Box', 'List'], true],
    ] as const) {
      const project = await leftAfterFirst(list(...names))
      await withoutKept(project)
      const played = await play(project, {
        askFirst: () => ({ value: 'accept' }),
        answers: { 'Q-SPEC-CHANGED': 'take' },
      })
      expect(changed(played) !== undefined).toBe(asks)
      expect(played.state.approvedSpec).toHaveLength(64)
      expect(phasesOf(played.state)[2]).toEqual(['Shelf', asks ? 'skipped' : 'complete'])
    }
  })
})

describe('a spec that was moved', () => {
  const to = 'docs/changes/seeds-2030/proposal.md'

  async function movedStage(): Promise<TestProject> {
    const project = await leftAfterFirst(list('Box', 'List', 'Shelf'))
    await mkdir(project.path('docs/changes/seeds-2030'), { recursive: true })
    await rename(project.path(specPath), project.path(to))
    return project
  }

  const place = (project: TestProject, answer: string, asked: Question[] = []) =>
    placeOfSubject({ root: project.dir, workflow: harnessWorkflow, subject: to }, async (question) => {
      asked.push(question)
      return { value: answer }
    })

  test('finds its session by its content, and asks; the session goes on under the new path', async () => {
    const project = await movedStage()
    const asked: Question[] = []
    expect((await place(project, 'go on', asked))?.slug).toBe(slug)
    expect(asked.map(({ gate }) => gate)).toEqual(['Q-MOVED'])
    expect(textOf(asked[0])).toContain(specPath)
    const played = await play(project, { spec: to, slug })
    expect(played.state).toMatchObject({ specPath: to, currentState: 'DONE' })
    expect(decisionsOf(played.state)).toContain('spec_moved')
    expect(played.dispatches[0]?.brief.specPath).toBe(to)
    expect(planned(played)).toEqual(['List', 'Shelf'])
    // It is found by its name from now on.
    const later: Question[] = []
    expect((await place(project, 'stop', later))?.slug).toBe(slug)
    expect(later).toEqual([])
  })

  test('a new session, or nothing, if the person wants that', async () => {
    const project = await movedStage()
    expect((await place(project, 'anew'))?.slug).toBe('changes--seeds-2030--proposal')
    expect(await place(project, 'stop')).toBeUndefined()
  })

  test('a copy, and a file that says something else, are specs of their own', async () => {
    const project = await movedStage()
    const asked: Question[] = []
    await project.write(specPath, list('Box', 'List', 'Shelf'))
    expect((await place(project, 'go on', asked))?.slug).not.toBe(slug)
    await rm(project.path(specPath))
    await project.write(to, list('Crate'))
    expect((await place(project, 'go on', asked))?.slug).not.toBe(slug)
    expect(asked).toEqual([])
  })
})
