import type { QuestionDraft, QuestionOption } from '../../../view/question.js'
import { stop } from '../../options.js'

const mended: QuestionOption = {
  value: 'debugger',
  label: 'debugger',
  consequence:
    'an agent takes back by hand what the phase did and keeps the rest; then it is looked at what is left',
}

const leave = (consequence: string): QuestionOption => ({ value: 'leave', label: 'leave', consequence })

/** Later phases that need what is to be taken back. */
function builtOnIt(phases: readonly string[]): string[] {
  if (phases.length === 0) return []
  const many = phases.length > 1
  return ['', `${many ? 'Phases' : 'Phase'} ${phases.join(', ')} ${many ? 'build' : 'builds'} on this one.`]
}

/**
 * A rollback meets commits of others, cannot be done, or left something of the phase where an agent did it. `tries`
 * counts what was tried so far.
 */
export function qRevert(
  phase: string,
  what:
    | { foreign: readonly string[]; builtOn?: readonly string[] }
    | { conflict: readonly string[] }
    | { left: readonly string[] },
  tries = 1,
): QuestionDraft {
  if ('foreign' in what)
    return {
      gate: 'Q-REVERT',
      title: `Commits of others lie among those of phase ${phase}`,
      body: [
        'The phase failed and is taken back. These commits are not its own:',
        ...what.foreign,
        ...builtOnIt(what.builtOn ?? []),
      ],
      options: [
        {
          value: 'ours',
          label: 'revert ours only',
          consequence: 'the commits of the phase are taken back, these stay',
        },
        mended,
        ...((what.builtOn ?? []).length > 0 ? [leave('the commits stay; the phase stays failed')] : []),
        stop,
      ],
    }
  const isLeft = 'left' in what
  return {
    gate: 'Q-REVERT',
    title: isLeft ? `Something of phase ${phase} is left` : `Phase ${phase} cannot be taken back as it is`,
    body: [
      ...(tries > 1 ? [`It was tried ${tries} times and is still not taken back.`, ''] : []),
      ...(isLeft
        ? ['The debugger has ended, and these files still hold what the phase did:', ...what.left]
        : ['Reverting its commits meets later changes. Nothing was changed:', ...what.conflict]),
    ],
    options: [
      {
        value: 'retry',
        label: 'retry',
        consequence: 'the commits are reverted, after you have mended what is in the way',
      },
      mended,
      leave(
        isLeft ? 'it stays as it is; the phase stays failed' : 'the commits stay; the phase stays failed',
      ),
      stop,
    ],
  }
}
