import { type GitReader, gitFailed } from './git-read.js'

// Tags that the program makes for itself, such as the place before a task. No hook of the repository runs for them.

const noHooks = ['-c', 'core.hooksPath=/dev/null']

/** Makes a lightweight tag, or moves it. Throws a Problem ('git') where git refuses. */
export async function setTag(reader: GitReader, name: string, sha: string): Promise<void> {
  await update(reader, ['update-ref', `refs/tags/${name}`, sha])
}

/** Takes away the tags whose names begin so; none is no trouble. */
export async function dropTags(reader: GitReader, prefix: string): Promise<void> {
  const found = await reader.read(['for-each-ref', '--format=%(refname)', 'refs/tags/'])
  const names = found.split('\n').filter((name) => name.startsWith(`refs/tags/${prefix}`))
  for (const name of names) await update(reader, ['update-ref', '-d', name])
}

async function update(reader: GitReader, args: string[]): Promise<void> {
  const result = await reader.pipe([...noHooks, ...args])
  if (result.code !== 0) throw gitFailed(`A tag could not be changed: ${result.stderr.trim()}`)
}
