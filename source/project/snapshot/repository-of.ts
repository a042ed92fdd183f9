import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Problem } from '../../problem.js'
import { readPlainText } from './plain-read.js'

/** The git directory of a work tree and the one that it shares, by plain reads. */
export async function repositoryOf(root: string): Promise<{ gitDir: string; commonDir: string }> {
  const marker = join(root, '.git')
  const facts = statSync(marker, { throwIfNoEntry: false })
  let gitDir = marker
  if (!facts?.isDirectory()) {
    const named = /^gitdir: (.+)$/m.exec(await readPlainText(marker))?.[1]
    if (named === undefined) throw noRepository(root)
    gitDir = resolve(root, named.trim())
  }
  if ((await readPlainText(join(gitDir, 'HEAD'))) === '') throw noRepository(root)
  const shared = (await readPlainText(join(gitDir, 'commondir'))).trim()
  return { gitDir, commonDir: shared === '' ? gitDir : resolve(gitDir, shared) }
}

function noRepository(root: string): Problem {
  return new Problem({
    code: 'repository',
    what: `${root} is no git repository, or its .git leads nowhere.`,
    why: 'What an agent changes is found by comparing the project before and after, and git holds the state before.',
    todo: 'Run `git init` and make a first commit, or put .git back, then start autopilot again.',
  })
}
