import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { badges } from '../../source/workflows/evidence/badges.js'

// The files of docs/harness.md, "Session directory" in the strict shapes given there: no other keys, nothing
// defaulted.

const count = z.int().nonnegative()
const time = z.iso.datetime()
const hash = z.string().regex(/^[0-9a-f]{7,64}$/)

const finding = z.strictObject({
  severity: z.enum(['blocking', 'warning', 'note']),
  file: z.string(),
  line: z.union([z.int(), z.tuple([z.int(), z.int()]), z.null()]),
  title: z.string(),
  rationale: z.string().optional(),
  rawSeverity: z.string().optional(),
})

const signals = z.strictObject({
  reviewPlans: z.boolean(),
  highComplexity: z.enum(['low', 'medium', 'high']),
  complexityOverride: z.enum(['medium', 'high']).nullable(),
  plannerConcerns: z.array(z.string()),
  taskCount: count,
  taskThreshold: z.literal(15),
})

const testRun = z.strictObject({
  command: z.string(),
  outcome: z.enum(['passed', 'failed', 'none', 'cannot-run']),
  counts: z.strictObject({ executed: count, failed: count, skipped: count }).optional(),
  units: z.string().optional(),
  hung: z.literal(true).optional(),
  durationMs: z.number().nonnegative(),
  tail: z.array(z.string()),
})

/** docs/evidence.md, "Badges". */
const evidence = z.strictObject({
  tasks: z.record(z.string(), z.array(z.enum(badges))),
  testsBefore: testRun.nullable().optional(),
  tests: testRun.nullable().optional(),
  testedTree: hash.optional(),
  rewritten: z.array(z.string()).optional(),
  verified: z.boolean().optional(),
})

const dirty = z.array(z.strictObject({ path: z.string(), hash: z.string().nullable(), staged: z.boolean() }))
const baseline = z.strictObject({
  dirty,
  decided: z.record(z.string(), z.enum(['include', 'leave'])),
  branch: z.string().nullable().optional(),
})

/** docs/durability.md, "Times". */
const times = z.strictObject({
  workMs: z.number().nonnegative(),
  waitingMs: z.number().nonnegative(),
  awayMs: z.number().nonnegative(),
})

/** docs/harness.md, "State file", and beside it the keys that autopilot keeps for itself. */
export const strictState = z.strictObject({
  schemaVersion: z.literal(5),
  sessionDir: z.string(),
  specPath: z.string(),
  startingCommit: hash,
  reviewPlans: z.boolean(),
  rigorLevel: z.enum(['fast', 'standard', 'thorough']),
  currentState: z.enum([
    'ASSESS',
    'PLAN',
    'APPROVE_PLAN',
    'EXECUTE',
    'VERIFY',
    'REVIEW',
    'PHASE_COMPLETE',
    'FINAL_REVIEW',
    'DONE',
  ]),
  currentPhase: count,
  awaitingInteractivePlan: z.boolean(),
  phases: z.array(
    z.strictObject({
      name: z.string(),
      complexity: z.enum(['low', 'medium', 'high']),
      complexityOverride: z.enum(['medium', 'high']).nullable(),
      planPath: z.string().nullable(),
      status: z.enum(['pending', 'in-progress', 'complete', 'skipped']),
      startedAt: time.optional(),
      startCommit: z.string().optional(),
      retriesUsed: count.optional(),
      verification: z.enum(['pass', 'fail', 'skipped']).optional(),
      concerns: z.array(z.string()).optional(),
      baseline: baseline.optional(),
      left: dirty.optional(),
      endCommit: hash.optional(),
      findings: z.array(finding).optional(),
      approvedPlan: hash.optional(),
      refusedPlan: hash.optional(),
      evidence: evidence.optional(),
      timesBefore: times.optional(),
      specLabel: z.string().optional(),
      specText: hash.nullable().optional(),
      outline: z.string().optional(),
      taskRetries: z.record(z.string(), count).optional(),
    }),
  ),
  retryBudget: z.strictObject({ maxAttempts: z.literal(3), currentTask: z.null() }),
  history: z.array(
    z.strictObject({
      phase: count,
      name: z.string(),
      startedAt: time,
      completedAt: time,
      tasksCompleted: count,
      retriesUsed: count,
      verificationPassed: z.boolean(),
      reviewFindings: z.strictObject({ blocking: count, warning: count, note: count }),
      status: z.literal('skipped').optional(),
      times: times.optional(),
    }),
  ),
  decisions: z.array(
    z.strictObject({
      phase: count,
      decision: z.string(),
      timestamp: time,
      signals: signals.optional(),
      rationale: z.string().optional(),
      choice: z.string().optional(),
      task: z.string().optional(),
      title: z.string().optional(),
      question: z.string().optional(),
      lines: z.array(z.string()).optional(),
      seen: z.record(z.string(), z.string()).optional(),
    }),
  ),
  finalReview: z.strictObject({
    status: z.enum(['pending', 'in_progress', 'passed', 'overridden']),
    findings: z.array(finding),
    retryCount: count,
  }),
  pendingQuestion: z.strictObject({ id: z.string(), options: z.array(z.string()), askedAt: time }).optional(),
  approvedPlanHash: z.string().nullable().optional(),
  approvedSpec: hash.optional(),
  refusedSpec: hash.optional(),
})

