import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'

const shown = 40

/** Something is uncommitted before a phase begins. */
export function qTree(paths: readonly string[]): QuestionDraft {
  const more = paths.length > shown ? [`and ${paths.length - shown} more`] : []
  return {
    gate: 'Q-TREE',
    title: 'The work tree is not clean',
    body: [
      'These paths have changes that no commit holds. Agents would work on top of them:',
      ...paths.slice(0, shown),
      ...more,
    ],
    options: [
      { value: 'commit', label: 'commit', consequence: 'commit them as they are, before anything else' },
      {
        value: 'aside',
        label: 'put aside',
        consequence: 'keep them under a ref of git, and give them back when the run is over',
      },
      {
        value: 'continue',
        label: 'continue',
        consequence: 'let them lie; they are yours and enter no commit of the run',
      },
      stop,
    ],
  }
}
