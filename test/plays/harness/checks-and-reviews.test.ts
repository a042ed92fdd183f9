import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { ValidateOutcome } from '../../../source/workflows/harness/validate.js'
import type { TestProject } from '../../support/project.js'
import { type Act, createStage, decisionsOf, type Played, play, sessionFile } from './stage.js'

// VERIFY, REVIEW, PHASE_COMPLETE, FINAL_REVIEW (docs/harness.md, "States", "Rigor").

const box = [{ name: 'Box' }]
const ofKind = (played: Played, kind: string) => played.dispatches.filter((one) => one.kind === kind)
const finding = (severity: string, title = 'Bad loop') => ({ severity, file: 'src/a.ts', line: 3, title })

const committing: Act = async ({ brief, nth }, project: TestProject) => {
  await project.commit(`work ${nth}`, { [`src/${brief.phase.number}-${nth}.ts`]: 'x\n' })
  return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
}

const mending: Act = async ({ nth }, project: TestProject) => {
  await project.commit(`fix ${nth}`, { [`src/fix-${nth}.ts`]: 'x\n' })
  return { status: 'complete', completed: [] }
}

describe('VERIFY', () => {
  test.each(['fail', 'incomplete'])(
    'verdict %s: fix goes to the executor with the gaps, then verifies again',
    async (verdict) => {
      const project = await createStage(box)
      const played = await play(project, {
        acts: {
          verification: ({ nth }) =>
            nth === 1 ? { verdict, gaps: ['no lid'] } : { verdict: 'pass', gaps: [] },
        },
        answers: { 'Q-VERIFY': 'fix' },
      })
      expect(played.gates).toEqual(['Q-VERIFY', 'Q-PR'])
      expect(played.asked[0]?.options.map(({ label }) => label)).toEqual(['fix', 'skip verification', 'stop'])
      expect(played.asked[0]?.body.at(-1)).toBe('no lid')
      const fix = ofKind(played, 'execution')[1]
      expect(fix?.brief.findings).toContain('no lid')
      expect(fix?.brief.tasks).toEqual([])
      expect(played.dispatches.map(({ kind }) => kind)).toEqual([
        'plan',
        'execution',
        'verification',
        'execution',
        'verification',
        'review',
        'final-review',
      ])
      expect(played.state.history).toMatchObject([{ verificationPassed: true }])
      expect(played.state.fix).toBeUndefined()
    },
  )

  test('skip verification: recorded, and the reviewer is warned', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { verification: () => ({ verdict: 'fail', gaps: ['no lid'] }) },
      answers: { 'Q-VERIFY': 'skip' },
    })
    expect(decisionsOf(played.state)).toContain('skipped_verification')
    expect(played.state.phases[0]?.verification).toBe('skipped')
    expect(ofKind(played, 'review')[0]?.prompt).toContain('no lid')
    expect(played.state.history).toMatchObject([{ verificationPassed: false }])
  })

  test('two verdicts that contradict each other are a question', async () => {
    const project = await createStage(box)
    const verification: Act = async ({ nth }, here) => {
      await here.write(
        '.harness/sessions/changes--seeds--proposal/handoff.json',
        JSON.stringify({ fromSkill: 'harness-verification', verdict: nth === 1 ? 'FAIL' : 'PASS' }),
      )
      return { verdict: 'pass', gaps: [] }
    }
    const played = await play(project, { acts: { verification }, answers: { 'Q-AGENT': 'retry' } })
    expect(played.gates).toEqual(['Q-AGENT', 'Q-PR'])
    expect(ofKind(played, 'verification')).toHaveLength(2)
  })

  test('fast runs the validate command and no verifier', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      flags: { fast: true },
      validate: (nth) =>
        nth === 2
          ? {
              kind: 'failed',
              issues: [{ check: 'lint', file: 'src/a.ts', message: 'unused', suggestion: 'drop it' }],
            }
          : { kind: 'pass' },
      answers: { 'Q-VERIFY': 'fix' },
    })
    expect(played.asked[0]?.body.join()).toContain('src/a.ts: lint: unused (drop it)')
    expect(ofKind(played, 'verification')).toHaveLength(0)
    expect(ofKind(played, 'execution')).toHaveLength(2)
  })

  test.each<[ValidateOutcome, RegExp]>([
    [{ kind: 'not-installed' }, /No `harness` command/],
    [{ kind: 'cannot-run', reason: 'no harness.config.json' }, /no harness\.config\.json/],
    [{ kind: 'unavailable', checks: ['docs'] }, /docs/],
  ])('fast, validation says nothing (%o): Q-VALIDATE', async (outcome, says) => {
    const project = await createStage(box)
    const byVerifier = await play(project, {
      flags: { fast: true },
      validate: () => outcome,
      answers: { 'Q-VALIDATE': 'verifier' },
    })
    const gate = byVerifier.asked.find((question) => question.gate === 'Q-VALIDATE')
    expect(gate?.options.map(({ label }) => label)).toEqual([
      'run verifier instead',
      'skip verification',
      'stop',
    ])
    expect(gate?.body.join('\n')).toMatch(says)
    expect(ofKind(byVerifier, 'verification')).toHaveLength(1)
  })

  test('fast, Q-VALIDATE skipped: decision and warning', async () => {
    const project = await createStage(box)
    const played = await play(project, { flags: { fast: true }, answers: { 'Q-VALIDATE': 'skip' } })
    expect(decisionsOf(played.state)).toEqual(['auto_approved_plan_fast', 'skipped_verification'])
  })
})

