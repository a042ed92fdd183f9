import { writeFileSync } from 'node:fs'
import { rm, utimes } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  type Act,
  crash,
  createStage,
  decisionsOf,
  type Played,
  planText,
  play,
  sessionFile,
  specPath,
  specText,
} from './stage.js'

// INIT, ASSESS, PLAN (docs/harness.md, "Start of a session", "States").

const ofKind = (played: Played, kind: string) => played.dispatches.filter((one) => one.kind === kind)
const stopAfterPlan = { answers: { 'Q-APPROVE': 'stop' }, flags: { reviewPlans: true } }

describe('INIT', () => {
  test('the state of a fresh session, and the git ignore entry', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List', complexity: 'high' }])
    const played = await play(project, { ...stopAfterPlan })
    expect(played.state).toMatchObject({
      schemaVersion: 5,
      sessionDir: '.harness/sessions/changes--seeds--proposal',
      specPath,
      startingCommit: await project.git('rev-parse', 'HEAD'),
      reviewPlans: true,
      rigorLevel: 'standard',
      phases: [
        { name: 'Box', complexity: 'low', status: 'in-progress' },
        { name: 'List', complexity: 'high', status: 'pending', planPath: null },
      ],
      retryBudget: { maxAttempts: 3, currentTask: null },
      finalReview: { status: 'pending', findings: [], retryCount: 0 },
    })
    expect(await project.read('.harness/.gitignore')).toContain('sessions/')
    expect(await project.git('status', '--porcelain', '--untracked-files=all')).not.toContain(
      '.harness/sessions',
    )
  })

  const bold =
    '# Seeds\n\n## 7. Implementation order, as agreed\n\n- **Phase 1 — Box.** Fold it.\n- **Phase 2 — List.** Write it.\n'

  test('a tolerant reading is confirmed with its source lines, and recorded', async () => {
    const project = await createStage(bold)
    const played = await play(project, {
      ...stopAfterPlan,
      answers: { 'Q-READING': 'use', 'Q-APPROVE': 'stop' },
    })
    const gate = played.asked[0]
    expect(gate?.options.map(({ label }) => label)).toEqual(['use these phases', 'edit the list', 'stop'])
    expect(gate?.body).toContain('  line 5: Phase 1: Box (complexity: medium)')
    expect(gate?.list?.items.map(({ name, line }) => [name, line])).toEqual([
      ['Box', 5],
      ['List', 6],
    ])
    expect(played.state.decisions[0]).toMatchObject({ decision: 'phases_confirmed', choice: 'bold' })
  })

  test('the edited list counts: renamed, dropped, of another complexity', async () => {
    const project = await createStage(bold)
    const played = await play(project, {
      ...stopAfterPlan,
      answers: {
        'Q-READING': (question) => ({
          value: 'edit',
          items: (question.list?.items ?? []).map((phase, index) =>
            index === 0 ? { ...phase, name: 'Crate', choice: 'low' } : { ...phase, dropped: true },
          ),
        }),
        'Q-APPROVE': 'stop',
      },
    })
    expect(played.state.phases).toMatchObject([{ name: 'Crate', complexity: 'low' }])
    expect(played.notes).toContainEqual(expect.stringContaining('two or more'))
  })

  test('stop while reading leaves no state; the question comes back', async () => {
    const project = await createStage(bold)
    const first = await play(project, { answers: { 'Q-READING': 'stop' } })
    expect(first.stopped).toBe(true)
    expect(first.state).toBeUndefined()
    const second = await play(project, {
      ...stopAfterPlan,
      answers: { 'Q-READING': 'use', 'Q-APPROVE': 'stop' },
    })
    expect(second.asked[0]?.id).toBe(first.asked[0]?.id)
  })

  test('no phases at all: a heading, typed phases, or the spec edited and read again', async () => {
    const text = '# Seeds\n\n## Ideas\n\nSome prose.\n'
    const typed = await createStage(text)
    const played = await play(typed, {
      ...stopAfterPlan,
      answers: {
        'Q-READING': { value: 'edit', items: [{ id: '1', name: 'Typed', choice: 'low' }] },
        'Q-APPROVE': 'stop',
      },
    })
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual([
      'choose a heading',
      'type the phases',
      'edit the spec and retry',
      'stop',
    ])
    expect(played.state.phases).toMatchObject([{ name: 'Typed' }])

    const headed = await createStage(
      '# Seeds\n\n## Ideas\n\n- **Phase 1 — Box.** Fold it.\n- **Phase 2 — List.** Write it.\n',
    )
    const chosen = await play(headed, {
      ...stopAfterPlan,
      answers: { 'Q-READING': [{ value: 'heading', text: '3' }, 'use'], 'Q-APPROVE': 'stop' },
    })
    expect(chosen.state.phases).toMatchObject([{ name: 'Box' }, { name: 'List' }])

    const edited = await createStage(text)
    const again = await play(edited, {
      ...stopAfterPlan,
      answers: {
        'Q-READING': () => {
          writeFileSync(edited.path(specPath), specText([{ name: 'Mended' }]))
          return 'retry'
        },
        'Q-APPROVE': 'stop',
      },
    })
    expect(again.state.phases).toMatchObject([{ name: 'Mended', complexity: 'low' }])
  })
})

