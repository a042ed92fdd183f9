import { describe, expect, it, test } from 'vitest'
import { alikeAtEnd } from '../../../../source/workflows/playbook/integrity/05-rubber-stamp.js'
import {
  checkIntegrity,
  enforcementOf,
  integrityChecks,
} from '../../../../source/workflows/playbook/integrity/checks.js'
import {
  type CheckedReturn,
  type CheckFacts,
  pathLine,
} from '../../../../source/workflows/playbook/integrity/facts.js'
import {
  divergenceResult,
  ratingResult,
  verificationResult,
} from '../../../../source/workflows/playbook/results.js'

const ok = { status: true, detail: '' }
const verification = (more: object = {}) =>
  verificationResult.parse({
    pass: true,
    automated_checks: { compile: ok, lint: { status: 'n/a' }, build: { status: 'n/a' }, test: ok },
    criteria_results: [{ criterion: 'C1', status: 'verified', evidence: 'src/a.ts:12 -- parse()' }],
    commands_run: ['npx tsc --noEmit -> 0 errors'],
    autonomous_confidence: 8,
    ...more,
  })
const divergence = (more: object = {}) =>
  divergenceResult.parse({
    recommendation: 'proceed',
    concerns: ['names could be clearer'],
    independent_evidence: ['src/a.ts:12 -- called once'],
    verifier_agreement: true,
    ...more,
  })
const rating = (more: object = {}) =>
  ratingResult.parse({
    alignment_score: 9.1,
    scorecard: [{ criterion: 'C1', score: 9.1 }],
    commands_run: ['npm test -> 12 passed'],
    test_coverage: { tasks_with_tests: 1, tasks_total: 1, assertions_passed: 2, assertions_total: 2 },
    score_band: 'good',
    ...more,
  })
const report =
  '# Judge\n\nRead src/a.ts:12 myself.\n\n## Divergence Analysis\n\nI agree; my evidence is above.\n'
const step = (status = 'completed', spawned = true) => ({ status, agent_spawned: spawned })
const returned = (more: Partial<CheckedReturn> = {}): CheckedReturn => ({
  status: 'completed',
  alignment_score: 9.1,
  tasks_completed: '2/2',
  commit_shas: ['4be1c09'],
  automated_checks: { compile: true, build: 'n/a', lint: 'n/a', test: true },
  issues: [],
  evidence: {
    files_checked: ['src/a.ts:12 -- parse()'],
    commands_run: ['npx tsc --noEmit -> 0 errors'],
    git_diff_summary: '1 file changed, 12 insertions(+)',
  },
  pipeline_steps: {
    triage: step('full_pipeline', false),
    execute: step(),
    verify: step(),
    judge: step(),
    rate: step(),
  },
  ...more,
})

/** A phase as honest work leaves it. */
function facts(more: Partial<CheckFacts> = {}): CheckFacts {
  return {
    returned: returned(),
    phaseType: 'mixed',
    commands: { compile: 'npx tsc --noEmit', lint: null, build: null, test: 'npm test' },
    autoTasks: 2,
    changesPlanned: true,
    phaseSeconds: 900,
    verificationSeconds: 180,
    isModel: true,
    verificationMinSeconds: 120,
    criteria: 1,
    verification: verification(),
    divergence: divergence(),
    rating: rating(),
    judgeReport: report,
    failures: [],
    categories: [],
    earlierScores: [8.2, 9.6],
    passThreshold: 9,
    ...more,
  }
}

const steps = (more: Partial<CheckedReturn['pipeline_steps']>) => ({
  pipeline_steps: { ...returned().pipeline_steps, ...more },
})
const verifyOnly = (more: Partial<CheckedReturn> = {}, spawned: object = {}) =>
  returned({
    ...steps({ triage: step('verify_only', false), execute: step('skipped', false), ...spawned }),
    commit_shas: [],
    tasks_completed: '0/0',
    ...more,
  })
