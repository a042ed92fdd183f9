import { callGit, type PrivateRepository } from './private-repository.js'

/** What a tree has under a path. */
export interface TreeBlob {
  /** As git writes it, such as `100644`; `120000` is a link. */
  mode: string
  blob: string
}

/** By path what a commit or tree has there, of these paths and below them; undefined where it is not known. */
export async function treeBlobs(
  repo: PrivateRepository,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, TreeBlob> | undefined> {
  const { code, stdout } = await callGit(repo, ['ls-tree', '-r', '-z', tree, '--', ...paths])
  if (code !== 0) return undefined
  const entries = stdout.toString('utf8').split('\0')
  return new Map(
    entries.flatMap((entry) => {
      const [, mode, blob, path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? []
      return mode && blob && path ? [[path, { mode, blob }] as const] : []
    }),
  )
}
