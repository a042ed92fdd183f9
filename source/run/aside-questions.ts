import { counted } from '../counted.js'
import type { ForeignLine } from '../ledger/journal-chain.js'
import type { SessionAsk } from '../ledger/session-opening.js'
import type { Problem } from '../problem.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { Question, QuestionDraft, QuestionOption } from '../view/question.js'

// Questions that are asked beside the journal: they are about the journal and the state file themselves.

const stop: QuestionOption = {
  value: 'stop',
  label: 'stop',
  consequence: 'end here; goes on from the last saved step',
  stops: true,
}

/** The disk is full; what was reached is kept in memory until a save succeeds (docs/durability.md). */
export function diskQuestion(problem: Problem, now: Date): Question {
  return {
    id: `disk-${now.getTime()}`,
    gate: 'Q-DISK',
    title: 'The session could not be saved',
    body: [problem.what, 'Finished work is kept in memory until it can be saved.', problem.why, problem.todo],
    options: [
      {
        value: 'retry',
        label: 'retry',
        consequence: 'save again; nothing was lost so far',
        safe: true,
      },
      stop,
    ],
    askedAt: now.toISOString(),
  }
}

const shownLines = 40

/** The same JSON in the same lines, however it was written, so that only real changes differ. */
export function canonicalJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** The lines that only one of two JSON texts has, marked `-` (ours) and `+` (on disk). */
export function changedLines(expected: string, found: string): string[] {
  const ours = new Set(canonicalJson(expected).split('\n'))
  const theirs = new Set(canonicalJson(found).split('\n'))
  const lines = [
    ...[...ours].filter((line) => !theirs.has(line)).map((line) => `- ${line.trim()}`),
    ...[...theirs].filter((line) => !ours.has(line)).map((line) => `+ ${line.trim()}`),
  ]
  if (lines.length <= shownLines) return lines
  return [...lines.slice(0, shownLines), `(${counted(lines.length - shownLines, 'more line')})`]
}

/** Records that something else wrote into the journal, one by one (docs/durability.md, "The seal"). */
export function foreignRecordsQuestion({
  path,
  lines,
}: {
  path: string
  lines: readonly ForeignLine[]
}): QuestionDraft {
  const shown = lines.slice(0, shownLines).flatMap((line) => ['', ...foreignLineText(line)])
  const more = lines.length > shownLines ? ['', `(${counted(lines.length - shownLines, 'more line')})`] : []
  return {
    gate: 'Q-FOREIGN',
    title: `Something else wrote ${lines.length === 1 ? 'a record' : counted(lines.length, 'record')} into the journal`,
    body: [path, 'None of this was acted on.', ...shown, ...more].map(sanitizeLine),
    options: [
      {
        value: 'cut',
        label: 'cut it off',
        consequence: 'it is kept beside the journal; goes on from what autopilot recorded',
        safe: true,
      },
      stop,
    ],
  }
}

/** The journal was put back to an earlier copy, cut or edited under a run that remembers what it wrote (docs/durability.md). */
export function journalChangedQuestion(path: string, now: Date): Question {
  return {
    id: `journal-${now.getTime()}`,
    gate: 'Q-JOURNAL',
    title: 'The journal is not what this run has written',
    body: [
      path,
      '',
      'It was cut, edited or put back to an earlier copy while the session was open, perhaps by an agent.',
      'It holds every step that was taken; going on would repeat or lose some of them, so nothing more is written.',
    ].map(sanitizeLine),
    options: [
      { ...stop, consequence: 'ends; the next start offers the newest state that holds', safe: true },
      { value: 'again', label: 'look again', consequence: 'you have put the journal back as it was' },
    ],
    askedAt: now.toISOString(),
  }
}

const shownOfLine = 300

/** What a line says it is, why it is none of ours, and its beginning. */
export function foreignLineText({ line, text, why }: ForeignLine): string[] {
  const cut = text.length > shownOfLine ? `${text.slice(0, shownOfLine)}...` : text
  return [`line ${line}: ${why}`, `  ${cut}`]
}

/**
 * What is done about an edit of another hand. `whole`: one of the two files holds. `shared`: the same, for a file that
 * people write too. `merged`: of what both sides changed one side is taken.
 */
export type EditChoice = 'whole' | 'shared' | 'merged'

const editWords: Record<EditChoice, { accept: [string, string]; restore: [string, string] }> = {
  whole: {
    accept: ['accept', 'go on from the file as it is now'],
    restore: ['restore', 'put back what autopilot saved; the edited file is kept beside it'],
  },
  shared: {
    accept: ['theirs', 'go on from the file as it is now'],
    restore: ['ours', 'put back what autopilot saved; the edited file is kept beside it'],
  },
  merged: {
    accept: ['theirs', 'where both changed the same, take what the file says now'],
    restore: ['ours', 'where both changed the same, take what autopilot writes'],
  },
}

/** Whose edit it may be. */
export function agentLines(atWork: boolean): string[] {
  return atWork ? ['An agent was at work, so this may be its doing.', ''] : []
}

/** Something else wrote the state file (docs/durability.md). */
export function foreignEditQuestion<State>(
  ask: Extract<SessionAsk<State>, { kind: 'foreign-edit' }>,
  now: Date,
  choice: EditChoice = 'whole',
): Question {
  const option = (value: 'accept' | 'restore'): QuestionOption => {
    const [label, consequence] = editWords[choice][value]
    return { value, label, consequence, ...(value === 'restore' ? { safe: true } : {}) }
  }
  const order = choice === 'whole' ? (['restore', 'accept'] as const) : (['accept', 'restore'] as const)
  return {
    id: `edited-${now.getTime()}`,
    gate: 'Q-EDITED',
    title: 'The state file was changed by something else',
    body: [ask.path, '', ...agentLines(ask.atWork), ...changedLines(ask.expectedText, ask.foundText)],
    options: [...order.map(option), stop],
    askedAt: now.toISOString(),
  }
}