/** docs/harness.md, "Task state". */
const strictTaskState = z.strictObject({
  schemaVersion: z.literal(1),
  position: z.strictObject({ phase: z.string().optional(), task: z.string().optional() }),
  progress: z.record(z.string(), z.enum(['pending', 'in_progress', 'complete'])),
  decisions: z.array(z.strictObject({ date: z.string(), decision: z.string(), context: z.string() })),
  blockers: z.array(
    z.strictObject({ id: z.string(), description: z.string(), status: z.enum(['open', 'resolved']) }),
  ),
  lastSession: z
    .strictObject({
      date: z.string(),
      summary: z.string(),
      lastSkill: z.string().optional(),
      pendingTasks: z.array(z.string()).optional(),
    })
    .optional(),
})

/** docs/harness.md, "Handoff": what DONE writes. */
const strictHandoff = z.strictObject({
  timestamp: time,
  fromSkill: z.literal('harness-autopilot'),
  phase: z.literal('DONE'),
  summary: z.string(),
  completed: z.array(z.string()),
  pending: z.array(z.string()),
  concerns: z.array(z.string()),
  decisions: z.array(z.strictObject({ what: z.string(), why: z.string() })),
  blockers: z.array(z.string()),
  contextKeywords: z.array(z.string()),
  planPath: z.string().optional(),
  finalReview: z.strictObject({ status: z.string(), findingsCount: count }),
})

export type StrictState = z.infer<typeof strictState>

/** A JSON file of a session: two blanks, a final newline, and this shape. */
async function json<Value>(path: string, shape: z.ZodType<Value>): Promise<Value> {
  const text = await readFile(path, 'utf8')
  const value: unknown = JSON.parse(text)
  expect(text, path).toBe(`${JSON.stringify(value, null, 2)}\n`)
  const read = shape.safeParse(value)
  if (!read.success) throw new Error(`${path}: ${z.prettifyError(read.error)}`)
  return read.data
}

/** Checks every file of docs/harness.md, "Session directory" after DONE and returns the state. */
export async function expectFinishedFiles(root: string, slug: string): Promise<StrictState> {
  const session = join(root, '.harness/sessions', slug)
  const state = await json(join(session, 'autopilot-state.json'), strictState)
  await json(join(session, 'state.json'), strictTaskState)
  const handoff = await json(join(session, 'handoff.json'), strictHandoff)
  expect(handoff.finalReview).toEqual({
    status: state.finalReview.status,
    findingsCount: state.finalReview.findings.length,
  })
  for (const [index, phase] of state.phases.entries()) {
    if (phase.status !== 'complete') continue
    const findings = await json(join(session, `phase-${index + 1}-review.json`), z.array(finding))
    expect(state.history.find((entry) => entry.phase === index)?.reviewFindings).toEqual({
      blocking: findings.filter((one) => one.severity === 'blocking').length,
      warning: findings.filter((one) => one.severity === 'warning').length,
      note: findings.filter((one) => one.severity === 'note').length,
    })
    if (index > 0) await json(join(session, `archive/state-before-phase-${index + 1}.json`), strictTaskState)
  }
  const tasks = state.history.reduce((sum, entry) => sum + entry.tasksCompleted, 0)
  const phases = state.phases.filter((phase) => phase.status === 'complete').length
  const status = `DONE. ${phases} phases, ${tasks} tasks complete.`

  const summary = await readFile(join(session, 'summary.md'), 'utf8')
  expect(summary.split('\n').slice(0, 4)).toEqual([
    '## Session Summary',
    '',
    `**Session:** ${slug}`,
    expect.stringMatching(/^\*\*Last active:\*\* \d{4}-\d\d-\d\dT/),
  ])
  expect(summary).toContain('\n**Skill:** harness-autopilot\n')
  expect(summary).toContain(`\n**Status:** ${status}\n`)
  expect(summary).not.toMatch(/^\*\*(Phase|Plan):\*\*/m)

  const index = await readFile(join(root, '.harness/sessions/index.md'), 'utf8')
  expect(index.startsWith('## Active Sessions\n\n')).toBe(true)
  const ours = index.split('\n').filter((line) => line.startsWith(`- [${slug}]`))
  expect(ours).toHaveLength(1)
  expect(ours[0]).toMatch(/\(\d{4}-\d\d-\d\d\)$/)
  expect(ours[0]).toContain(`(${slug}/summary.md) — autopilot, ${status.toLowerCase()}`)

  const learnings = await readFile(join(root, '.harness/learnings.md'), 'utf8')
  expect(learnings.startsWith('# Learnings\n')).toBe(true)
  expect(learnings).toMatch(/^## \d{4}-\d\d-\d\d — Autopilot: /m)
  expect(learnings).toContain(
    `- [skill:harness-autopilot] [outcome:complete] Executed ${phases} phases, ${tasks} tasks`,
  )
  return state
}
