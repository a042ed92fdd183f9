import { Problem } from '../../../source/problem.js'
import {
  diskQuestion,
  foreignEditQuestion,
  foreignRecordsQuestion,
  journalChangedQuestion,
} from '../../../source/run/aside-questions.js'
import { brokenQuestion } from '../../../source/run/dispatches.js'
import { trustQuestion as changedTrust, fileQuestion, revisionQuestion } from '../../../source/run/visits.js'
import { qIdentity, qInit } from '../../../source/sessions/begin-repository.js'
import { qForeign } from '../../../source/sessions/foreign-state.js'
import { qJournal } from '../../../source/sessions/journal-questions.js'
import { orphanQuestion } from '../../../source/sessions/orphans.js'
import { trustQuestion } from '../../../source/sessions/project-trust.js'
import {
  qAdopt,
  qBroken,
  qDone,
  qImport,
  qLock,
  qMoved,
  qRebuild,
  qRemoved,
  qTraces,
} from '../../../source/sessions/session-questions.js'
import { settleStartDoubts } from '../../../source/sessions/start-doubts.js'
import { openElsewhere } from '../../../source/storage/lock.js'
import type { QuestionDraft } from '../../../source/view/question.js'

const problem = new Problem({
  code: 'unreadable',
  what: 'docs/roadmap.md cannot be read.',
  why: 'It is a directory.',
  todo: 'Put the file back.',
})
const dir = '.harness/sessions/mail'
const journal = `${dir}/journal.jsonl`
const sealPath = '/home/person/.local/state/autopilot/seals/mail.json'
const archive = {
  stateFile: '_docs/_autopilot_state.md',
  sessionDir: '.autopilot/session',
  archiveDir: '.autopilot/archive',
}
const found = { owner: undefined, lockId: 'lock-1234', liveness: 'unknown' as const }
const foreign = [
  { offset: 0, size: 12, line: 7, text: '{"type":"answered"}', why: 'it does not follow the line before' },
]
const resolve = async () => undefined

/** The question of a start that asks only where something is odd. */
async function startDoubts(): Promise<QuestionDraft> {
  let question: QuestionDraft | undefined
  await settleStartDoubts({ startDoubts: async () => [problem] }, async (asked) => {
    question = asked
    return 'quit'
  })
  if (!question) throw new Error('Nothing was asked.')
  return question
}

/** Questions that are asked in a run about the run itself, whatever its workflow. */
export function runGates(now: Date): QuestionDraft[] {
  return [
    diskQuestion(problem, now),
    foreignRecordsQuestion({ path: journal, lines: foreign }),
    journalChangedQuestion(journal, now),
    foreignEditQuestion(
      {
        kind: 'foreign-edit',
        path: `${dir}/state.json`,
        expected: {},
        expectedText: '{"phase":1}',
        found: {},
        foundText: '{"phase":2}',
        atWork: true,
        resolve,
      },
      now,
    ),
    brokenQuestion('Execute phase 1', 3),
    fileQuestion(problem),
    changedTrust(['Agent: node agent.mjs']),
    revisionQuestion('EXECUTE', 'It was begun by another version of the program.'),
  ]
}

/** Questions before there is a run: they have the whole screen. */
export async function sessionGates(now: Date): Promise<QuestionDraft[]> {
  const beginning = {
    hasRepository: false,
    paths: Array.from({ length: 40 }, (_, index) => `src/file-${index + 1}.ts`),
    leftOut: [],
    hasIdentity: true,
  }
  return [
    qInit(beginning, false),
    qIdentity(undefined),
    await startDoubts(),
    trustQuestion(
      {
        root: '/home/person/mail',
        hash: 'c'.repeat(64),
        items: [{ kind: 'agent', label: 'Agent', detail: 'node agent.mjs', hash: 'd'.repeat(64) }],
      },
      now,
      { confinement: ['Agents are confined: they write in this project alone.'], allow: ['git push'] },
    ),
    qForeign('.autopilot/state.json'),
    qJournal(
      { kind: 'journal', path: journal, sealPath, finding: { kind: 'unsealed', reason: 'it has no seal' } },
      archive,
    ),
    qJournal(
      { kind: 'journal', path: journal, sealPath, finding: { kind: 'foreign', lines: foreign } },
      archive,
    ),
    qJournal(
      {
        kind: 'journal',
        path: journal,
        sealPath,
        finding: { kind: 'damaged', what: 'Line 7 was sealed and is not there.', usable: true },
      },
      archive,
    ),
    qMoved('specs/mail.md', 'docs/mail.md', 'mail'),
    qImport('.harness/state.json', ['Phase 2 of 3']),
    qDone(['3 phases, 14 tasks'], archive),
    qBroken(['state.json: unexpected end of JSON'], archive),
    qAdopt(['Phase 2 of 3, PLAN']),
    qRebuild({ kind: 'rebuild', path: dir, reason: 'it is not there', state: {}, resolve }),
    qRemoved({ kind: 'removed', path: journal, sealPath, left: [], resolve }),
    qTraces({ kind: 'traces', path: dir, left: ['logs'], resolve }),
    qLock(openElsewhere('mail', found), found),
    orphanQuestion([4711, 4712]),
  ]
}
