import { counted } from '../../../counted.js'
import type { ConflictReading } from '../../../documents/merge-conflicts.js'
import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import type { FlowStep } from '../flow/flow.js'
import { label, option, safe } from './options.js'

// The state file in a merge, and changed by others (docs/lifecycle.md, "Edits of others").

const shownConflicts = 10

const shownOfSide = 6

/** An unfinished merge in the state file: one side of each place where two changes did not fit. */
export function qConflict(path: string, reading: ConflictReading): QuestionDraft {
  const gate = 'Q-EDITED'
  const title = 'The state file is in the middle of a merge'
  if (reading.kind === 'broken')
    return {
      gate,
      title,
      body: [
        path,
        `The marks of a merge in its lines ${reading.lines.join(', ')} do not belong together, so its sides cannot be told apart.`,
        'Finish the merge in an editor, and start autopilot again. Nothing was changed.',
      ],
      options: [{ ...stop, ...safe }],
    }
  const { conflicts } = reading
  const side = (sign: string, { lines }: { lines: string[] }) => [
    ...lines.slice(0, shownOfSide).map((line) => `  ${sign} ${line}`),
    ...(lines.length > shownOfSide
      ? [`  ${sign} (${counted(lines.length - shownOfSide, 'more line')})`]
      : []),
  ]
  const [first] = conflicts
  const named = (name: string | undefined) => (name ? ` (${name})` : '')
  return {
    gate,
    title,
    body: [
      path,
      ...conflicts
        .slice(0, shownConflicts)
        .flatMap(({ from, to, ours, theirs }) => [
          `Lines ${from} to ${to}:`,
          ...side('ours  ', ours),
          ...side('theirs', theirs),
        ]),
      ...(conflicts.length > shownConflicts
        ? [`and ${counted(conflicts.length - shownConflicts, 'more place')}`]
        : []),
    ],
    options: [
      option('theirs', 'theirs', `take the second side everywhere${named(first?.theirs.name)}`),
      option('ours', 'ours', `take the first side everywhere${named(first?.ours.name)}`),
      { ...stop, ...safe },
    ],
  }
}

export function qTouched(step: FlowStep, lines: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-TOUCHED',
    title: 'The state file was changed where only the program writes',
    body: [
      `During: ${label(step)}. It was the agent or you, if you worked beside it. These lines were changed:`,
      ...lines,
    ],
    options: [
      option('put-back', 'put back', 'it has been put back already; sub-step and additions stay', safe),
      option('mine', 'mine, keep', 'the file as it was changed; nothing is held against the agent'),
      option('accept', 'accept', 'the file as it was changed; the decision is recorded'),
      stop,
    ],
  }
}
