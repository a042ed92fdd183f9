import type { SessionAsk } from '../ledger/session-opening.js'
import type { Problem } from '../problem.js'
import { hiddenQuestion } from '../run/hidden.js'
import { createTextRedactor, recordedSecrets } from '../secrets/redact.js'
import type { openElsewhere } from '../storage/lock.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { Question, QuestionDraft } from '../view/question.js'

// What is asked while a session is opened, whatever its workflow.

export const stop = { value: 'stop', label: 'stop', consequence: 'leave everything as it is', stops: true }

/** A draft as a question that is asked now, without secrets. */
export function asked(draft: QuestionDraft): Question {
  const now = new Date()
  const hide = createTextRedactor(recordedSecrets(process.env, {}))
  return { ...hiddenQuestion(hide, draft), id: `${draft.gate}-${now.getTime()}`, askedAt: now.toISOString() }
}

/** What is moved where, repo-relative: a state file that lies outside of the session is named, since people know it by its path. */
export interface Archived {
  stateFile: string
  sessionDir: string
  archiveDir: string
}

export function archiveOption({ stateFile, sessionDir, archiveDir }: Archived) {
  const isInside = stateFile.startsWith(`${sessionDir}/`)
  const moved = isInside ? 'the session' : `${stateFile} and what else belongs to this session`
  return {
    value: 'archive',
    label: 'archive and start fresh',
    consequence: sanitizeLine(`move ${moved} to ${archiveDir} and begin again`),
  }
}

/** What a session is about is gone from its place, and lies where the person points. */
export function qMoved(subject: string, from: string, slug: string): QuestionDraft {
  return {
    gate: 'Q-MOVED',
    title: `${subject} is what session ${slug} is about`,
    body: [`It was ${from}, which is not there any more; both say the same.`].map(sanitizeLine),
    options: [
      {
        value: 'go on',
        label: 'go on with that session',
        consequence: 'it is about the file in its new place from now on',
        safe: true,
      },
      { value: 'anew', label: 'begin a new session', consequence: 'that session stays as it is' },
      stop,
    ],
  }
}

/** Another tool has kept a state beside what the session is to be about. */
export function qImport(from: string, lines: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-IMPORT',
    title: 'There is a record of a session that another tool has kept',
    body: [from, ...lines].map(sanitizeLine),
    options: [
      {
        value: 'import',
        label: 'import it',
        consequence: 'a session begins where it stands; the record stays as it is and is not written',
        safe: true,
      },
      { value: 'anew', label: 'begin a new session', consequence: 'the record is left alone' },
      stop,
    ],
  }
}

/** Finished session opened again: shows the summary; nothing runs again by itself. */
export function qDone(summary: string[], archived: Archived): QuestionDraft {
  return {
    gate: 'Q-DONE',
    title: 'This session is done',
    body: summary,
    options: [
      { value: 'close', label: 'close', consequence: 'leave everything as it is', safe: true },
      archiveOption(archived),
    ],
  }
}

/** The state file and its backup cannot be used. */
export function qBroken(reasons: string[], archived: Archived): QuestionDraft {
  return {
    gate: 'Q-BROKEN',
    title: 'The saved state of this session cannot be read',
    body: reasons,
    options: [
      { value: 'close', label: 'close', consequence: 'touch nothing', safe: true },
      archiveOption(archived),
    ],
  }
}

/** A state file without a journal is taken over only if a person says so. `lines` are of the workflow. */
export function qAdopt(lines: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-ADOPT',
    title: 'Go on with this session?',
    body: ['Its state file was written by another tool, or by a version without a journal.', ...lines].map(
      sanitizeLine,
    ),
    options: [
      { value: 'adopt', label: 'go on with it', consequence: 'continue from that state', safe: true },
      stop,
    ],
  }
}

/** State file and backup are gone or broken, and the journal has the whole last state. */
export function qRebuild(before: Extract<SessionAsk<object>, { kind: 'rebuild' }>): QuestionDraft {
  return {
    gate: 'Q-REBUILD',
    title: 'Rebuild the state file from the journal?',
    body: [
      before.path,
      before.reason,
      'The journal holds the whole last state; a file that cannot be read is kept beside it.',
    ],
    options: [
      {
        value: 'rebuild',
        label: 'rebuild',
        consequence: 'go on from the last saved step',
        safe: true,
      },
      stop,
    ],
  }
}

/** The journal of a session is gone, and its seal says that there was one. */
export function qRemoved(before: Extract<SessionAsk<object>, { kind: 'removed' }>): QuestionDraft {
  const nothing = before.left.length === 0
  return {
    gate: 'Q-REMOVED',
    title: 'This session was removed',
    body: [
      `Its journal ${before.path} is gone; its seal says that there was one.`,
      nothing ? 'Nothing of it is left.' : `Still there: ${before.left.join(', ')}`,
      'Put the journal back from a copy to go on with it.',
    ].map(sanitizeLine),
    options: [
      {
        value: 'anew',
        label: 'start anew',
        consequence: 'its seal is put aside; what was decided and done in it is not known any more',
        safe: nothing,
      },
      { ...stop, safe: !nothing },
    ],
  }
}

/** Something of a session is there, but nothing that says where it was. */
export function qTraces(before: Extract<SessionAsk<object>, { kind: 'traces' }>): QuestionDraft {
  return {
    gate: 'Q-REMOVED',
    title: 'Something of a session is here, but neither its journal nor its state',
    body: [
      before.path,
      `Still there: ${before.left.join(', ')}`,
      'Where it was cannot be told any more. Put both files back from a copy to go on with it.',
    ].map(sanitizeLine),
    options: [
      {
        value: 'anew',
        label: 'start anew',
        consequence: 'from the beginning, beside what is still there',
      },
      { ...stop, safe: true },
    ],
  }
}

export type OpenElsewhere = Parameters<typeof openElsewhere>[1] & { liveness: 'alive' | 'unknown' }

/** Another process has the session. Taking it over needs the id of its lock. */
export function qLock(problem: Problem, found: OpenElsewhere): QuestionDraft {
  const alive = found.liveness === 'alive'
  return {
    gate: 'Q-LOCK',
    title: problem.what,
    body: [
      problem.why,
      alive ? 'That process is alive.' : 'Whether that process is alive cannot be told from here.',
      `Lock: ${found.lockId}`,
      ...(found.owner
        ? [`Host ${found.owner.hostname}, user ${found.owner.user}, program ${found.owner.argv0}`]
        : []),
    ].map(sanitizeLine),
    options: [
      { value: 'close', label: 'close', consequence: 'leave the session to that process', safe: true },
      {
        value: 'unlock',
        label: 'take it over',
        consequence: alive
          ? 'the living process can write no more and stops'
          : 'only if that process is gone for certain',
        text: { label: 'Type the id of the lock', required: true },
      },
    ],
  }
}
