import { readConflicts } from '../../../source/documents/merge-conflicts.js'
import type { QuestionDraft } from '../../../source/view/question.js'
import { builtInFlows } from '../../../source/workflows/lifecycle/flow/built-in.js'
import { qBlocked, qBrief, qDeploy, qOptional } from '../../../source/workflows/lifecycle/questions/begin.js'
import {
  qClaim,
  qConfirm,
  qMixed,
  qTests,
  qWorker,
} from '../../../source/workflows/lifecycle/questions/claims.js'
import { qConflict, qTouched } from '../../../source/workflows/lifecycle/questions/edits.js'
import { qBoundary, qLoop } from '../../../source/workflows/lifecycle/questions/ends.js'
import {
  qDrift,
  qFlow,
  qName,
  qStart,
  qTold,
  qTwoFiles,
  qUnclear,
} from '../../../source/workflows/lifecycle/questions/position.js'

const { steps } = builtInFlows.flows.greenfield
const [problem] = steps
const audit = steps.find(({ optional }) => optional)
const state = '_docs/_autopilot_state.md'
const looked = ['_docs/00_problem/problem.md: not there', '_docs/01_solution/: 2 files']
const conflicted = `# State
<<<<<<< HEAD
step: 3
=======
step: 4
>>>>>>> other
`

/** Questions of the lifecycle workflow, in the order of a run. */
export function lifecycleGates(): QuestionDraft[] {
  if (!problem || !audit) throw new Error('The built-in flow has no such step.')
  const step = problem
  return [
    qFlow('_docs/flow.yaml', ['steps.0.id: expected string']),
    qTwoFiles([state, '_docs/other_state.md'], state),
    qStart({
      flow: 'greenfield',
      step: 'Step 1 Problem',
      why: 'There is no code, and no solution draft.',
      others: ['existing-code'],
      choose: true,
      looked,
    }),
    qConflict(state, readConflicts(conflicted)),
    qName({ number: '3', name: 'Plan', byNumber: 'step 3 Research', byName: 'step 4 Plan' }),
    qUnclear({
      lines: [`${state} names a step that no flow has.`],
      places: [
        { value: '2', text: 'step 2 Research' },
        { value: '1', text: 'step 1 Problem' },
      ],
      looked,
    }),
    qDrift({
      file: 'step 3',
      folders: 'step 2',
      differing: ['5 Decompose: open', '  missing _docs/02_tasks/_dependencies_table.md'],
      evidence: looked,
      effects: { file: 'go on at step 3', folders: 'go on at step 2; its row is taken back' },
    }),
    qTold(step, 'completed', ['Nothing was looked at.']),
    qBrief(step, 'notes.txt is not there.'),
    qOptional(audit),
    qDeploy(step),
    qWorker(step, {
      id: 'g1',
      question: 'Which store?',
      options: ['SQLite', 'one file'],
      recommendation: 'A, it is there already',
    }),
    qWorker(step, { id: 'g2', question: 'What is the name of the list?', options: [] }),
    qConfirm(step, ['Files: 4', 'It says: the problem is written down'], true),
    qClaim(step, 'It says that the problem is written down.', looked),
    qMixed(step, 'It says that the problem is written down.', ['It names an error: the disk is full']),
    qTests(step, ['test/a.test.ts: 2 tests are skipped']),
    qTouched(step, ['- status: in_progress', '+ status: completed']),
    qBlocked({ step: audit, lines: ['3 runs have failed: no report'], evidence: looked }),
    qBoundary({ title: 'Planning complete', lines: ['Tasks: 7', 'Points: 21'] }),
    qLoop(['Security Audit was skipped.']),
  ]
}
