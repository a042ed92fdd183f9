import type { Expects } from '../results.js'
import type { Field } from './fields.js'
import { tracesOfOthers } from './traces.js'

/**
 * What an order holds beside what every order holds. `may` is left out where there is none. A role that is not told a
 * thing here does not get it, in its order or in its prompt: the verifier hears nothing of what the executor says, the
 * judge nothing of the verifier before its own report is written, the rater nothing of any verdict
 * (docs/playbook-checks.md, "Orders").
 */
export const maySee = {
  research: {
    must: ['description', 'requirements', 'completedPhaseDirs', 'contextPaths', 'researchPath'],
    may: ['repoMapPath', 'replan'],
  },
  questions: {
    must: ['description', 'requirements', 'contextPaths'],
    may: [],
  },
  plan: {
    must: [
      'requirements',
      'completedPhaseSummaries',
      'contextPaths',
      'testsDir',
      'checkerIssues',
      'planPath',
    ],
    may: ['researchPath', 'learningsPath', 'replan'],
  },
  'plan-check': {
    must: ['planPaths', 'requirements', 'lintIssues'],
    may: [],
  },
  execution: {
    must: ['planPaths', 'logPath', 'baselineCompile', 'lastCheckpointSha', 'commitSubject'],
    may: [
      'task',
      'tasks',
      'learningsPath',
      'repoMapPath',
      'remediationCycle',
      'remediationFeedback',
      'handoff',
    ],
  },
  'mini-verification': {
    must: ['task', 'criteria', 'files', 'commandResults'],
    may: [],
  },
  verification: {
    must: ['planPaths', 'criteria', 'lastCheckpointSha', 'diffCommand', 'commandResults'],
    may: ['triageEvidence'],
  },
  judgement: {
    must: ['requirements', 'planPaths', 'diffCommand', 'logCommand', 'executorEvidence', 'reportPath'],
    may: [],
  },
  'judgement-divergence': {
    must: [
      'requirements',
      'planPaths',
      'diffCommand',
      'logCommand',
      'executorEvidence',
      'reportPath',
      'verificationPath',
      'turnOne',
    ],
    may: [],
  },
  rating: {
    must: ['criteria', 'diffCommand', 'commandResults'],
    may: [],
  },
  debug: {
    must: ['issues', 'failingChecks', 'remainingIssues', 'debugAttempt', 'commitSubject'],
    may: ['task', 'verificationPath', 'visualBugsPath'],
  },
  integration: {
    must: ['completedPhaseDirs', 'commandResults'],
    may: [],
  },
  audit: {
    must: ['requirements'],
    may: [],
  },
} as const satisfies Record<Expects, { must: readonly Field[]; may: readonly Field[] }>

/** What every order holds; `enforcement` only where the same is asked once more. */
export const everybodySees = [
  'phase',
  'phaseDir',
  'phaseType',
  'roadmapPath',
  'specPath',
  'commands',
  'tracePath',
  'enforcement',
] as const

/**
 * Files in the directory of a phase that say what somebody thinks of its work, and the field that hands a role the file;
 * undefined for what no role is handed.
 */
const opinions: Readonly<Record<string, Field | undefined>> = {
  'EXECUTION-LOG.md': 'logPath',
  'HANDOFF.md': 'handoff',
  'VERIFICATION.md': 'verificationPath',
  'VERIFICATION.previous.md': undefined,
  'JUDGE-REPORT.md': 'reportPath',
  'SCORECARD.md': undefined,
  'TRACE.jsonl': undefined,
}

/**
 * Names of the files in the directory of its phase that a role which only checks does not see: what others say of the
 * work, as far as its list does not hand it over, and their traces (docs/playbook-checks.md, "Orders").
 */
export function hiddenFrom(expects: Expects): string[] {
  const seen: readonly Field[] = [...maySee[expects].must, ...maySee[expects].may]
  const files = Object.entries(opinions).filter(([, field]) => field === undefined || !seen.includes(field))
  return [...files.map(([name]) => name), ...tracesOfOthers(expects)]
}
