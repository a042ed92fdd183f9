import type { ListEditor, ListItem, QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import { complexities } from '../state/state.js'

// Gates around a session: opening, reading, migrating, reordering (docs/harness.md, "Questions").

/** What each phase of a list has one of. */
const choice: ListEditor['choice'] = {
  label: 'complexity',
  values: [...complexities],
  default: 'medium',
}

/** A tolerant reading of the phases has to be confirmed (docs/harness.md, "Spec grammar"). */
export function qReading(body: string[], items: ListItem[]): QuestionDraft {
  return {
    gate: 'Q-READING',
    title: 'Are these the phases of the spec?',
    body,
    options: [
      { value: 'use', label: 'use these phases', consequence: 'begin with this list', safe: true },
      {
        value: 'edit',
        label: 'edit the list',
        consequence: 'rename, drop, merge, set complexity',
        edits: true,
      },
      stop,
    ],
    list: { kind: 'reading', items, choice },
  }
}

/** No phases could be read at all (docs/harness.md, "Spec grammar"). */
export function qNoPhases(body: string[]): QuestionDraft {
  return {
    gate: 'Q-READING',
    title: 'No phases could be read from the spec',
    body,
    options: [
      {
        value: 'heading',
        label: 'choose a heading',
        consequence: 'read the phases below the heading in this line of the spec',
        text: { label: 'Line number of the heading', required: true },
      },
      { value: 'edit', label: 'type the phases', consequence: 'write the list yourself', edits: true },
      {
        value: 'retry',
        label: 'edit the spec and retry',
        consequence: 'read the file again',
        rereads: true,
        safe: true,
      },
      stop,
    ],
    list: { kind: 'reading', items: [], choice },
  }
}

/** Something else lies where the spec was. */
export function qSpecUnreadable(specPath: string, why: string[]): QuestionDraft {
  return {
    gate: 'Q-SPEC-CHANGED',
    title: `${specPath} cannot be read`,
    body: why,
    options: [
      {
        value: 'again',
        label: 'look again',
        consequence: 'after you have put the file back',
        safe: true,
        rereads: true,
      },
      {
        value: 'keep',
        label: 'keep what was approved',
        consequence: 'the text that the session has kept is executed and judged',
      },
      stop,
    ],
  }
}

/**
 * The base of a review is not known (docs/harness.md, "State migrations"), or not in this repository. `before`: a
 * commit that is known to lie before the work.
 */
export function qBase(
  { commit, of }: { commit: string | null; of: string },
  { head, before }: { head: string; before: string | null },
): QuestionDraft {
  return {
    gate: 'Q-BASE',
    title: `Where did the work of ${of} begin?`,
    body: [
      commit === null
        ? 'The saved state names no starting commit that can be trusted.'
        : `The saved state names ${commit}, which is not in this repository: a shallow clone, another machine, or a history that was rewritten.`,
      'Reviews read everything from that commit to HEAD; with HEAD they miss what was done before.',
    ],
    options: [
      ...(before === null
        ? []
        : [
            {
              value: 'before',
              label: 'use the end of the phase before',
              consequence: `reviews start at ${before.slice(0, 7)}`,
              safe: true,
            },
          ]),
      {
        value: 'enter',
        label: 'enter a commit',
        consequence: 'reviews start there',
        text: { label: 'Commit, tag or branch', required: true },
      },
      {
        value: 'head',
        label: 'use HEAD',
        consequence: `start at ${head.slice(0, 7)}; what was done before is not reviewed`,
      },
      stop,
    ],
  }
}

/**
 * A stored state that this version does not know, or one that says "complete" with open phases (docs/harness.md,
 * "State migrations").
 */
export function qOddState(
  body: string[],
  options: { value: string; label: string; consequence: string; safe?: boolean; recommended?: boolean }[],
): QuestionDraft {
  return {
    gate: 'Q-STATE',
    title: 'Where should this session go on?',
    body,
    options: [...options, stop],
  }
}

/** Open phases skipped or moved (docs/harness.md, "Settled decisions"); completed ones never run again. */
export function qPhases(items: ListItem[]): QuestionDraft {
  return {
    gate: 'Q-PHASES',
    title: 'Skip or reorder open phases',
    body: ['Phases that are complete or running are not listed.'],
    options: [
      { value: 'keep', label: 'keep as it is', consequence: 'go on', safe: true },
      { value: 'edit', label: 'change the order', consequence: 'move or skip phases', edits: true },
    ],
    list: { kind: 'order', items, choice },
  }
}
