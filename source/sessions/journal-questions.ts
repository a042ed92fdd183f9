import type { SessionAsk } from '../ledger/session-opening.js'
import { foreignRecordsQuestion } from '../run/aside-questions.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { QuestionDraft } from '../view/question.js'
import { type Archived, archiveOption, stop } from './session-questions.js'

// What is asked about a journal that is not what was sealed (docs/durability.md, "The seal").

export function qJournal(
  before: Extract<SessionAsk<object>, { kind: 'journal' }>,
  archived: Archived,
): QuestionDraft {
  const { path, sealPath, finding } = before
  switch (finding.kind) {
    case 'unsealed':
      return qUnsealed(path, finding.reason)
    case 'foreign': {
      const question = foreignRecordsQuestion({ path, lines: finding.lines })
      const moved = `If you went on with this session elsewhere, stop, and put ${sealPath} aside.`
      return { ...question, body: [...question.body, '', sanitizeLine(moved)] }
    }
    case 'damaged':
      return qDamaged(before, finding, archived)
  }
}

function qUnsealed(path: string, reason: string): QuestionDraft {
  return {
    gate: 'Q-SEAL',
    title: 'Take over this session as it stands?',
    body: [
      `${path}: ${reason}.`,
      'That is so after an update from an older version, or where the project was moved or comes from another machine.',
      'Nobody can tell whether something else has changed its records since.',
    ].map(sanitizeLine),
    options: [
      {
        value: 'adopt',
        label: 'take it over',
        consequence: 'its records count as they are; from now on they are sealed',
        safe: true,
      },
      stop,
    ],
  }
}

function qDamaged(
  { path, sealPath }: { path: string; sealPath: string },
  { what, usable }: { what: string; usable: boolean },
  archived: Archived,
): QuestionDraft {
  const back = {
    value: 'back',
    label: 'go back to what holds',
    consequence: 'the newest state before the damage; the journal as it is now is kept beside it',
  }
  return {
    gate: 'Q-JOURNAL',
    title: 'The journal of this session is damaged',
    body: [
      path,
      what,
      'Records that were sealed are missing or changed, so nothing behind them is acted on.',
      `If another project was in this place before, stop, and put ${sealPath} aside.`,
    ].map(sanitizeLine),
    options: [{ ...stop, safe: true }, ...(usable ? [back] : []), archiveOption(archived)],
  }
}
