import { expect, test } from 'vitest'
import { roadmapOf } from './roles.js'
import { createStage, play } from './stage.js'

const progress = [
  '',
  '## Progress',
  '',
  '| Phase | Plans Complete | Status | Completed |',
  '|---|---|---|---|',
  '| 1. Part 1 | 0/1 | Not started | - |',
  '',
].join('\n')

const oneRound = (id: string) =>
  [
    'research',
    'plan',
    'plan-check',
    'execution',
    'mini-verification',
    'verification',
    'judgement',
    'judgement-divergence',
    'rating',
  ].map((expects) => `${id} ${expects}`)

test('two phases, from research to their scores', { timeout: 240_000 }, async () => {
  const project = await createStage({ '.planning/ROADMAP.md': `${roadmapOf(2)}${progress}` })
  const played = await play(project)
  expect(played.gates).toEqual([])
  expect(played.stopped).toBe(false)
  expect(played.order).toEqual([...oneRound('1'), ...oneRound('2'), 'run integration', 'run audit'])
  // Tasks of the phase before are gone when the next one begins.
  const ofSecond = played.tasks.findIndex((tasks) => tasks.some(({ id }) => id.startsWith('02')))
  expect(played.tasks[ofSecond - 2]?.map(({ status }) => status)).toEqual(['complete'])
  expect(played.tasks[ofSecond - 1]).toEqual([])
  const { _meta, phases } = played.state
  expect(_meta).toMatchObject({ status: 'completed', queue: [], total_phases_processed: 2, total_retries: 0 })
  for (const record of Object.values(phases)) {
    expect(record).toMatchObject({
      status: 'completed',
      alignment_score: 9.4,
      steps: {
        preflight: { status: 'pass' },
        triage: { status: 'full_pipeline' },
        research: { status: 'completed' },
        plan: { status: 'completed' },
        plan_check: { status: 'pass', confidence: 9 },
        execute: { status: 'completed' },
        verify: { status: 'pass' },
        judge: { status: 'pass', recommendation: 'proceed' },
        rate: { status: 'completed', alignment_score: 9.4, score_band: 'good' },
      },
    })
  }
  expect(phases.phase_1?.steps.execute.tasks).toMatchObject({ '01-01': { status: 'completed', retries: 0 } })

  // What git holds: one commit a task, one of artifacts with the tick, and nothing left over.
  expect(await project.git('status', '--porcelain')).toBe('')
  expect((await project.git('log', '--format=%s', '--reverse')).split('\n')).toEqual([
    'First commit',
    'feat(1): 01-01 - done',
    'docs(phase-1): artifacts',
    'feat(2): 02-01 - done',
    'docs(phase-2): artifacts',
  ])
  expect(await project.read('.planning/ROADMAP.md')).toContain('- [x] **Phase 1: Part 1**')
  const row = /^\| 1\. Part 1 \| 1\/1 \| Complete \| \d{4}-\d\d-\d\d \|$/m
  expect(await project.read('.planning/ROADMAP.md')).toMatch(row)
  // The second phase has no row, and no manifest says anything of the project.
  expect(played.notes.some((line) => line.includes('has no row for this phase'))).toBe(true)
  expect(played.notes.some((line) => line.startsWith('No manifest says'))).toBe(true)
  expect(JSON.parse(await project.read('.planning/config.json'))).toEqual({
    verification_min_seconds: 0,
    project: {
      type: 'unknown',
      manifest: null,
      commands: { compile: null, test: null, lint: null, build: null },
      commands_source: 'auto-detected',
    },
  })
  expect(await project.git('tag')).toBe('')

  // The records of a phase.
  const dir = '.planning/phases/01-part-1'
  expect(await project.read(`${dir}/EXECUTION-LOG.md`)).toContain('### Task 01-01: Make 01-01')
  expect(await project.read(`${dir}/VERIFICATION.md`)).toContain('status: passed')
  expect(await project.read(`${dir}/SCORECARD.md`)).toContain('**Aggregate**: 9.4/10 (good)')
  expect((await project.read(`${dir}/TRACE.jsonl`)).trim().split('\n')).toHaveLength(9)
  expect(JSON.parse(await project.read(`${dir}/TRIAGE.json`))).toMatchObject({
    phase_id: '1',
    criteria_source: 'roadmap',
    routing_decision: 'full_pipeline',
    pass_ratio: 0,
  })
  const metrics = JSON.parse(await project.read('.autopilot/archive/metrics.json')) as unknown[]
  expect(metrics).toHaveLength(1)
  expect(metrics[0]).toMatchObject({ phases_attempted: 2, phases_succeeded: 2, avg_alignment_score: 9.4 })

  // Progress in plain lines.
  const { notes } = played
  expect(notes).toContain('=== [PHASE 1/2] Part 1 ===')
  expect(notes).toContain('[Phase 1] Step: EXECUTE (6/9) -- 1 task to run')
  expect(notes).toContain('[Phase 1] Task 01-01 (1/1): Make 01-01')
  expect(notes).toContain('[Phase 1] Task 01-01: VERIFIED')
  const ended = /^\[Phase 1\] \[PASS\] EXECUTE complete\. \((?:\d+m )?\d+s\) -- 1\/1 task passed$/
  expect(notes.some((line) => ended.test(line))).toBe(true)

  // The screen.
  const last = played.views.findLast(({ currentPhase }) => currentPhase === '2')
  expect(last?.phases[0]).toMatchObject({ id: '1', name: 'Part 1', status: 'complete' })
  expect(last?.phases[0]?.facts.map(({ text }) => text)).toEqual(['9.4 good'])
  const working = played.views.some(
    ({ steps }) => steps.find(({ id }) => id === 'execute')?.status === 'current',
  )
  expect(working).toBe(true)
})

test('how a phase failed or what it leaves out stands in plain lines, and one ignore line is added', async () => {
  const project = await createStage({
    '.planning/ROADMAP.md': roadmapOf(1),
    '.gitignore': 'node_modules/\n',
    '.planning/config.json': JSON.stringify({ verification_min_seconds: 0, workflow: { research: false } }),
  })
  const { notes } = await play(project, { acts: { plan: () => ({ failed: 'crash' }) } })
  expect(notes).toContain('[Phase 1] [SKIP] RESEARCH skipped (workflow.research is false)')
  expect(notes.some((line) => /^=== \[PHASE 1\/1\] FAILED: .+ ===$/.test(line))).toBe(true)
  expect(await project.read('.gitignore')).toBe('node_modules/\n.autopilot/\n')
  // What people plan is theirs to commit, and so it is.
  expect(await project.git('check-ignore', '.planning/ROADMAP.md').catch(() => 'not ignored')).toBe(
    'not ignored',
  )
})
