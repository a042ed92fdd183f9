import { basename } from 'node:path'
import { counted } from '../../../counted.js'
import type { Git } from '../../../project/git.js'
import { casesIn, comparisonsIn, isHollow } from './test-bodies.js'
import { isTestFile } from './test-files.js'

// What tests were held to and is another now: assertions and snapshots that were rewritten together with the code. Honest work
// does so as well, so it is listed at the next gate and not asked about (docs/evidence.md, "Tests").

const snapshotFolders = /(?:^|\/)(?:__snapshots__|__image_snapshots__|[^/]{1,100}-snapshots)\//
const snapshotFiles = /\.(?:snap|ambr|golden|approved|verified|received|storyshot)(?:\.\w{1,8})?$/i

/** True for what a runner writes itself, to hold later runs against. */
export const isSnapshot = (path: string): boolean =>
  snapshotFolders.test(path) || snapshotFiles.test(basename(path))

export interface TestsNow {
  /** Commit that the work began with. */
  start: string
  /** Text of a file in the work tree; undefined where it is gone. */
  read(path: string): Promise<string | undefined>
}

/** What was rewritten of what tests are held to, and which new tests hold nothing; by file. */
export async function rewrittenTests(
  git: Pick<Git, 'changedFrom' | 'pathsAt' | 'textAt'>,
  { start, read }: TestsNow,
): Promise<string[]> {
  const changed = (await git.changedFrom(start)).filter((path) => isSnapshot(path) || isTestFile(path))
  if (changed.length === 0) return []
  const atStart = new Set(await git.pathsAt(start))
  const lines: string[] = []
  for (const path of changed) {
    const now = await read(path).catch(() => undefined)
    const isOld = atStart.has(path)
    if (isSnapshot(path)) {
      if (isOld) lines.push(`${path}: the snapshot ${now === undefined ? 'is gone' : 'was rewritten'}`)
    } else if (now !== undefined) {
      const before = isOld ? ((await git.textAt(start, path)) ?? '') : ''
      lines.push(...linesOf(path, before, now))
    }
  }
  return lines
}

const some = (names: readonly string[]) => names.slice(0, 3).join('; ')

function linesOf(path: string, before: string, now: string): string[] {
  const rewritten = rewrittenCases(before, now)
  const idle = idleCases(before, now)
  return [
    ...(rewritten.length > 0 ? [lineOf(path, rewritten)] : []),
    ...(idle.length > 0
      ? [
          `${path}: ${counted(idle.length, 'new test case checks', 'new test cases check')} nothing: ${some(idle)}`,
        ]
      : []),
  ]
}

/** Names of the cases that came and look at nothing of the project. Pure. */
export function idleCases(before: string, now: string): string[] {
  const known = new Set(casesIn(before).map(({ name }) => name))
  return casesIn(now).flatMap(({ name, body }) =>
    known.has(name) || body === undefined || !isHollow(body) ? [] : [name],
  )
}

const lineOf = (path: string, names: readonly string[]) =>
  `${path}: ${counted(names.length, 'test case is', 'test cases are')} held to something else than before: ${some(names)}`

/** Names of the cases of which a comparison is not there any more as it was; in another layout it is. Pure. */
export function rewrittenCases(before: string, now: string): string[] {
  const anywhere = new Set(comparisonsIn(now))
  const bodies = new Map(casesIn(now).map(({ name, body }) => [name, body]))
  return casesIn(before).flatMap(({ name, body }) => {
    const fresh = bodies.get(name)
    if (body === undefined || fresh === undefined || fresh === body) return []
    return comparisonsIn(body).every((one) => anywhere.has(one)) ? [] : [name]
  })
}
