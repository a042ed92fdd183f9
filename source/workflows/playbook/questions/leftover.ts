import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import type { LeftWorktree } from '../decisions/leftovers.js'

const shown = 40

/** A task was interrupted, and what its executor had changed by then lies uncommitted. */
export function qLeftChanges(task: string, paths: readonly string[]): QuestionDraft {
  const more = paths.length > shown ? [`and ${paths.length - shown} more`] : []
  return {
    gate: 'Q-LEFTOVER',
    title: `Task ${task} was interrupted, and has left changes`,
    body: ['No commit holds these paths yet:', ...paths.slice(0, shown), ...more],
    options: [
      {
        value: 'keep',
        label: 'keep',
        consequence: 'the task goes on with them, and they are committed with its work',
      },
      {
        value: 'aside',
        label: 'put aside',
        consequence: 'the task begins with the committed files; these are kept under a ref of git',
      },
      stop,
    ],
  }
}

/** A work tree of a part lies there from another time. `canGoOn`: it has everything that HEAD has. */
export function qLeftWorktree(
  { part, path, branch }: LeftWorktree,
  { canGoOn, isDirty }: { canGoOn: boolean; isDirty: boolean },
): QuestionDraft {
  return {
    gate: 'Q-LEFTOVER',
    title: `A work tree of part ${part} is left over`,
    body: [
      `${path}, on branch ${branch ?? '(none)'}.`,
      ...(isDirty ? ['It holds changes that no commit has.'] : []),
      ...(canGoOn ? [] : ['It does not have what the project has by now, so the part cannot go on in it.']),
    ],
    options: [
      ...(canGoOn
        ? [{ value: 'take', label: 'take up', consequence: 'the part goes on with what is there' }]
        : []),
      {
        value: 'remove',
        label: 'remove',
        consequence: 'the part begins anew; commits and changes are kept under refs of git',
      },
      stop,
    ],
  }
}
