import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { placeOfSubject } from '../../../source/sessions/place-of-subject.js'
import type { Question } from '../../../source/view/question.js'
import { harnessWorkflow } from '../../../source/workflows/harness/workflow.js'
import type { TestProject } from '../../support/project.js'
import { createStage, planText, play, sessionDir, slug, specPath } from './stage.js'

// `docs/changes/<topic>/autopilot-state.json`: what another tool has kept of a session (docs/harness.md, "State migrations").

const recordPath = 'docs/changes/seeds/autopilot-state.json'

const state = (more: object = {}) => ({
  schemaVersion: 5,
  specPath: `./${specPath}`,
  sessionDir: 'somewhere/else',
  startingCommit: null,
  currentState: 'ASSESS',
  currentPhase: 1,
  phases: [
    { name: 'Box', complexity: 'low', planPath: 'docs/plans/box-plan.md', status: 'complete' },
    { name: 'List', complexity: 'low', planPath: null, status: 'pending' },
  ],
  retryBudget: { maxAttempts: 3, currentTask: null },
  history: [],
  decisions: [],
  reviewPlans: false,
  rigorLevel: 'standard',
  finalReview: { status: 'pending', findings: [], retryCount: 0 },
  notes: ['of another tool'],
  ...more,
})

async function stage(text: string): Promise<TestProject> {
  const project = await createStage([{ name: 'Box' }, { name: 'List' }], {
    'docs/plans/box-plan.md': planText(2),
  })
  await mkdir(project.path('docs/changes/seeds'), { recursive: true })
  await writeFile(project.path(recordPath), text)
  return project
}

const begun = (project: TestProject) => readdir(project.path(sessionDir)).catch(() => [])

async function place(project: TestProject, answer: string) {
  const asked: Question[] = []
  const found = await placeOfSubject(
    { root: project.dir, workflow: harnessWorkflow, subject: specPath },
    async (question) => {
      asked.push(question)
      return { value: answer }
    },
  )
  return { slug: found?.slug, asked }
}

describe('a record of another tool', () => {
  test('is offered, imported, gone on with where it stands, and never written', async () => {
    const text = `${JSON.stringify(state(), null, 4)}\n`
    const project = await stage(text)
    const { slug: found, asked } = await place(project, 'import')
    expect(found).toBe(slug)
    expect(asked.map(({ gate }) => gate)).toEqual(['Q-IMPORT'])
    expect(asked[0]?.body.slice(0, 2)).toEqual([recordPath, 'It is in ASSESS, phase 2 (2 of 2): List'])
    const played = await play(project, {
      askFirst: () => ({ value: 'adopt' }),
      answers: { 'Q-BASE': 'head' },
    })
    expect(played.state).toMatchObject({ currentState: 'DONE', notes: ['of another tool'] })
    expect(played.dispatches.map(({ brief }) => brief.phase.name)).not.toContain('Box')
    expect(await project.read(recordPath)).toBe(text)
    expect((await place(project, 'import')).asked).toEqual([])
  })

  test('is left alone by a new session, and by a stop: nothing is written', async () => {
    const project = await stage(JSON.stringify(state()))
    expect((await place(project, 'stop')).slug).toBeUndefined()
    expect(await begun(project)).toEqual([])
    expect((await place(project, 'anew')).slug).toBe(slug)
    expect(await begun(project)).toEqual([])
  })

  test('of another spec, of a later version, or that cannot be read, is not offered', async () => {
    for (const text of [
      JSON.stringify(state({ specPath: 'docs/changes/other/proposal.md' })),
      JSON.stringify(state({ schemaVersion: 9 })),
      JSON.stringify({ specPath, phases: 'two' }),
      '{ "specPath": ',
    ]) {
      const project = await stage(text)
      const { slug: found, asked } = await place(project, 'import')
      expect(asked).toEqual([])
      expect(found).toBe(slug)
    }
  })
})
