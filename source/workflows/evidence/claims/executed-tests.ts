import { createHash } from 'node:crypto'

// Which tests a run names, so that one that is still written down and is not executed any more is found although the
// count is as high as before (docs/evidence.md, "Tests"). Pure.

/** More are not kept: the record of a run lies in the state file. */
const mostUnits = 2_000
const digestLength = 8

const digestOf = (unit: string) =>
  createHash('sha256').update(unit).digest('base64url').slice(0, digestLength)

interface Report {
  /** The runner that prints so. */
  marks: RegExp
  line: RegExp
}

/** Lines that come in every run: cases where a runner prints all of them, else files. No time is part of a unit. */
const reports: readonly Report[] = [
  // node --test, as TAP and as spec.
  { marks: /^# tests \d+$/m, line: /^ {0,80}(?:not )?ok \d{1,9} - ([^\n]{1,300})$/gm },
  { marks: /^ℹ tests \d+$/m, line: /^ {0,80}[✔✖﹣⚠] ([^\n]{1,300}?) \([\d.]{1,20}ms\)[^\n]{0,200}$/gm },
  // mocha
  {
    marks: /^ {0,8}\d{1,9} passing\b/m,
    line: /^ {2,80}(?:[✔✓-]|\d{1,6}\)) ([^\n]{1,300}?)(?: \(\d{1,9}ms\))?$/gm,
  },
  // vitest and jest, by file
  {
    marks: /^ {0,12}Test Files {1,12}\d/m,
    line: /^ {0,8}[✓❯×↓] (?:\|[^|\n]{1,80}\| )?([^\s()]{1,300}\.\w{1,8}) {1,4}\(\d{1,9} tests?\b/gm,
  },
  {
    marks: /^Tests: {1,12}\d/m,
    line: /^ {0,4}(?:PASS|FAIL) {1,4}(?:[\w-]{1,80} )?([^\s()]{1,300}\.\w{1,8})\b/gm,
  },
  // pytest, by file
  {
    marks: /\b\d{1,9} (?:passed|failed)\b[^\n]{0,200} in [\d.]{1,12}s/,
    line: /^([^\s:]{1,300}\.py) [.FsxXE]/gm,
  },
  // cargo and go, by function
  { marks: /^test result: /m, line: /^test (?:[\w:]{1,300}::)?(\w{1,200}) \.\.\. /gm },
  { marks: /^ {0,40}--- (?:PASS|FAIL|SKIP): /m, line: /^ {0,40}--- (?:PASS|FAIL|SKIP): ([^\s/]{1,300})/gm },
]

/**
 * Digests of the units that a run names, in one text of bounded length; undefined where none is named, or more than are
 * kept. One that was skipped is named as well: that is told by the counts.
 */
export function unitsIn(output: string): string | undefined {
  const found = new Set<string>()
  for (const { marks, line } of reports) {
    if (!marks.test(output)) continue
    for (const [, name = ''] of output.matchAll(line)) found.add(digestOf(plain(name)))
  }
  return found.size === 0 || found.size > mostUnits ? undefined : [...found].sort().join('')
}

/** Without what a reporter adds behind a name, and without what it sets before a sign. */
const plain = (name: string) =>
  name
    .replace(/ # (?:SKIP|TODO)\b.*$/, '')
    .replace(/\\([#\\])/g, '$1')
    .trim()

export interface Units {
  readonly digests: ReadonlySet<string>
  has(unit: string): boolean
}

/** What `unitsIn` returned, to be asked. */
export function openUnits(digests: string): Units {
  const all = new Set<string>()
  for (let at = 0; at < digests.length; at += digestLength) all.add(digests.slice(at, at + digestLength))
  return { digests: all, has: (unit) => all.has(digestOf(unit)) }
}

/** A runner may name a file from the folder of its package: every end of the path may be meant. */
export function namesOfFile(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(at).join('/'))
}
