import { commitChanges } from '../../commits/checkpoint-commit.js'
import { artifactsSubject } from '../orders/commit-subject.js'
import type { Pass } from '../pass.js'
import { keptChanges } from './own-changes.js'

const isDocument = (path: string) => path.startsWith('docs/') && /\.mdx?$/i.test(path)

/**
 * Commits what researcher and planner have left below docs/, before any task begins: it belongs to what was planned, and to
 * the commit of no task (docs/playbook-checks.md, "Orders").
 */
export async function commitDocuments(pass: Pass): Promise<void> {
  const { run, tools, git, facts, at, log } = pass
  if (!log.steps.research.agent_spawned && !log.steps.plan.agent_spawned) return
  await commitChanges(
    run,
    { ...tools, git },
    {
      key: `${at}documents`,
      message: artifactsSubject(facts.id),
      baseline: async () => ({ dirty: keptChanges(run.state), decided: {} }),
      decide: async () => undefined,
      leaveOut: [],
      takes: isDocument,
    },
  )
}
