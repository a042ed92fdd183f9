import { commitChanges } from '../../commits/checkpoint-commit.js'
import { artifactsSubject } from '../orders/commit-subject.js'
import type { PhaseWork } from '../work.js'

/** Commits the directory of a phase, and the roadmap; not where the project keeps its documents out of commits. */
export async function commitArtifacts(work: PhaseWork, key: string): Promise<void> {
  const { run, tools, git, facts, at } = work
  if (!tools.settings.commit_docs) return
  const roadmap = run.state.roadmap_path
  await commitChanges(
    run,
    { ...tools, git },
    {
      key: `${at}${key}`,
      message: artifactsSubject(facts.id),
      baseline: async () => ({ dirty: [], decided: {} }),
      decide: async () => undefined,
      leaveOut: [],
      takes: (path) =>
        path.startsWith(`${facts.dir}/`) || path === roadmap || path === '.planning/config.json',
    },
  )
}
