import { appendFile, lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withoutEnd } from '../documents/edit.js'
import { Problem } from '../problem.js'
import { readRegular } from '../storage/read-file.js'

// Session files stay out of git.

/**
 * Makes the ignore file of a directory of the project ignore a folder in it, such as `sessions`, or a pattern, such as
 * `*.bak`; every byte that is
 * there stays. True if something was written. Throws a Problem ('outside') where a link stands in the way.
 */
export async function ensureIgnored(root: string, directory: string, name: string): Promise<boolean> {
  const folder = join(root, directory)
  const entry = name.includes('*') ? name : `${name}/`
  const file = join(folder, '.gitignore')
  const found = await lstat(folder).catch(() => undefined)
  if (found && !found.isDirectory()) throw notOurs(folder)
  await mkdir(folder, { recursive: true })
  const stats = await lstat(file).catch(() => undefined)
  if (!stats) {
    await writeFile(file, `${entry}\n`, { flag: 'wx' })
    return true
  }
  if (!stats.isFile()) throw notOurs(file)
  const text = (await readRegular(file, { root: folder }))?.toString('latin1') ?? ''
  if (ignores(text, name)) return false
  const lineEnd = /\r\n/.test(text) ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : lineEnd
  await appendFile(file, `${gap}${entry}${lineEnd}`)
  return true
}

/** Whether the text of an ignore file leaves out a folder beside it, or a pattern. A later exception takes an entry back. */
export function ignores(text: string, name: string): boolean {
  let ignored = false
  for (const line of text.split(/\r?\n/)) {
    const pattern = withoutEnd(line.replace(/^\xef\xbb\xbf/, ''), ' ')
    if (covers(pattern, name)) ignored = true
    else if (pattern.startsWith('!') && covers(pattern.slice(1), name)) ignored = false
  }
  return ignored
}

function covers(pattern: string, name: string): boolean {
  const bare = pattern.replace(/^\/?(?:\*\*\/)?/, '')
  return [name, `${name}/`, '*', '**'].includes(bare)
}

function notOurs(path: string): Problem {
  return new Problem({
    code: 'outside',
    what: `${path} is a link or not what its name says.`,
    why: 'Session files written through it could land outside the project or in a commit.',
    todo: 'Replace it with a plain directory or file and start autopilot again.',
  })
}
