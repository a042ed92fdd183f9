import type { ListItem, QuestionDraft } from '../../../source/view/question.js'
import { qChangedText } from '../../../source/workflows/evidence/questions.js'
import { qPr } from '../../../source/workflows/harness/questions/done.js'
import {
  qBlocked,
  qDecision,
  qHumanAction,
  qHumanVerify,
  qRetry,
  qTwoFail,
} from '../../../source/workflows/harness/questions/execute.js'
import { qAllSkipped, qNext, qRoadmap } from '../../../source/workflows/harness/questions/phase-complete.js'
import {
  qApprove,
  qInteractive,
  qNoTasks,
  qPlanFile,
  qSkeleton,
} from '../../../source/workflows/harness/questions/plan.js'
import { qFinal, qFinalLimit, qGone, qReview } from '../../../source/workflows/harness/questions/review.js'
import {
  qBase,
  qNoPhases,
  qOddState,
  qPhases,
  qReading,
  qSpecUnreadable,
} from '../../../source/workflows/harness/questions/session.js'
import { qValidate, qVerify } from '../../../source/workflows/harness/questions/verify.js'
import type { Attempt, Finding } from '../../../source/workflows/harness/state/state.js'
import { planPath, specPath } from './project.js'

const attempt = (error: string, fix: string): Attempt => ({
  timestamp: '2030-04-02T10:00:00.000Z',
  error,
  fix,
  result: 'failed',
})

const findings: Finding[] = [
  {
    severity: 'blocking',
    file: 'src/rules.ts',
    line: [120, 133],
    title: 'Rules of other users can be read',
    rationale:
      'The query has no owner in it, so anybody who knows an id gets the rule with all of its words.',
  },
  { severity: 'note', file: 'src/store.ts', line: 8, title: 'An unused import' },
]

const items: ListItem[] = [
  { id: '1', name: 'Storage layer', choice: 'low', line: 42 },
  { id: '2', name: 'Mail rules and their editor', choice: 'high', line: 58 },
]

const spec = 'docs/changes/mail-rules/proposal.md'

/** Questions of the harness workflow, in the order of a run. */
export const harnessGates: readonly QuestionDraft[] = [
  qReading(['Read as headings from "Implementation plan" (line 40)', 'line 42  1: Storage layer'], items),
  qNoPhases(['There is no "Implementation Order" in it, and no heading looks like a phase.']),
  qSpecUnreadable(spec, ['It is a directory.']),
  qBase({ commit: null, of: 'phase 2' }, { head: 'f'.repeat(40), before: 'a'.repeat(40) }),
  qOddState(
    ['The saved state says "PAUSED", which this version does not know.'],
    [{ value: 'PLAN', label: 'plan phase 2', consequence: 'the planner is sent again', recommended: true }],
  ),
  qPhases(items),
  qInteractive('Phase 2', planPath, ['A plan of that name is not there yet.']),
  qPlanFile('Phase 1', [planPath, 'docs/plans/2030-04-01-mail-plan.md'], true),
  qSkeleton('Phase 1', ['Task 1: table', 'Task 2: reader', 'Task 3: editor']),
  qApprove(
    ['Review mode: auto', 'Planner concerns: 2 (triggered)', 'Tasks: 18 (threshold: 15) (triggered)'],
    planPath,
    planPath,
  ),
  qNoTasks(['No heading of it is a task.'], planPath),
  qHumanVerify('Task 4', ['Open the editor, add a rule and reload the page. Is the rule still there?']),
  qDecision('Task 5', ['How are rules stored?'], ['SQLite', 'one JSON file', 'stop']),
  qHumanAction('Task 6', ['Put the password of the test mailbox into .env as MAIL_PASSWORD.']),
  qBlocked('Phase 1', ['The table of users has no key, and it belongs to phase 3.']),
  qRetry('Task 3', [
    attempt('TypeError: rule.match is not a function', 'match takes a function now'),
    attempt('expected 3 rules, got 2', 'the reader keeps the last rule'),
    attempt('expected 3 rules, got 2', ''),
  ]),
  qTwoFail('Phase 1', 'Phase 2'),
  qChangedText(
    { gate: 'Q-PLAN-CHANGED', title: `Phase 1: ${planPath} is not what was approved`, path: planPath },
    ['- ### Task 2: loader', '+ ### Task 2: reader'],
    ['Would be executed in addition: Task 2: reader'],
  ),
  qChangedText(
    { gate: 'Q-SPEC-CHANGED', title: `${spec} is not what this session goes by`, path: specPath },
    ['- two phases', '+ three phases'],
    ['Phase 3 would be added.'],
  ),
  qVerify(['rules are not applied to drafts', 'no test for the import']),
  qValidate(['`harness validate` is not installed, and no command is configured.']),
  qReview(findings),
  qReview([], 'Its assessment is "unsure", and it names no finding.'),
  qFinal(findings, 1),
  qFinal(findings, 3),
  qFinalLimit(findings),
  qGone(['Commit 1234567 of phase 1 is not in the history any more.']),
  qNext({ mark: '1', word: 'complete' }, { title: 'Phase 2: Mail rules', complexity: 'high' }, [
    'Tasks: 5, retries: 1, verification: pass',
  ]),
  qRoadmap(['- **Status:** in-progress', '+ **Status:** done'], true),
  qAllSkipped(),
  qPr(['9 commits on mail-rules']),
]
