import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { ListItem, Question } from '../../../source/view/question.js'
import { phaseMark } from '../../../source/workflows/harness/phases.js'
import { createStage, type Played, play, specPath } from './stage.js'

// A phase keeps what it was read from: its own lines, the spec's label, a plan file of its own (docs/harness.md, "Spec
// grammar").

const caseOf = (name: string) =>
  readFile(new URL(`../../fixtures/cases/specs/${name}.md`, import.meta.url), 'utf8')

const planned = ({ dispatches }: Played) => dispatches.filter(({ kind }) => kind === 'plan')
const described = (played: Played) => planned(played).map(({ brief }) => brief.phase.description)

const edited = (change: (items: ListItem[]) => ListItem[]) => ({
  'Q-READING': (question: Question) => ({ value: 'edit', items: change(question.list?.items ?? []) }),
})

describe('the label of the spec', () => {
  test('is where people and prompts see the phase, and in the dispatch; numbers count from 1', async () => {
    const project = await createStage(await caseOf('zero'))
    const played = await play(project)
    expect(planned(played).map(({ brief }) => brief.phase)).toMatchObject([
      { number: 1, label: '0', name: 'Tree list' },
      { number: 2, label: '2', name: 'Harvest notes' },
      { number: 3, label: '3', name: 'Report' },
    ])
    const [first] = planned(played)
    expect(first?.prompt).toContain('plan phase 0: Tree list')
    expect(first?.prompt).toContain('1 of 3: Tree list (the spec calls it Phase 0)')
    expect(played.reports.flat()).toContain('Auto-approved Phase 0: Tree list')
    expect(played.asked.map(({ title }) => title)).toContain(
      'Phase 0 complete. Next: Phase 2: Harvest notes (complexity: medium). Continue?',
    )
    expect(played.state.phases.map(phaseMark)).toEqual(['0', '2', '3'])
    expect(await project.read('.harness/sessions/changes--seeds--proposal/phase-1-review.json')).toBeDefined()
  })

  test('stays out of commits and the environment, where phases are counted from 1', async () => {
    const project = await createStage(await caseOf('zero'))
    const places: (string | undefined)[] = []
    const played = await play(project, {
      acts: {
        execution: async ({ environment }, here) => {
          places.push(environment.AUTOPILOT_PHASE)
          await here.write('work/half.txt', `${places.length}\n`)
          return { status: 'failed', completed: [], failure: { task: 'Task 1', error: 'red' } }
        },
      },
      answers: { 'Q-RETRY': 'stop' },
    })
    expect(played.gates).toContain('Q-RETRY')
    expect(new Set(places)).toEqual(new Set(['1']))
    expect(await project.git('log', '--format=%s', '-1')).toContain(
      '[autopilot][recovery] Phase 1: Tree list',
    )
  })
})

describe('the text of a phase', () => {
  test('is that of its own lines, where two have one label', async () => {
    const project = await createStage(await caseOf('dup'))
    const played = await play(project, { answers: { 'Q-READING': 'use' } })
    expect(described(played).map((text) => text.split('\n').at(-1))).toEqual([
      'Keep trees.',
      'Keep notes.',
      'Print it.',
    ])
  })

  test('stays through renames and drops in the editor', async () => {
    const project = await createStage(await caseOf('dup'))
    const played = await play(project, {
      answers: edited(([first, second, third]) => [
        { ...(first as ListItem), dropped: true },
        { ...(second as ListItem), name: 'Something else' },
        third as ListItem,
      ]),
    })
    expect(described(played).map((text) => text.split('\n').at(-1))).toEqual(['Keep notes.', 'Print it.'])
  })

  test('of rows that were merged is that of all of them', async () => {
    const project = await createStage(await caseOf('dup'))
    const played = await play(project, {
      answers: edited(([first, second]) => [
        { ...(first as ListItem), name: 'Both', merged: [(second as ListItem).line ?? 0] },
      ]),
    })
    expect(described(played)[0]).toContain('Keep trees.')
    expect(described(played)[0]).toContain('Keep notes.')
  })

  test('below a heading that the person chose', async () => {
    const project = await createStage(
      '# Seeds\n\n## Ideas\n\n- **Phase 1 — Box.** Fold it.\n- **Phase 2 — List.** Write it.\n',
    )
    const played = await play(project, {
      answers: { 'Q-READING': [{ value: 'heading', text: '3' }, 'use'] },
    })
    expect(described(played)).toEqual(['Fold it.', 'Write it.'])
  })

  test('of items of a list that were taken as phases', async () => {
    const project = await createStage(
      '# Seeds\n\n## Implementation Order\n\n1. Fold the box.\n   In half.\n2. Write.\n',
    )
    const played = await play(project, {
      answers: edited((items) => items.map((item, index) => ({ ...item, dropped: index === 0 }))),
    })
    expect(played.state.phases.map(({ name }) => name)).toHaveLength(2)
    expect(described(played)[1]).not.toContain('half')
    const typed = await createStage('# Seeds\n\n## Ideas\n\nProse.\n')
    const own = await play(typed, {
      answers: { 'Q-READING': { value: 'edit', items: [{ id: '1', name: 'Typed', choice: 'low' }] } },
    })
    expect(described(own)).toEqual([''])
  })

  test('is the one that was read, whatever becomes of the spec', async () => {
    const project = await createStage(await caseOf('zero'))
    await play(project, { answers: { 'Q-NEXT': 'stop' } })
    const text = await project.read(specPath)
    await project.write(specPath, text.replace('Keep notes.', 'Burn the notes.'))
    const played = await play(project, { answers: { 'Q-SPEC-CHANGED': 'keep' } })
    expect(described(played)[0]).toContain('Keep notes.')
  })
})

describe('the plan file of a phase', () => {
  test('is its own, where two phases have one name', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'Box' }])
    const played = await play(project)
    const [first, second] = planned(played).map(({ brief }) => brief.planPath)
    expect(first).toMatch(/-box-plan\.md$/)
    expect(second).toMatch(/-box-phase-2-plan\.md$/)
    expect(played.state.phases.map(({ planPath }) => planPath)).toEqual([first, second])
  })

  test('is its own, where another spec had the name on the same day', async () => {
    const project = await createStage([{ name: 'Box' }])
    const day = new Date().toISOString().slice(0, 10)
    await project.write(`docs/plans/${day}-box-plan.md`, '# Plan: of another spec\n')
    const played = await play(project)
    expect(planned(played)[0]?.brief.planPath).toMatch(/-box-phase-1-plan\.md$/)
    expect(await project.read(`docs/plans/${day}-box-plan.md`)).toBe('# Plan: of another spec\n')
  })
})
