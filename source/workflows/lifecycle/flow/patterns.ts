// Globs and patterns of flow files, which are foreign text (docs/lifecycle.md, "Flow files"): both take time that
// grows no faster than what they are matched against.

/**
 * Whether a path fits a glob of `*`, `?`, `**` and `{one,other}`. A folder at its end (`modules/`) means anything in it.
 * Capitals do not matter, as on most systems that people have.
 */
export function matchesGlob(glob: string, path: string): boolean {
  return choicesOf(glob).some((each) => matchesPlain(each, path))
}

const mostGlobs = 32

/** A glob with each of its choices: `{todo,done}/*.md` is two. What is more than a few, or no choice, stays as it is. */
function choicesOf(glob: string): string[] {
  let globs = ['']
  let from = 0
  while (from < glob.length) {
    const open = glob.indexOf('{', from)
    const close = open === -1 ? -1 : glob.indexOf('}', open)
    if (close === -1) break
    const inner = glob.slice(open + 1, close)
    const choices = inner.includes(',') ? inner.split(',') : [`{${inner}}`]
    const before = glob.slice(from, open)
    globs = globs.flatMap((each) => choices.map((choice) => `${each}${before}${choice}`))
    if (globs.length > mostGlobs) return [glob]
    from = close + 1
  }
  return globs.map((each) => `${each}${glob.slice(from)}`)
}

function matchesPlain(glob: string, path: string): boolean {
  const pattern = glob
    .toLowerCase()
    .replace(/(?:\/|\/\*\*)$/, '/**/*')
    .split('/')
  const parts = path.toLowerCase().split('/')
  // Which beginnings of the pattern fit the parts that were looked at so far.
  let fits = closure(pattern, new Set([0]))
  for (const part of parts) {
    const next = new Set<number>()
    for (const at of fits) {
      const segment = pattern[at]
      if (segment === '**') next.add(at)
      else if (segment !== undefined && segmentFits(segment, part)) next.add(at + 1)
    }
    fits = closure(pattern, next)
  }
  return fits.has(pattern.length)
}

/** `**` also stands for no part at all. */
function closure(pattern: readonly string[], places: Set<number>): Set<number> {
  for (const at of places) if (pattern[at] === '**') places.add(at + 1)
  return places
}

/** `*` and `?` within one name; the last `*` is the only one that is gone back to. */
function segmentFits(segment: string, name: string): boolean {
  let at = 0
  let from = 0
  let star = -1
  let mark = 0
  while (from < name.length) {
    if (segment[at] === '*') {
      star = at
      mark = from
      at += 1
    } else if (at < segment.length && (segment[at] === '?' || segment[at] === name[from])) {
      at += 1
      from += 1
    } else if (star >= 0) {
      at = star + 1
      mark += 1
      from = mark
    } else return false
  }
  while (segment[at] === '*') at += 1
  return at === segment.length
}

const longestPattern = 200
const mostChoices = 6
/** Characters of a line that a pattern is tried on. */
const longestLine = 500

/**
 * Why a pattern is not taken, or undefined. What could make it slow is left out: repeated groups, references, looking
 * around, and more than one repetition without a bound.
 */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `it is longer than ${longestPattern} characters`
  if (/\\[1-9k]/.test(pattern)) return 'it refers back to a group'
  if (/\(\?[=!<]/.test(pattern)) return 'it looks around'
  if (/\)[*+?{]/.test(pattern)) return 'it repeats a group'
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  // Each choice doubles what may have to be tried.
  if ((bare.match(/[?(|]/g)?.length ?? 0) > mostChoices) return `it has more than ${mostChoices} choices`
  if ((bare.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0) > 1) return 'it repeats more than one part'
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Whether a line of the text fits a pattern that `patternProblem` has nothing against. */
export function matchesPattern(pattern: string, text: string): boolean {
  const expression = new RegExp(pattern, 'iu')
  return text.split(/\r?\n/).some((line) => expression.test(line.slice(0, longestLine)))
}
