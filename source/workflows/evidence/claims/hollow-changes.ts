import { lstat, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { saysSomething } from '../../../documents/says-something.js'
import type { Git } from '../../../project/git.js'
import { readText } from '../../../project/text-files.js'
import { isLockFile } from '../products.js'
import { bareCode } from './bare-code.js'
import { isStub } from './stubs.js'
import { casesIn, isHollow } from './test-bodies.js'

// Changes of a file in which nothing was done: they show a task only where the task speaks of just that
// (docs/evidence.md, "Claims").

export type HollowKind = 'mode' | 'blank' | 'comment' | 'empty' | 'dangling' | 'lock' | 'stub' | 'idle'

export const hollowWords: Record<HollowKind, string> = {
  mode: 'its permissions',
  blank: 'blanks at the ends of lines and blank lines',
  comment: 'comments and layout',
  empty: 'a new file without content',
  dangling: 'a link that leads nowhere',
  lock: 'a lock file, which package managers write',
  stub: 'what says itself that it is not implemented',
  idle: 'tests that check nothing',
}

const ofLayout =
  /format|white ?space|blank|indent|\btabs?\b|line[- ]end|newline|crlf|\beol\b|\bbom\b|lint|prettier|layout|style|trailing/i
const ofNothing = /\bempty\b|placeholder|\bstub|\btouch\b|marker|\bkeep\b|scaffold|skeleton/i
const ofWords =
  /comment|\bdoc(?:s|strings?|umentation|ument(?:s|ed|ing)?)?\b(?!\/)|(?:js|ts|java|rust|go)doc|describ|explain|annotat|licen[cs]e|header|copyright|\btodo|fixme|clean(?:s|ing|ed)?[ -]?up|tidy|dead code|readab/i

const ofForm =
  /interface|abstract|\bdeclar|signature|not implemented|unimplemented|\bapi\b|contract|type stubs?/i

const spoken: Record<HollowKind, readonly RegExp[]> = {
  mode: [/\bmode|chmod|executable|permission/i],
  blank: [ofLayout],
  comment: [ofLayout, ofWords, ofNothing],
  empty: [ofNothing],
  dangling: [/\blinks?\b|symlink/i],
  stub: [ofNothing, ofForm],
  idle: [ofNothing, /\bsmoke|compiles?\b|loads?\b|imports?\b/i],
  lock: [
    /\block(?:ed|ing|s)?\b|lock[- ]?file|\bdependenc|\b(?:un)?install|\bupgrad|\bupdat|\bbump|\bversion|\bpackage|\baudit|\brenovate/i,
  ],
}

/** Names of files that are empty by custom. */
const emptyByCustom = /^(?:\..*|__init__\.pyi?|py\.typed)$/

/** Whether a task asks for a change of that kind. */
export const speaksOf = (kind: HollowKind, text: string): boolean => {
  // A file may have the name of anything.
  const said = kind === 'comment' ? withoutNames(text) : text
  return spoken[kind].some((one) => one.test(said))
}

const withoutNames = (text: string) =>
  text
    .split(/[\s,]/)
    .filter((word) => !/[/.]./.test(word))
    .join(' ')

/** A document of headings alone is there to be filled by others; one that says so itself is to be filled by its task. */
const keepsPlace =
  /\b(?:tbd|tba|todo|wip|fixme|lorem ipsum|coming soon|placeholder|to be (?:added|completed|decided|defined|described|done|filled|provided|written))\b/i

/** So many files are looked at; beyond, every change counts as one. */
const mostPaths = 200

/** Of paths that are not as they were at a commit, those in which nothing was done, and what there is in its place. */
export async function hollowChanges(
  { git, root }: { git: Pick<Git, 'textAt' | 'pathsAt'>; root: string },
  start: string,
  paths: readonly string[],
): Promise<Map<string, HollowKind>> {
  const found = new Map<string, HollowKind>()
  if (paths.length === 0 || paths.length > mostPaths) return found
  const atStart = new Set(await git.pathsAt(start))
  for (const path of paths) {
    if (isLockFile(path)) {
      found.set(path, 'lock')
      continue
    }
    const before = atStart.has(path) ? ((await git.textAt(start, path)) ?? '') : undefined
    const kind = await hollowKind(root, path, before)
    if (kind !== undefined) found.set(path, kind)
  }
  return found
}

async function hollowKind(
  root: string,
  path: string,
  before: string | undefined,
): Promise<HollowKind | undefined> {
  const facts = await lstat(join(root, path)).catch(() => undefined)
  if (facts?.isSymbolicLink()) {
    const leads = await stat(join(root, path)).catch(() => undefined)
    return leads === undefined ? 'dangling' : undefined
  }
  if (!facts?.isFile()) return undefined
  const now = await readText({ root }, path).catch(() => undefined)
  return now === undefined ? undefined : kindOf(basename(path), before, now)
}

/** Of the texts of one file; undefined where something was done. Pure. */
export function kindOf(name: string, before: string | undefined, now: string): HollowKind | undefined {
  if (before === undefined) {
    if (emptyByCustom.test(name)) return undefined
    if (now.trim() === '') return 'empty'
    if (bareCode(name, now) === '') return 'comment'
    if (isIdle(now)) return 'idle'
    if (/\.(?:mdx?|markdown|rst|adoc)$/i.test(name))
      return keepsPlace.test(now) && !saysSomething(now) ? 'stub' : undefined
    return isStub(now) ? 'stub' : undefined
  }
  // What is no text says nothing as one.
  if (/[\0\uFFFD]/.test(before)) return undefined
  if (before === now) return 'mode'
  if (bare(before) === bare(now)) return 'blank'
  const code = bareCode(name, before)
  if (code !== undefined && code === bareCode(name, now)) return 'comment'
  const old = new Set(linesOf(before))
  const came = linesOf(now).filter((line) => !old.has(line))
  return isStub(came.join('\n')) ? 'stub' : undefined
}

/** Cases of a test, and not one of them looks at anything. */
function isIdle(text: string): boolean {
  const cases = casesIn(text)
  return cases.length > 0 && cases.every(({ body }) => body !== undefined && isHollow(body))
}

const linesOf = (text: string) => text.split('\n').map((line) => line.trim())

/** Blanks at the beginning of a line may say something. */
const bare = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
