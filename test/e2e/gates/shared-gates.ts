import { join } from 'node:path'
import { compareSnapshots } from '../../../source/project/snapshot/compare.js'
import { takeSnapshot } from '../../../source/project/snapshot/snapshot.js'
import type { QuestionDraft } from '../../../source/view/question.js'
import {
  qCommit,
  qDirty,
  qDirtyBefore,
  qMoved,
  qSecrets,
  qStaged,
} from '../../../source/workflows/commits/questions.js'
import { qPermission } from '../../../source/workflows/dispatch/permission.js'
import {
  answerAgent,
  qAgent,
  qBudget,
  qInterrupted,
  qTrustAgain,
} from '../../../source/workflows/dispatch/questions.js'
import { qLimit } from '../../../source/workflows/dispatch/usage-limit.js'
import type { Finding } from '../../../source/workflows/evidence/judge.js'
import { qContradiction, qTests, qTestsRed, qUnproven } from '../../../source/workflows/evidence/questions.js'
import { qRefused, qTouched, qUncompared } from '../../../source/workflows/evidence/touched-question.js'
import { choosePlanFile } from '../../../source/workflows/harness/questions/plan.js'
import type { TestProject } from '../../support/project.js'

const dispatched = { persona: 'harness-verifier', title: 'Verify phase 1' }

/** What somebody left who was only to look: found and compared as the product does it. */
async function touched(project: TestProject): Promise<QuestionDraft> {
  const place = { root: project.dir, store: join(project.root, 'snapshots') }
  const before = await takeSnapshot(place)
  await project.write('src/extra.ts', 'export const left = "by the verifier"\n')
  const after = await takeSnapshot(place)
  const differences = await compareSnapshots(place, { before, after })
  await project.git('clean', '-q', '-f', 'src/extra.ts')
  const asked = differences.map(
    (difference): Finding => ({
      name: difference.name,
      change: difference.change,
      why: 'an agent that checks writes no files',
      by: 'agent',
      difference,
    }),
  )
  return await qTouched(place, { dispatched, asked, total: asked.length, since: false, checks: true })
}

/** Questions that all workflows share: dispatch, evidence, commits. */
export async function sharedGates(project: TestProject, now: Date): Promise<QuestionDraft[]> {
  const label = 'Phase 1'
  const later = new Date(now.getTime() + 3_600_000).toISOString()
  const limit = {
    ok: false,
    error: 'limit',
    message: 'You have used up your limit.',
    retry: 'later',
  } as const
  return [
    qAgent(
      'harness-planner gave no result that can be read',
      ['result.planPath: expected string', 'Log: .harness/sessions/mail/logs/001-plan-1.log'],
      [answerAgent(true), choosePlanFile],
    ),
    qInterrupted('Execute phase 1', true),
    qTrustAgain(['Agent: node agent.mjs', 'Git hook pre-commit: .git/hooks/pre-commit']),
    qBudget('2.00 of 2.00 USD are used in this run.', true),
    qLimit({ ...limit, resetsAt: now.getTime() + 3_600_000 } as never, later, {
      fallback: true,
      resumes: true,
    }),
    qLimit(limit as never, null, { fallback: false, resumes: false }),
    qPermission('harness-task-executor', {
      type: 'ask',
      askId: '1',
      kind: 'permission',
      title: 'Run npm install',
      detail: 'npm install left-pad\nin the project',
      options: [
        { id: 'yes', label: 'Yes', kind: 'allow-once' },
        { id: 'ever', label: 'npm install for the whole session', kind: 'allow-always' },
        { id: 'no', label: 'No', kind: 'deny' },
      ],
      defaultNo: true,
    }),
    ...(['question', 'plan'] as const).map((kind) =>
      qPermission('harness-planner', {
        type: 'ask',
        askId: '2',
        kind,
        title: kind === 'plan' ? 'Shall it be done like this?' : 'Which store is it to be?',
        detail: 'Both are there already.',
        options: [
          { id: 'first', label: 'the first', kind: 'other' },
          { id: 'second', label: 'the second', kind: 'other' },
        ],
        defaultNo: false,
      }),
    ),
    qUnproven(label, ['Task 1 is claimed, and no commit touches src/rules.ts.'], 'the executor goes on'),
    qContradiction('The records contradict each other', ['handoff.json says pass, its result says fail.']),
    qTests(label, ['test/rules.test.ts: 3 tests are gone'], ['Task 2 removes the old loader']),
    qTestsRed(label, 'npm test failed', ['1 failing: keeps the order', 'expected [2, 1] to equal [1, 2]']),
    await touched(project),
    qRefused(dispatched, ['src/extra.ts: it is a directory now']),
    qUncompared(dispatched, { failed: 'git ended with 128: bad object' }),
    qCommit('[mail] Task 1: rules', ['pre-commit: 2 files are not formatted'], true),
    qMoved(['HEAD was 1234567 and is 89abcde.']),
    qStaged(['notes.txt']),
    qDirty(['src/mail.ts', 'notes.txt']),
    qDirtyBefore(['src/rules.ts']),
    qSecrets(['.env: line 3 looks like a private key']),
  ]
}