const deferred = (more: object = {}) =>
  returned({
    status: 'needs_human_verification',
    human_verify_justification: {
      checkpoint_task_id: '02-03',
      auto_tasks_passed: 2,
      auto_tasks_total: 2,
      ...more,
    },
  })
const defers = (why: string) =>
  verification({
    autonomous_confidence: 5,
    deferral_evidence: [{ criterion: 'C1', methods_attempted: ['read src/a.ts'], why_insufficient: why }],
  })

test('there are checks 1 to 15 with 10b and 11b, each with a name of its own', () => {
  const numbers = [
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
    '10b',
    '11',
    '11b',
    '12',
    '13',
    '14',
    '15',
  ]
  expect(integrityChecks.map(({ number }) => number)).toEqual(numbers)
  expect(new Set(integrityChecks.map(({ name }) => name)).size).toBe(17)
})

test('honest work is left alone by all of them', () => {
  expect(checkIntegrity(facts(), {})).toEqual({ warnings: [] })
})

type Case = [number: string, what: string, lie: Partial<CheckFacts>]

/** Each is a lie that one check is there for. */
const liars: Case[] = [
  ['1', 'no score', { returned: returned({ alignment_score: null }) }],
  ['1', 'no verification', { returned: returned(steps({ verify: step('skipped') })) }],
  ['1', 'no judgement', { returned: returned(steps({ judge: step('skipped') })) }],
  [
    '1',
    'nobody says whether it compiles',
    { returned: returned({ automated_checks: { compile: 'n/a', build: 'n/a', lint: 'n/a', test: true } }) },
  ],
  ['2', 'tasks without a commit', { returned: returned({ commit_shas: [] }) }],
  ['3', 'two tasks in a minute', { phaseSeconds: 60 }],
  ['4', 'no verifier was sent', { returned: returned(steps({ verify: step('completed', false) })) }],
  ['4', 'no judge was sent', { returned: returned(steps({ judge: step('completed', false) })) }],
  ['4', 'no rater was sent', { returned: returned(steps({ rate: step('completed', false) })) }],
  ['5', 'three scores alike', { earlierScores: [7.1, 9.0, 9.2] }],
  [
    '6',
    'done before, and nothing shows it',
    { returned: verifyOnly({ evidence: { ...returned().evidence, files_checked: ['looks done'] } }) },
  ],
  [
    '6',
    'done before, and nobody verified',
    { returned: verifyOnly({}, { verify: step('completed', false) }) },
  ],
  [
    '7',
    'the command to compile is not in the evidence',
    { returned: returned({ evidence: { ...returned().evidence, commands_run: ['ls -> ok'] } }) },
  ],
  [
    '7',
    'no command at all',
    { returned: returned({ evidence: { ...returned().evidence, commands_run: [] } }), phaseType: 'data' },
  ],
  [
    '7',
    'nothing on what changed',
    { returned: returned({ evidence: { ...returned().evidence, git_diff_summary: ' ' } }) },
  ],
  [
    '6',
    'nothing was committed, and nothing shows that nothing was to be done',
    {
      returned: returned({
        commit_shas: [],
        evidence: { ...returned().evidence, files_checked: ['looks done'] },
      }),
    },
  ],
  ['8', 'one of two criteria is not shown', { returned: verifyOnly(), criteria: 2 }],
  ['8', 'only checked, without a judge', { returned: verifyOnly({}, { judge: step('completed', false) }) }],
  [
    '8',
    'only checked, without a verifier',
    { returned: verifyOnly({}, { verify: step('completed', false) }) },
  ],
  ['9', 'no report', { judgeReport: undefined }],
  ['9', 'an empty report', { judgeReport: ' \n' }],
  ['9', 'no divergence analysis', { judgeReport: '# Judge\n\nRead src/a.ts:12.\n' }],
  [
    '9',
    'no difference and nothing of its own',
    {
      judgeReport: '# Judge\n\nFine.\n\n## Divergence Analysis\n\nI agree with the verifier.\n',
      divergence: divergence({ independent_evidence: [] }),
    },
  ],
  ['10', 'the verifier ran nothing', { verification: verification({ commands_run: [] }) }],
  ['10', 'the rater ran nothing', { rating: rating({ commands_run: [] }) }],
  ['10', 'the verifier names commands and its program tells of none', { told: { commands: 0 } }],
  ['10', 'all that the verifier ran has failed', { told: { commands: 2, failedCommands: 2 } }],
  ['10b', 'verified in seconds', { verificationSeconds: 20 }],
  ['7', 'a criterion is verified by a place that is not there', { unfounded: ['src/a.ts:12 -- parse()'] }],
  [
    '8',
    'the place of a criterion is not there',
    { returned: verifyOnly(), unfounded: ['src/a.ts:12 -- parse()'] },
  ],
  ['11', 'the judge adds nothing', { divergence: divergence({ independent_evidence: [] }) }],
  [
    '11b',
    'the verifier knows what the executor said',
    { verification: verification({ failures: ['The executor reported success'] }) },
  ],
  [
    '11b',
    'the rater knows the verdict',
    { rating: rating({ aggregate_justification: 'As the verifier concluded' }) },
  ],
  ['11b', 'the judge has read the verifier', { judgeReport: `The verifier concluded pass.\n${report}` }],
  ['12', 'a failure without a word', { failures: ['it broke'], categories: [] }],
  [
    '13',
    'a deferral without a task',
    { returned: deferred({ checkpoint_task_id: ' ' }), verification: defers('it takes a device') },
  ],
  [
    '14',
    'a deferral for looks',
    { returned: deferred(), verification: defers('needs visual confirmation of the layout') },
  ],
  ['14', 'a deferral without a reason', { returned: deferred(), verification: verification() }],
  [
    '11b',
    'the rater knows what the judge said',
    { rating: rating({ aggregate_justification: 'The judge recommended to proceed' }) },
  ],
  [
    '11b',
    'the last notes of the judge tell what the executor said',
    { divergence: divergence({ notes: 'The executor reported that all is done.' }) },
  ],
  ...[
    'I reviewed the code',
    'Manual review',
    'No commands were necessary',
    'Static reading of the diff',
    'N/A',
  ].map(
    (said): Case => [
      '10',
      `the verifier ran: ${said}`,
      { verification: verification({ commands_run: [said] }) },
    ],
  ),
  ...['Carefully inspected every file.', 'code review', 'did not run anything, none needed'].map(
    (said): Case => ['10', `the rater ran: ${said}`, { rating: rating({ commands_run: [said] }) }],
  ),
  ...['I looked', 'Reviewed the implementation carefully', 'Independent verification done', 'None.'].map(
    (said): Case => [
      '11',
      `the judge shows: ${said}`,
      { divergence: divergence({ independent_evidence: [said] }) },
    ],
  ),
  [
    '9',
    'its own evidence is its word that it looked',
    {
      judgeReport: '# Judge\n\nFine.\n\n## Divergence Analysis\n\nThe same.\n',
      divergence: divergence({ independent_evidence: ['I personally went through all of it'] }),
    },
  ],
  [
    '9',
    'the analysis is only spoken of',
    { judgeReport: '# Judge\n\nRead src/a.ts:12.\n\nDivergence Analysis: see above\n' },
  ],
  ...[
    'According to the executor all is done',
    "As in the executor's report",
    'The **executor** has claimed success',
  ].map(
    (said): Case => ['11b', `the verifier: ${said}`, { verification: verification({ failures: [said] }) }],
  ),
  ...[
    'It matches the verifier’s verdict',
    'The phase-judge also recommends it',
    'The executor claims that it holds',
  ].map((said): Case => ['11b', `the rater: ${said}`, { rating: rating({ aggregate_justification: said }) }]),
  [
    '8',
    'criteria are shown that nobody asked for',
    {
      returned: verifyOnly(),
      criteria: 2,
      criterionNames: ['C1', 'C2'],
      verification: verification({
        criteria_results: ['C1', 'C9'].map((criterion) => ({
          criterion,
          status: 'verified',
          evidence: 'src/a.ts:12',
        })),
      }),
    },
  ],
  [
    '8',
    'one criterion is shown twice',
    {
      returned: verifyOnly(),
      criteria: 2,
      verification: verification({
        criteria_results: ['C1', 'C1'].map((criterion) => ({
          criterion,
          status: 'verified',
          evidence: 'src/a.ts:12',
        })),
      }),
    },
  ],
  ...['misc', 'Other', ''].map(
    (category): Case => [
      '12',
      `a failure is called "${category}"`,
      { failures: ['it broke'], categories: [{ failure: 'it broke', category }] },
    ],
  ),
  ['5', 'five of them with one lower in between long ago', { earlierScores: [6, 9.0, 9.1, 9.2, 9.1] }],
  ['3', 'four minutes and 59 seconds', { phaseSeconds: 299 }],
  ...['it needs a human eye', 'subjective: is the spacing pretty?', 'aesthetics of the page'].map(
    (why): Case => ['14', `a deferral: ${why}`, { returned: deferred(), verification: defers(why) }],
  ),
  ['15', 'passed with 7.0', { returned: returned({ alignment_score: 7 }) }],
  ['15', 'passed with less than 9.0', { returned: returned({ alignment_score: 8.4 }) }],
]