describe('REVIEW', () => {
  test('every severity word of the map, and an unknown one, which blocks', async () => {
    const project = await createStage(box)
    const words = ['CRITICAL', 'blocking', 'Important', 'warning', 'suggestion', 'note', 'odd']
    const played = await play(project, {
      acts: { review: () => ({ findings: words.map((word) => finding(word, word)) }) },
      answers: { 'Q-REVIEW': { value: 'override', text: 'known' } },
    })
    const written = JSON.parse(await sessionFile(project, 'phase-1-review.json'))
    expect(written.map((one: { severity: string }) => one.severity)).toEqual([
      'blocking',
      'blocking',
      'warning',
      'warning',
      'note',
      'note',
      'blocking',
    ])
    expect(written[0]).toEqual({
      severity: 'blocking',
      file: 'src/a.ts',
      line: 3,
      title: 'CRITICAL',
      rawSeverity: 'CRITICAL',
    })
    expect(played.state.history).toMatchObject([{ reviewFindings: { blocking: 3, warning: 2, note: 2 } }])
    expect(played.asked[0]?.body).toHaveLength(3)
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual(['fix', 'override', 'stop'])
    expect(played.state.decisions).toContainEqual(
      expect.objectContaining({ decision: 'overridden_review', rationale: 'known' }),
    )
    expect(played.reports.flat().join('\n')).toContain('Overridden findings of phase 1: known')
  })

  test('fix: execute, verify, review again, with a fresh budget', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { review: ({ nth }) => ({ findings: nth === 1 ? [finding('critical')] : [] }) },
      answers: { 'Q-REVIEW': 'fix' },
    })
    expect(played.dispatches.map(({ kind }) => kind).slice(-4)).toEqual([
      'execution',
      'verification',
      'review',
      'final-review',
    ])
    expect(ofKind(played, 'execution')[1]?.brief.findings).toMatchObject([
      { file: 'src/a.ts', title: 'Bad loop' },
    ])
    expect(JSON.parse(await sessionFile(project, 'phase-1-review.json'))).toEqual([])
  })

  test('warnings and notes do not block', async () => {
    const project = await createStage(box)
    const played = await play(project, { acts: { review: () => ({ findings: [finding('warning')] }) } })
    expect(played.gates).toEqual(['Q-PR'])
  })
})

describe('PHASE_COMPLETE', () => {
  test('stop at Q-NEXT and return: one history entry, one summary, then the next phase', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List', complexity: 'medium' }])
    const first = await play(project, { answers: { 'Q-NEXT': 'stop' } })
    expect(first.stopped).toBe(true)
    expect(first.asked[0]?.title).toBe(
      'Phase 1 complete. Next: Phase 2: List (complexity: medium). Continue?',
    )
    expect(first.state.history).toHaveLength(1)
    expect(await sessionFile(project, 'summary.md')).toContain('**Status:** Phase 1 complete. 2/2 tasks.')
    const second = await play(project)
    expect(second.gates).toEqual(['Q-NEXT', 'Q-PR'])
    expect(second.state.history).toMatchObject([{ phase: 0 }, { phase: 1 }])
    expect((await project.read('.harness/sessions/index.md')).match(/^- \[/gm)).toHaveLength(1)
  })

  test('the scratchpad of the phase is cleared, and nothing else', async () => {
    const project = await createStage([{ name: 'Box/a: `x`' }, { name: 'List' }])
    await play(project, {
      acts: {
        plan: async ({ brief }, here) => {
          await here.write(`${brief.scratchpadDir}/research.md`, 'long')
          await here.write('.harness/sessions/changes--seeds--proposal/scratchpad/other/keep.md', 'keep')
          await here.write(brief.planPath, '### Task 1: a\n')
          return { planPath: brief.planPath, concerns: [] }
        },
      },
      answers: { 'Q-NEXT': 'stop' },
    })
    expect(await readdir(project.path('.harness/sessions/changes--seeds--proposal/scratchpad'))).toEqual([
      'other',
    ])
  })
})

