import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'

/** A rollback meets commits of others, or cannot be done. */
export function qRevert(
  phase: string,
  what: { foreign: readonly string[] } | { conflict: readonly string[] },
): QuestionDraft {
  if ('foreign' in what)
    return {
      gate: 'Q-REVERT',
      title: `Commits of others lie among those of phase ${phase}`,
      body: ['The phase failed and is taken back. These commits are not its own:', ...what.foreign],
      options: [
        {
          value: 'ours',
          label: 'revert ours only',
          consequence: 'the commits of the phase are taken back, these stay',
        },
        stop,
      ],
    }
  return {
    gate: 'Q-REVERT',
    title: `Phase ${phase} cannot be taken back as it is`,
    body: ['Reverting its commits meets later changes. Nothing was changed:', ...what.conflict],
    options: [
      { value: 'retry', label: 'retry', consequence: 'try again, after you have mended what is in the way' },
      { value: 'leave', label: 'leave', consequence: 'the commits stay; the phase stays failed' },
      stop,
    ],
  }
}
