import { callGit, type PrivateRepository } from './private-repository.js'

// How two commits stand to each other, by the objects of the project.

/** Whether `newer` has `older` behind it. `env`: where else objects may lie. */
export async function isAncestor(
  repo: PrivateRepository,
  older: string,
  newer: string,
  env: Record<string, string> = {},
): Promise<boolean> {
  return (await callGit(repo, ['merge-base', '--is-ancestor', older, newer], { env })).code === 0
}

/** Every change that the branch held is in it again, as a patch: what a rebase leaves. */
export async function isRebased(repo: PrivateRepository, was?: string, is?: string): Promise<boolean> {
  if (was === undefined || is === undefined) return false
  const args = ['rev-list', '--cherry-pick', '--left-only', '--no-merges', '--max-count=1', `${was}...${is}`]
  const { code, stdout } = await callGit(repo, args)
  return code === 0 && stdout.toString('latin1').trim() === ''
}