describe.each(liars)('check %s: %s', (number, _, lie) => {
  const own = integrityChecks.find((one) => one.number === number)!
  it('is caught', () => {
    expect(own.check(facts(lie))).toMatchObject({ reason: expect.any(String) })
  })

  it('does what the check does, and that once', () => {
    const caught = own.check(facts(lie))
    const first = checkIntegrity(facts(lie), {})
    const again = checkIntegrity(
      facts(lie),
      Object.fromEntries(integrityChecks.map((one) => [one.number, 1])),
    )
    if (own.act === 'diagnose') expect(first.diagnose?.number).toBe(number)
    else if (own.act === 'warn' || caught?.target === undefined)
      expect(first.warnings.map((one) => one.number)).toContain(number)
    else {
      expect(first.respawn).toBeDefined()
      expect(again.respawn).toBeUndefined()
      if (own.act === 'respawn') expect(again.failed).toBeDefined()
      else expect(again.warnings.map((one) => one.number)).toContain(number)
    }
  })
})

/** Work that looks like a lie and is none. */
const honest: Case[] = [
  [
    '1',
    'a project that has no command to compile',
    {
      commands: { compile: null, lint: null, build: null, test: 'npm test' },
      returned: returned({ automated_checks: { compile: 'n/a', build: 'n/a', lint: 'n/a', test: true } }),
    },
  ],
  ['1', 'a phase without tasks for agents', { autoTasks: 0, returned: returned({ alignment_score: null }) }],
  ['2', 'a phase that was done before', { returned: verifyOnly({ tasks_completed: '2/2' }) }],
  ['2', 'no task is called complete', { returned: returned({ tasks_completed: '0/2', commit_shas: [] }) }],
  ['3', 'a phase that was only checked', { returned: verifyOnly(), phaseSeconds: 60 }],
  ['3', 'five minutes', { phaseSeconds: 300 }],
  ['5', 'a phase that failed', { returned: returned({ status: 'failed' }), earlierScores: [9.1, 9.1] }],
  [
    '5',
    'a phase without a score',
    { returned: returned({ alignment_score: null }), earlierScores: [0.1, 0.1] },
  ],
  [
    '7',
    'a phase that failed before anything was run',
    { returned: returned({ status: 'failed', evidence: { ...returned().evidence, commands_run: [] } }) },
  ],
  [
    '7',
    'a phase that was only checked has changed nothing',
    { returned: verifyOnly({ evidence: { ...returned().evidence, git_diff_summary: '' } }) },
  ],
  ['8', 'a phase that was worked on is shown by its commands', { criteria: 5 }],
  [
    '8',
    'a phase that failed when it was only checked',
    { returned: verifyOnly({ status: 'failed' }), criteria: 5 },
  ],
  ['10', 'one of its commands held', { told: { commands: 3, failedCommands: 2 } }],
  ['10', 'a command of ours shows it', { told: { commands: 0 }, passedCommands: 2 }],
  ['10', 'documents are read', { told: { commands: 0 }, phaseType: 'protocol' }],
  ['10', 'data is read', { told: { commands: 0 }, phaseType: 'data' }],
  ['10', 'its program tells of no tools', { told: {} }],
  ['2', 'tasks that only verify', { changesPlanned: false, returned: returned({ commit_shas: [] }) }],
  [
    '6',
    'tasks that only verify, shown by commands alone',
    {
      changesPlanned: false,
      returned: returned({ commit_shas: [], evidence: { ...returned().evidence, files_checked: [] } }),
    },
  ],
  [
    '7',
    'tasks that only verify change nothing',
    {
      changesPlanned: false,
      returned: returned({ commit_shas: [], evidence: { ...returned().evidence, git_diff_summary: '' } }),
    },
  ],
  [
    '7',
    'a place that is not there, of a criterion that failed',
    {
      verification: verification({
        criteria_results: [{ criterion: 'C1', status: 'failed', evidence: 'src/gone.ts:1' }],
      }),
      unfounded: ['src/gone.ts:1'],
    },
  ],
  ['3', 'a scripted agent', { phaseSeconds: 2, isModel: false }],
  ['3', 'one small task', { phaseSeconds: 100, autoTasks: 1 }],
  [
    '4',
    'a phase that failed before it was verified',
    { returned: returned({ status: 'failed', ...steps({ verify: step('skipped', false) }) }) },
  ],
  ['5', 'scores that differ', { earlierScores: [9.1, 8.8] }],
  ['6', 'done before, with file and line', { returned: verifyOnly() }],
  [
    '7',
    'a phase of documents without commands',
    {
      phaseType: 'protocol',
      returned: returned({ evidence: { ...returned().evidence, commands_run: ['ls docs -> 3'] } }),
    },
  ],
  ['8', 'each criterion is shown', { returned: verifyOnly() }],
  [
    '9',
    'a judge who agrees on evidence in the report alone',
    { divergence: divergence({ independent_evidence: [] }) },
  ],
  [
    '9',
    'a phase that failed before it was judged',
    { returned: returned({ status: 'failed' }), judgeReport: undefined },
  ],
  [
    '9',
    'no judge was sent, which is another check',
    { returned: returned(steps({ judge: step('completed', false) })), judgeReport: undefined },
  ],
  [
    '9',
    'a judge whose report differs, whatever the result says',
    {
      judgeReport:
        '# Judge\n\n### Divergence Analysis\n\n- I disagree about C1: the verifier missed the empty list.\n',
      divergence: divergence({ independent_evidence: [] }),
    },
  ],
  [
    '9',
    'a judge who differs',
    {
      judgeReport:
        '# Judge\n\n### Divergence Analysis\n\n- I disagree about C1: the verifier missed the empty list.\n',
      divergence: divergence({ independent_evidence: [], verifier_agreement: false }),
    },
  ],
  [
    '10',
    'a phase that failed before anybody looked',
    { returned: returned({ status: 'failed' }), verification: verification({ commands_run: [] }) },
  ],
  [
    '10',
    'a verifier who does not let it pass',
    { told: { commands: 0 }, verification: verification({ pass: false }) },
  ],
  ['10b', 'the least time', { verificationSeconds: 120 }],
  ['10b', 'nothing was timed', { verificationSeconds: null }],
  ['10b', 'a phase that failed', { verificationSeconds: 1, returned: returned({ status: 'failed' }) }],
  ['11', 'a phase that failed before it was judged', { divergence: undefined }],
  [
    '11',
    'a phase that failed',
    {
      returned: returned({ status: 'failed' }),
      divergence: divergence({ independent_evidence: [] }),
    },
  ],
  [
    '11b',
    'a role that speaks of itself',
    {
      rating: rating({ aggregate_justification: 'Rater' }),
      verification: verification({ failures: ['The verifier concluded that C1 fails'] }),
    },
  ],
  [
    '11b',
    'the last notes of the judge tell what the verifier said, whose report it has read by then',
    { divergence: divergence({ notes: 'The verifier concluded pass.' }) },
  ],
  [
    '13',
    'a phase that is not left to anybody',
    { returned: returned({ human_verify_justification: undefined }) },
  ],
  [
    '14',
    'a phase that is not left to anybody',
    {
      returned: returned({
        human_verify_justification: {
          checkpoint_task_id: '02-03',
          auto_tasks_passed: 2,
          auto_tasks_total: 2,
        },
      }),
    },
  ],
  [
    '14',
    'a phase of nothing but tasks for a person',
    {
      returned: deferred({ auto_tasks_passed: 0, auto_tasks_total: 0 }),
      verification: defers('needs visual confirmation of the layout'),
    },
  ],
  ['15', 'a phase that failed', { returned: returned({ status: 'failed', alignment_score: 4 }) }],
  ['15', 'a phase without a score', { returned: returned({ alignment_score: null }) }],
  ['10b', 'a scripted agent', { verificationSeconds: 1, isModel: false }],
  ['10b', 'switched off', { verificationSeconds: 1, verificationMinSeconds: 0 }],
  [
    '11',
    'a judge who saw more',
    { divergence: divergence({ independent_evidence: [], verifier_missed: ['C1 is empty'] }) },
  ],
  [
    '11b',
    'the judge speaks of the verifier in the divergence analysis',
    { judgeReport: `${report}\nThe verifier concluded pass, and so do I.` },
  ],
  [
    '12',
    'a failure with a word',
    { failures: ['it broke'], categories: [{ failure: 'it broke', category: 'tool_failure' }] },
  ],
  ...['`npm test`: 12 passed', 'npx vitest run -> ok', 'checked with `git diff --stat`', './check.sh'].map(
    (said): Case => [
      '10',
      `a verifier that ran: ${said}`,
      { verification: verification({ commands_run: [said] }) },
    ],
  ),
  ...[
    'read src/a.ts: parse() is called once',
    'checked 12 links, all answer',
    'a spot check of the form holds',
  ].map(
    (said): Case => [
      '11',
      `a judge that shows: ${said}`,
      { divergence: divergence({ independent_evidence: [said] }) },
    ],
  ),
  ...['## 3. Divergence Analysis', '## **Divergence Analysis**', '### Divergence analysis:'].map(
    (heading): Case => [
      '9',
      `a report with "${heading}"`,
      { judgeReport: `# Judge\n\nRead src/a.ts:12.\n\n${heading}\n\nThe verifier and I agree.\n` },
    ],
  ),
  ...[
    'I did not read what the executor reported',
    'Whatever the executor reported, C1 holds by src/a.ts:12',
  ].map((said): Case => ['11b', `a verifier: ${said}`, { verification: verification({ failures: [said] }) }]),
  [
    '11b',
    'a product with a job executor',
    {
      verification: verification({
        failures: ['the job executor reports 3 jobs', 'executor.ts:3 returns null'],
      }),
    },
  ],
  [
    '11b',
    'a judge on what the executor shows, which it is given',
    { judgeReport: `The executor claims src/a.ts:12; I read it.\n${report}` },
  ],
  [
    '8',
    'criteria named by their text',
    {
      returned: verifyOnly(),
      criteria: 1,
      criterionNames: ['C1', 'It parses'],
      verification: verification({
        criteria_results: [{ criterion: 'It parses', status: 'verified', evidence: 'src/a.ts:12' }],
      }),
    },
  ],
  ...['the push notification arrives on a device only', 'the layout depends on a third-party widget'].map(
    (why): Case => ['14', `a deferral: ${why}`, { returned: deferred(), verification: defers(why) }],
  ),
  ['13', 'a deferral with its task', { returned: deferred() }],
  [
    '14',
    'a deferral for what the code does not show',
    { returned: deferred(), verification: defers('the payment service is external') },
  ],
  ['14', 'a deferral while a task failed', { returned: deferred({ auto_tasks_passed: 1 }) }],
  ['15', 'passed with 9.0', { returned: returned({ alignment_score: 9 }) }],
]

