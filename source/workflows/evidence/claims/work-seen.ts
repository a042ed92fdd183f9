import type { Git } from '../../../project/git.js'
import { hollowChanges } from './hollow-changes.js'
import { type ClaimedTask, namedPaths, takenBack, type WorkSeen } from './tasks.js'
import { unseenWork, type WorkBegun } from './unseen-work.js'

type SeenGit = Pick<Git, 'pathsAt' | 'textAt' | 'commitContents'>

/** What git and the files show of the work since it began, as far as these tasks name it (docs/evidence.md, "Claims"). */
export async function workSeen(
  begun: Omit<WorkBegun, 'git'> & { git: SeenGit },
  tasks: readonly ClaimedTask[],
): Promise<WorkSeen> {
  const { git, root, start, touched } = begun
  const commits = await git.commitContents(start)
  const unseen = await unseenWork(begun, tasks)
  return {
    touched,
    takenBack: takenBack(commits, touched),
    writtenUnseen: unseen.written,
    hidden: unseen.hidden,
    hollow: await hollowChanges({ git, root }, start, namedPaths(tasks, touched)),
  }
}