describe('ASSESS and PLAN', () => {
  test('the planner is asked for the date and name of the phase; what it wrote instead is found', async () => {
    const project = await createStage([{ name: 'Box' }])
    const plan: Act = async (_dispatch, here) => {
      await here.write('docs/plans/something-else.md', planText(3))
      return { planPath: 'docs/plans/not-there.md', concerns: [] }
    }
    const played = await play(project, { ...stopAfterPlan, acts: { plan } })
    expect(ofKind(played, 'plan')[0]?.brief.planPath).toMatch(/^docs\/plans\/\d{4}-\d\d-\d\d-box-plan\.md$/)
    expect(played.state.phases[0]?.planPath).toBe('docs/plans/something-else.md')
  })

  test('several new files: which one is asked', async () => {
    const project = await createStage([{ name: 'Box' }])
    const plan: Act = async (_dispatch, here) => {
      for (const name of ['one', 'two']) await here.write(`docs/plans/${name}.md`, planText(1))
      return { planPath: 'nowhere', concerns: [] }
    }
    const played = await play(project, {
      ...stopAfterPlan,
      acts: { plan },
      answers: { 'Q-PLAN-FILE': 'docs/plans/two.md', 'Q-APPROVE': 'stop' },
    })
    expect(played.state.phases[0]?.planPath).toBe('docs/plans/two.md')
  })

  test('no plan: retry the step, or choose a file; a path outside the project is none', async () => {
    const project = await createStage([{ name: 'Box' }], { 'notes/mine.md': planText(4) })
    const played = await play(project, {
      ...stopAfterPlan,
      acts: { plan: () => ({ planPath: '../outside.md', concerns: ['odd'] }) },
      answers: {
        'Q-AGENT': [
          'retry',
          { value: 'choose', text: '/etc/hosts.md' },
          { value: 'choose', text: './notes/mine.md' },
        ],
        'Q-APPROVE': 'stop',
      },
    })
    expect(played.gates).toEqual(['Q-AGENT', 'Q-AGENT', 'Q-AGENT', 'Q-APPROVE'])
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual([
      'retry the step',
      'choose plan file',
      'stop',
    ])
    expect(played.state.phases[0]).toMatchObject({ planPath: 'notes/mine.md', concerns: ['odd'] })
  })

  test('a failed planner can be replaced by a file too', async () => {
    const project = await createStage([{ name: 'Box' }], { 'notes/mine.md': planText(4) })
    const played = await play(project, {
      ...stopAfterPlan,
      acts: { plan: () => crash('no account') },
      answers: { 'Q-AGENT': { value: 'choose', text: 'notes/mine.md' }, 'Q-APPROVE': 'stop' },
    })
    expect(played.state.phases[0]?.planPath).toBe('notes/mine.md')
  })

  test('concerns of the handoff count beside those of the result; an old handoff says nothing', async () => {
    const project = await createStage([{ name: 'Box' }])
    const handoff = (concern: string) =>
      JSON.stringify({ fromSkill: 'harness-planning', concerns: [concern] })
    await project.write('.harness/sessions/changes--seeds--proposal/handoff.json', handoff('stale'))

    await utimes(project.path('.harness/sessions/changes--seeds--proposal/handoff.json'), 1, 1)
    const without = await play(project, { ...stopAfterPlan })
    expect(without.state.phases[0]?.concerns).toEqual([])

    const other = await createStage([{ name: 'Box' }])
    const plan: Act = async ({ brief }, here) => {
      await here.write(brief.planPath, planText(1))
      await here.write('.harness/sessions/changes--seeds--proposal/handoff.json', handoff('of the handoff'))
      return { planPath: brief.planPath, concerns: ['of the result'] }
    }
    const played = await play(other, { ...stopAfterPlan, acts: { plan } })
    expect(played.state.phases[0]?.concerns).toEqual(['of the result', 'of the handoff'])
  })

  test('the planner wrote no handoff: it is written from the result', async () => {
    const project = await createStage([{ name: 'Box' }])
    await play(project, { ...stopAfterPlan })
    expect(JSON.parse(await sessionFile(project, 'handoff.json'))).toMatchObject({
      fromSkill: 'harness-planning',
      phase: 'VALIDATE',
      pending: [],
      concerns: [],
    })
  })

  test('high complexity waits: check again, choose a file, stop; the flag is in the state', async () => {
    const project = await createStage([{ name: 'Box', complexity: 'high' }])
    const first = await play(project, { answers: { 'Q-INTERACTIVE': ['check', 'stop'] } })
    expect(first.gates).toEqual(['Q-INTERACTIVE', 'Q-INTERACTIVE'])
    expect(first.asked[0]?.options.map(({ label }) => label)).toEqual([
      'check again',
      'choose plan file',
      'stop',
    ])
    expect(first.state).toMatchObject({ currentState: 'PLAN', awaitingInteractivePlan: true })
    expect(first.dispatches).toEqual([])

    await project.write('elsewhere/plan.md', planText(3))
    const second = await play(project, {
      answers: { 'Q-INTERACTIVE': { value: 'choose', text: 'elsewhere/plan.md' }, 'Q-APPROVE': 'stop' },
    })
    expect(second.state).toMatchObject({
      currentState: 'APPROVE_PLAN',
      awaitingInteractivePlan: false,
      phases: [{ planPath: 'elsewhere/plan.md' }],
    })
  })

  test('a plan file that is there already goes straight to the gate', async () => {
    const project = await createStage([{ name: 'Box' }])
    const first = await play(project, { ...stopAfterPlan })
    expect(first.state.currentState).toBe('APPROVE_PLAN')
    await rm(project.path(first.state.phases[0]?.planPath ?? ''))
    const second = await play(project, { answers: { 'Q-APPROVE': 'stop' } })
    expect(ofKind(second, 'plan')).toHaveLength(1)
    expect(decisionsOf(second.state)).toEqual(['stopped', 'stopped'])
  })

  test('thorough: the outline is approved before it is written out, and can be revised', async () => {
    const project = await createStage([{ name: 'Box' }])
    const plan: Act = async ({ brief, nth }, here) => {
      if (brief.approvedSkeleton === undefined)
        return { planPath: brief.planPath, concerns: [], skeleton: `outline ${nth}` }
      await here.write(brief.planPath, planText(2))
      return { planPath: brief.planPath, concerns: [] }
    }
    const played = await play(project, {
      flags: { thorough: true },
      acts: { plan },
      answers: { 'Q-SKELETON': [{ value: 'revise', text: 'shorter' }, 'approve'], 'Q-APPROVE': 'stop' },
    })
    const plans = ofKind(played, 'plan')
    expect(plans.map(({ brief }) => [brief.note, brief.approvedSkeleton])).toEqual([
      [undefined, undefined],
      ['shorter', undefined],
      [undefined, 'outline 2'],
    ])
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual(['approve', 'revise', 'stop'])
    expect(played.asked[1]?.body).toEqual(['outline 2'])
  })

  test('thorough: what an outline and the plan do not hold any more is told', async () => {
    const project = await createStage([{ name: 'Box' }])
    const plan: Act = async ({ brief, nth }, here) => {
      const planPath = brief.planPath
      const skeleton =
        nth === 1 ? '1. step 1 [checkpoint:human-verify]\n2. step 2\n3. lid' : '1. step 1\n2. step 2'
      if (brief.approvedSkeleton === undefined) return { planPath, concerns: [], skeleton }
      await here.write(planPath, planText(1))
      return { planPath, concerns: [] }
    }
    const played = await play(project, {
      flags: { thorough: true },
      acts: { plan },
      answers: { 'Q-SKELETON': [{ value: 'revise', text: 'shorter' }, 'approve'], 'Q-APPROVE': 'stop' },
    })
    const [, outline, gate] = played.asked.map(({ body }) => body.join('\n'))
    expect(outline).toMatch(
      /Task 1 \(step 1\) is not marked human-verify any more\.\n\s*Task 3 \(lid\) is gone\./,
    )
    expect(gate).toMatch(/Since the outline that you approved:\n\s*Task 2 \(step 2\) is gone\./)
  })
})