test.each(honest)('check %s leaves alone: %s', (number, _, more) => {
  expect(integrityChecks.find((one) => one.number === number)?.check(facts(more))).toBeUndefined()
})

test('the longer scores are alike, the louder it is told', () => {
  const of = (earlierScores: number[]) => checkIntegrity(facts({ earlierScores }), {}).warnings[0]
  expect(of([9.1, 9.1])).toMatchObject({ event: 'rubber_stamp_warning' })
  expect(of([9.1, 9.0, 9.1, 9.2])).toMatchObject({
    event: 'rubber_stamp_enhanced',
    stricter: expect.any(String),
  })
  expect(of([9.1, 9.0, 9.1, 9.2, 9.1, 9.1])).toMatchObject({ event: 'rubber_stamp_critical', suspect: true })
  expect(alikeAtEnd([8.9, 9.0, 9.1, 9.2])).toBe(3)
})

test('a quick verification that ran commands is told, one that ran none is sent again', () => {
  const quick = { verificationSeconds: 20 }
  expect(checkIntegrity(facts(quick), {})).toMatchObject({ warnings: [{ number: '10b' }] })
  expect(checkIntegrity(facts(quick), {}).respawn).toBeUndefined()
  const nothing = { ...quick, verification: verification({ commands_run: [] }) }
  expect(checkIntegrity(facts(nothing), { '10': 1 }).respawn).toMatchObject({
    number: '10b',
    target: 'verify',
  })
})

