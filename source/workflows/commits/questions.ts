import { sanitizeLine } from '../../terminal/sanitize.js'
import type { QuestionDraft } from '../../view/question.js'
import { stop } from '../options.js'

// Gates of commits (docs/harness.md, "Commits").

/** A commit did not go through. Hooks are skipped only on this answer. */
export function qCommit(message: string, output: string[], hooks: boolean): QuestionDraft {
  return {
    gate: 'Q-COMMIT',
    title: 'The commit did not go through',
    body: [message, ...output],
    options: [
      { value: 'retry', label: 'retry', consequence: 'commit again', safe: true },
      ...(hooks
        ? [
            {
              value: 'no-hooks',
              label: 'commit without hooks',
              consequence: 'the hooks of the repository are skipped once',
            },
          ]
        : []),
      { value: 'leave', label: 'leave uncommitted', consequence: 'go on; the changes stay in the work tree' },
      stop,
    ],
  }
}

/** HEAD, the branch or the changes are not what they were when the agent had ended. */
export function qMoved(lines: string[]): QuestionDraft {
  return {
    gate: 'Q-MOVED',
    title: 'The repository was changed since the agent ended. Commit here?',
    body: lines.map(sanitizeLine),
    options: [
      { value: 'go', label: 'commit here', consequence: 'on top of what is there now' },
      // Some of the changes may be gone.
      { value: 'leave', label: 'leave uncommitted', consequence: 'go on; the work tree stays as it is now' },
      stop,
    ],
  }
}

/** Paths of the list that the person has staged since the agent ended. */
export function qStaged(paths: string[]): QuestionDraft {
  return {
    gate: 'Q-DIRTY',
    title: 'Files that you have staged meanwhile would be committed',
    body: ['They were not staged when the agent ended:', ...paths.map(sanitizeLine)],
    options: [
      { value: 'leave', label: 'leave out', consequence: 'commit the other files; yours stay staged' },
      { value: 'include', label: 'include', consequence: 'commit them as they are in the work tree' },
      stop,
    ],
  }
}

/** Paths that were dirty before the phase have changed in it. */
export function qDirty(paths: string[]): QuestionDraft {
  return {
    gate: 'Q-DIRTY',
    title: 'Files with changes of yours were changed in this phase',
    body: [
      'They had uncommitted changes before the phase began, so the commit would hold your changes too:',
      ...paths,
    ],
    options: [
      { value: 'leave', label: 'leave out', consequence: 'commit the other files', safe: true },
      { value: 'include', label: 'include', consequence: 'commit them with what was there before' },
      stop,
    ],
  }
}

/** Files that the plan names hold changes of the person's own: asked before an agent works on them. */
export function qDirtyBefore(paths: string[]): QuestionDraft {
  return {
    gate: 'Q-DIRTY',
    title: 'The plan names files with changes of yours',
    body: ['They hold uncommitted changes from before the phase began:', ...paths],
    options: [
      {
        value: 'may',
        label: 'may change it',
        consequence: 'the agent works on top of your changes, and they are committed with its own',
      },
      {
        value: 'aside',
        label: 'put aside',
        consequence: 'the agent begins with the committed files; yours are kept for you',
      },
      stop,
    ],
  }
}

/** A file that looks like a secret would be committed. */
export function qSecrets(found: string[]): QuestionDraft {
  return {
    gate: 'Q-SECRETS',
    title: 'Files that look like secrets would be committed',
    body: found,
    options: [
      { value: 'leave', label: 'leave out', consequence: 'commit the other files', safe: true },
      { value: 'include', label: 'include', consequence: 'commit them' },
      stop,
    ],
  }
}
