import { basename } from 'node:path'
import { counted } from '../../../counted.js'
import type { Git } from '../../../project/git.js'

// Tests that are gone or skipped, read from the files themselves: no runner's count is needed (docs/evidence.md, "Tests").

export interface LostTests {
  path: string
  /** What is gone, in words. */
  text: string
  /** The plan says that something of this file is to be taken away. */
  planned: boolean
}

const folders = /(?:^|\/)(?:tests?|__tests__|specs?)\//
const languages = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|swift|exs?|sh)$/
const names = /(?:[._-](?:test|spec)s?\.\w+|^tests?_[^/]*\.\w+|_tests?\.\w+|Tests?\.\w+)$/

export function isTestFile(path: string): boolean {
  return languages.test(path) && (folders.test(path) || names.test(basename(path)))
}

const cases: readonly RegExp[] = [
  /\b(?:test|it|specify)(?:\.\w{1,20}){0,3} {0,4}\( {0,4}(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|`([^`\n]{1,200})`)/g,
  /^[ \t]{0,40}(?:async )?def (test\w{0,200})/gm,
  /^func ((?:Test|Fuzz|Example)\w{0,200})\(/gm,
  /#\[(?:\w{1,40}::)?test\]\s{1,40}(?:pub )?(?:async )?fn (\w{1,200})/g,
  /@Test\b[^\n]{0,200}\n\s{0,40}(?:public |private |fun |void ){0,3}(\w{1,200})/g,
]
const skips =
  /\b(?:test|it|describe|suite|context)\.(?:skip|todo|only)\b|\bx(?:it|describe|test)\(|\b(?:skip|todo): {0,4}(?:true\b|['"`])|\b(?:t|ctx|context|this)\.skip\(|\bpytestmark {0,4}= {0,4}pytest\.mark\.skip|@(?:pytest\.mark|unittest)\.skip|\bpytest\.skip\(|\bt\.Skip(?:Now|f)?\(|#\[ignore\b|@(?:Disabled|Ignore)\b/g

/** Names of the cases of a test file, in their order. */
export function testCases(text: string): string[] {
  return cases.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match.slice(1).find((part) => part !== undefined) ?? ''),
  )
}

export const skipMarks = (text: string): number => (text.match(skips) ?? []).length

export interface TestFilesNow {
  /** Commit that the phase began with. */
  start: string
  /** Text of a file in the work tree; undefined where it is gone. */
  read(path: string): Promise<string | undefined>
  /** Text of the approved plan. */
  plan: string
}

/** Test files of the start that are gone, have fewer cases or more marks to skip. Cases that moved elsewhere are there. */
export async function lostTests(
  git: Pick<Git, 'changedFrom' | 'pathsAt' | 'textAt'>,
  now: TestFilesNow,
): Promise<LostTests[]> {
  const changed = (await git.changedFrom(now.start)).filter(isTestFile)
  if (changed.length === 0) return []
  const atStart = new Set(await git.pathsAt(now.start))
  const texts = new Map<string, string | undefined>()
  for (const path of changed) texts.set(path, await now.read(path).catch(() => undefined))
  const lost: LostTests[] = []
  for (const path of changed.filter((one) => atStart.has(one))) {
    const before = await git.textAt(now.start, path)
    if (before === undefined) continue
    const elsewhere = [...texts].flatMap(([other, text]) => (other === path || !text ? [] : testCases(text)))
    const what = lostIn(path, before, { text: texts.get(path), elsewhere: new Set(elsewhere) })
    if (what !== undefined) lost.push({ path, text: what, planned: plansRemoval(now.plan, path) })
  }
  return lost
}

function lostIn(
  path: string,
  before: string,
  now: { text: string | undefined; elsewhere: ReadonlySet<string> },
): string | undefined {
  const old = testCases(before)
  const fresh = testCases(now.text ?? '')
  const gone = old.filter((name) => !fresh.includes(name) && !now.elsewhere.has(name))
  if (now.text === undefined) {
    if (gone.length > 0)
      return `${path} is gone, with ${counted(gone.length, 'test case')}: ${gone.slice(0, 3).join('; ')}`
    return old.length === 0 && names.test(basename(path)) ? `${path} is gone` : undefined
  }
  const skipped = skipMarks(now.text) - skipMarks(before)
  if (skipped > 0) return `${path}: ${counted(skipped, 'more test')} marked to be skipped`
  const added = fresh.filter((name) => !old.includes(name)).length
  return gone.length > added
    ? `${path}: ${counted(gone.length - added, 'test case')} fewer: ${gone.slice(0, 3).join('; ')}`
    : undefined
}

const removal = /\b(?:remov|delet|drop|skip|renam|mov(?:e|ing)|replac|rewrit|retir|prun|get rid)/i

/** Whether a line of the plan that names the file, or the task around it, speaks of taking something away. */
export function plansRemoval(plan: string, path: string): boolean {
  const name = basename(path)
  return plan
    .split(/^(?=#{2,4} |[ \t]{0,8}<task[\s>])/m)
    .some((part) => (part.includes(path) || part.includes(name)) && removal.test(part))
}
