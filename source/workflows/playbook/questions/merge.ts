import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import { gitsWords } from '../gits-words.js'
import type { MergeTrouble } from '../split/work-parts.js'

const why: Readonly<Record<MergeTrouble['kind'], string>> = {
  conflict: 'Its changes and those of the parts before it meet in these files. Nothing was changed:',
  lost: 'It is merged, and these files are gone though no commit deleted them:',
  dirty: 'Uncommitted changes lie in the way. Nothing was changed:',
  other: 'git could not merge it. Nothing was changed:',
}

/** A part of a phase cannot simply be brought in. `round` counts the tries, this one included. */
export function qMerge(
  part: string,
  { branch, worktree }: { branch: string; worktree: string },
  { kind, paths, output }: MergeTrouble,
  round = 1,
): QuestionDraft {
  return {
    gate: 'Q-MERGE',
    title: `The part ${part} cannot be merged as it is`,
    body: [
      ...(round > 1 ? [`It was tried ${round} times and still cannot be merged.`, ''] : []),
      why[kind],
      ...paths,
      ...gitsWords(output),
      ...(kind === 'lost' ? [] : ['', `${branch} is checked out in ${worktree}.`]),
    ],
    options: [
      {
        value: 'resolved',
        label: 'resolve',
        consequence:
          kind === 'lost' ? 'it is right as it is' : `you have merged or mended ${branch}; it is tried again`,
      },
      {
        value: 'debugger',
        label: 'debugger',
        consequence: 'an agent brings the part up to date, then it is tried again',
      },
      {
        value: 'drop',
        label: 'drop',
        consequence: 'the part is left out and the phase is not completed; its commits are kept',
      },
      stop,
    ],
  }
}
