import { appendFile, lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../problem.js'

// Session files stay out of git: harness.md section 5.2.

const directory = '.harness'
const entry = 'sessions/'

/** Makes `.harness/.gitignore` ignore `sessions/`; every byte that is there stays. True if something was written. */
export async function ensureSessionsIgnored(root: string): Promise<boolean> {
  const folder = join(root, directory)
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
  const text = await readFile(file, 'latin1')
  if (ignoresSessions(text)) return false
  const lineEnd = /\r\n/.test(text) ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : lineEnd
  await appendFile(file, `${gap}${entry}${lineEnd}`)
  return true
}

// The last line that matches decides, so a later exception takes an earlier entry back.
function ignoresSessions(text: string): boolean {
  let ignored = false
  for (const line of text.split(/\r?\n/)) {
    const pattern = line.replace(/^\xef\xbb\xbf/, '').replace(/ +$/, '')
    if (/^\/?(?:\*\*\/)?(?:sessions\/?|\*|\*\*)$/.test(pattern)) ignored = true
    else if (/^!\/?(?:\*\*\/)?(?:sessions\/?|\*|\*\*)$/.test(pattern)) ignored = false
  }
  return ignored
}

function notOurs(path: string): Problem {
  return new Problem({
    code: 'outside',
    what: `${path} is a link or not what its name says.`,
    why: 'Session files written through it could land outside the project or in a commit.',
    todo: 'Replace it with a plain directory or file and start autopilot again.',
  })
}