describe('FINAL_REVIEW', () => {
  test('nothing was claimed and nothing is there: no dispatch, passed', async () => {
    const project = await createStage(box)
    const skipping = { answers: { 'Q-APPROVE': 'skip', 'Q-ROADMAP': 'leave' }, flags: { reviewPlans: true } }
    const plan: Act = async ({ brief }, here) => {
      await here.commit('docs: plan', { [brief.planPath]: '# Plan\n\n### Task 1: one\n' })
      return { planPath: brief.planPath, concerns: [] }
    }
    const played = await play(project, { ...skipping, acts: { plan } })
    expect(ofKind(played, 'execution')).toHaveLength(0)
    expect(played.state.finalReview.status).toBe('passed')
  })

  test('work that is not committed is reviewed as well', async () => {
    const project = await createStage(box)
    const played = await play(project)
    expect(ofKind(played, 'final-review')).toHaveLength(1)
    expect(played.state.finalReview).toEqual({ status: 'passed', findings: [], retryCount: 0 })
  })

  test('claimed work that is not there at the end has never passed: asked, and named', async () => {
    const project = await createStage(box)
    const review: Act = async (_dispatch, here) => {
      await here.git('clean', '-qfd', '--', 'work', 'docs/plans')
      return { findings: [] }
    }
    const answers = { 'Q-TOUCHED': 'accept', 'Q-UNPROVEN': 'accept' }
    const played = await play(project, { acts: { review }, answers })
    expect(played.gates).toEqual(['Q-TOUCHED', 'Q-UNPROVEN', 'Q-PR'])
    expect(played.asked[1]?.body.join()).toContain('2 tasks are reported complete')
    expect(ofKind(played, 'final-review')).toHaveLength(0)
    expect(played.state.finalReview.status).toBe('overridden')
    expect(played.reports.flat().join()).toContain('Accepted missing work')
  })

  test('a final reviewer that takes the work away has not passed it', async () => {
    const project = await createStage(box)
    const final: Act = async (_dispatch, here) => {
      await here.git('clean', '-qfd', '--', 'work', 'docs/plans')
      return { findings: [] }
    }
    const answers = { 'Q-TOUCHED': 'accept', 'Q-UNPROVEN': 'stop' }
    const played = await play(project, { acts: { 'final-review': final }, answers })
    expect(played.stopped).toBe(true)
    expect(played.state.finalReview.status).toBe('in_progress')
  })

  test.each(['request-changes', 'dreadful'])('%s without a blocking finding is asked', async (assessment) => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { 'final-review': () => ({ assessment, findings: [] }) },
      answers: { 'Q-FINAL': { value: 'override', text: 'seen' } },
    })
    expect(played.gates).toEqual(['Q-FINAL', 'Q-PR'])
    expect(played.asked[0]?.body.join()).toContain(assessment)
    expect(played.state.finalReview.status).toBe('overridden')
  })

  test('no blocking finding: passed, with all findings kept', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: {
        execution: committing,
        review: () => ({ findings: [finding('warning', 'of the phase')] }),
        'final-review': () => ({ findings: [finding('important'), finding('note')] }),
      },
    })
    expect(ofKind(played, 'final-review')[0]?.prompt).toContain('of the phase')
    expect(ofKind(played, 'final-review')[0]?.brief.diffBase).toBe(played.state.startingCommit)
    expect(played.state.finalReview).toMatchObject({ status: 'passed', retryCount: 0 })
    expect(played.state.finalReview.findings.map(({ severity }) => severity)).toEqual(['warning', 'note'])
  })

  test('three fix cycles, the fourth request is refused and recorded, then reviewed again after a fix by hand', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: {
        execution: committing,
        'final-review': ({ nth }) => ({ findings: nth <= 4 ? [finding('blocking', `problem ${nth}`)] : [] }),
        'final-fix': mending,
      },
      answers: { 'Q-FINAL': 'fix', 'Q-FINAL-LIMIT': 'fix' },
      validate: () => ({ kind: 'pass' }),
    })
    expect(ofKind(played, 'final-fix').map(({ brief }) => brief.findings)).toMatchObject([
      [{ title: 'problem 1' }],
      [{ title: 'problem 2' }],
      [{ title: 'problem 3' }],
    ])
    expect(played.gates).toEqual(['Q-FINAL', 'Q-FINAL', 'Q-FINAL', 'Q-FINAL', 'Q-FINAL-LIMIT', 'Q-PR'])
    const limit = played.asked.find((question) => question.gate === 'Q-FINAL-LIMIT')
    expect(limit?.options.map(({ label }) => label)).toEqual(['fix manually and continue', 'stop'])
    expect(await project.read('.harness/failures.md')).toContain('[type:dead-end]:** Final review: ')
    expect(played.state.finalReview).toMatchObject({ status: 'passed', retryCount: 4 })
  })

  test('override: rationale on record, overridden', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { execution: committing, 'final-review': () => ({ findings: [finding('critical')] }) },
      answers: { 'Q-FINAL': { value: 'override', text: 'ship it' } },
    })
    expect(played.state.finalReview).toMatchObject({
      status: 'overridden',
      findings: [{ severity: 'blocking' }],
    })
    expect(played.state.decisions).toContainEqual(
      expect.objectContaining({ decision: 'overridden_final_review', rationale: 'ship it' }),
    )
    const handoff = JSON.parse(await sessionFile(project, 'handoff.json'))
    expect(handoff.finalReview).toEqual({ status: 'overridden', findingsCount: 1 })
  })
})