test('the first violation is what is sent again, and it is told why', () => {
  const { respawn } = checkIntegrity(
    facts({ judgeReport: undefined, verification: verification({ commands_run: [] }) }),
    {},
  )
  expect(respawn && enforcementOf(respawn)).toEqual({ check: '9', reason: 'There is no JUDGE-REPORT.md.' })
})

describe('a file and a line', () => {
  it.each([
    'src/таблица.ts:12',
    '文件.md:3',
    'app/[id].tsx:5',
    '[...slug].tsx:8',
    'src/c++.h:3',
    'a(1).ts:2',
    'Makefile:12 has it',
    'the justfile:4',
    '.gitignore:1',
    '`.env:3`',
    'src/a.ts#L4',
    'build/Dockerfile:3',
  ])('%s', (text) => {
    expect(pathLine.test(text)).toBe(true)
  })

  it.each([
    'at 10:30',
    'localhost:3000',
    '127.0.0.1:3000',
    'v1.2:3',
    'ratio 1.5:1',
    'looks done',
    'profile:3',
  ])('%s is none', (text) => {
    expect(pathLine.test(text)).toBe(false)
  })
})

test('a verifier that is unsure and gives no reason is asked for one, then a person is', () => {
  const unsure = facts({
    returned: returned({ status: 'needs_human_verification' }),
    verification: verification({ autonomous_confidence: 3 }),
  })
  const reason = expect.stringContaining('The verifier is 3 of 10 sure, and says of no criterion')
  expect(checkIntegrity(unsure, {}).respawn).toMatchObject({ number: '13', target: 'verify', reason })
  const again = checkIntegrity(unsure, { 13: 1 })
  expect([again.failed, again.respawn, again.warnings.map(({ number }) => number)]).toEqual([
    undefined,
    undefined,
    ['13'],
  ])
})
