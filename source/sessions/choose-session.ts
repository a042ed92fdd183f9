import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../problem.js'
import { sessionSlug, sessionsDir } from '../project/paths.js'
import { sessionAccounts } from './session-summaries.js'

// Which session directory belongs to a spec (harness.md section 2.1).

/** The session of a spec: one that names it, else the directory that its path gives. */
export async function sessionOfSpec(root: string, specPath: string): Promise<string> {
  const accounts = await sessionAccounts(root)
  const named = accounts.find((account) => account.spec === specPath)
  if (named) return named.session
  const slug = sessionSlug(specPath)
  const taken = accounts.find(
    (account) => account.session === slug && account.spec !== '' && account.spec !== specPath,
  )
  if (taken) throw collision(slug, specPath, taken.spec)
  await importFirstVersion(root, slug, specPath)
  return slug
}

function collision(slug: string, specPath: string, other: string): Problem {
  return new Problem({
    code: 'usage',
    what: `The session directory ${slug} belongs to ${other}, and ${specPath} would use the same one.`,
    why: 'Two specs in one session would overwrite each other.',
    todo: `Archive that session (finish it, then choose "archive and start fresh"), or rename one of the two specs.`,
  })
}

/** Version 1 kept one file for the whole project; it is copied into the session and stays where it is. */
async function importFirstVersion(root: string, slug: string, specPath: string): Promise<void> {
  const from = join(root, '.harness/autopilot-state.json')
  const text = await readFile(from, 'utf8').catch(() => undefined)
  if (text === undefined || specOf(text) !== specPath) return
  const dir = join(root, sessionsDir, slug)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await copyFile(from, join(dir, 'autopilot-state.json'))
}

function specOf(text: string): string | undefined {
  try {
    const { specPath } = JSON.parse(text) as { specPath?: unknown }
    return typeof specPath === 'string' ? specPath.replace(/^\.\//, '') : undefined
  } catch {
    return undefined
  }
}
