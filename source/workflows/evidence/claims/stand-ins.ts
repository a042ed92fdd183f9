import { posix } from 'node:path'

// Tests that do not look at the code any more, or do not compare with what compares: what they took from elsewhere is written in
// the test itself, or is replaced (docs/evidence.md, "Tests"). By text. Pure; linear.

interface Taken {
  /** Module that it comes from, as written. */
  from: string
}

const imports =
  /^import\s{1,8}(?:type\s{1,8})?([^'"\n;]{1,400}(?:\n[^'"\n;]{0,200}){0,20}?)\s{1,8}from\s{1,8}['"]([^'"\n]{1,300})['"]/gm
const requires =
  /^(?:const|let|var)\s{1,8}([^=\n]{1,400})=\s{0,8}require\(\s{0,8}['"]([^'"\n]{1,300})['"]\s{0,8}\)/gm
const fromPython = /^from\s{1,8}([\w.]{1,200})\s{1,8}import\s{1,8}(?:\(([^()]{1,600})\)|([\w, ]{1,400}))/gm

/** What a test takes from elsewhere, by the name that it has there. */
function takenBy(text: string): Map<string, Taken> {
  const taken = new Map<string, Taken>()
  const take = (names: string, from: string) => {
    for (const part of names.split(/[{},\n]/)) {
      const name =
        part
          .split(/\bas\b|:/)
          .at(-1)
          ?.replace('*', '')
          .trim() ?? ''
      if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) taken.set(name, { from })
    }
  }
  for (const [, names = '', from = ''] of text.matchAll(imports)) take(names, from)
  for (const [, names = '', from = ''] of text.matchAll(requires)) take(names, from)
  for (const [, from = '', several, names] of text.matchAll(fromPython)) take(several ?? names ?? '', from)
  return taken
}

const compares = /^(?:assert\w*|expect|should|chai|ok|equals?|eql|\w+[eE]qual|throws|rejects|match)$/
const libraries =
  /\b(?:assert|chai|vitest|jest|expect|should|playwright|testing-library|cypress|bun:test|jsr:|tap|ava|uvu|unittest|pytest|hamcrest)\b/

export interface TestText {
  path: string
  before: string
  now: string
  /** Text of another file of the work tree that was changed, by its path. */
  textOf(path: string): string | undefined
}

/** In words, what of a test file stands in for what it took from elsewhere; empty where nothing does. */
export function standIns({ path, before, now, textOf }: TestText): string[] {
  const [was, is] = [takenBy(before), takenBy(now)]
  const defined = definitionsIn(now)
  const found: string[] = []
  for (const [name, { from }] of was) {
    const there = is.get(name)
    if (there !== undefined) {
      const helper =
        compares.test(name) && there.from !== from ? helperOf(path, there.from, textOf) : undefined
      if (helper !== undefined && !libraries.test(helper))
        found.push(`"${name}" of ${there.from} compares in the place of that of ${from}`)
      continue
    }
    const own = defined.get(name)
    if (own === undefined) continue
    // What hands on to the same thing under another name is none.
    if (compares.test(name)) {
      if (!libraries.test(own.replace(name, '')))
        found.push(`"${name}" is its own, and not that of ${from} any more`)
    } else if (isOfProject(from) && !(own.match(word) ?? []).some((other) => is.has(other)))
      found.push(`"${name}" is written in the test, and is not that of ${from} any more`)
  }
  found.push(...mocked(path, before, now, was))
  if (replacing.test(now) && !replacing.test(before))
    found.push('an assertion is replaced by another function')
  return found
}

const isOfProject = (from: string) => /^[.#@~/]/.test(from) || /^[\w.]+$/.test(from)

/** Text of a helper beside the test that a module names. */
function helperOf(path: string, from: string, textOf: TestText['textOf']): string | undefined {
  if (!from.startsWith('.')) return undefined
  const base = posix.join(posix.dirname(path), from)
  for (const each of [base, `${base}.js`, `${base}.ts`, base.replace(/\.js$/, '.ts')]) {
    const text = textOf(each)
    if (text !== undefined) return text
  }
  return undefined
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu
const head =
  /^[ \t]{0,8}(?:(?:export |async ){0,3}(?:const|let|var|function|class|def)\s{1,4}([\p{L}\p{N}_$]{1,100})|([\p{L}\p{N}_$]{1,100}) {0,4}= {0,4}(?!=))/gmu
const shortDefinition = /[^\n]{0,300}(?:\n[ \t][^\n]{0,300}){0,12}/y

/** What names are defined as in the text, each to the end of a short definition; of several the first. */
function definitionsIn(text: string): Map<string, string> {
  const defined = new Map<string, string>()
  for (const { index, 1: declared, 2: assigned } of text.matchAll(head)) {
    const name = declared ?? assigned ?? ''
    if (defined.has(name)) continue
    shortDefinition.lastIndex = index
    defined.set(name, shortDefinition.exec(text)?.[0] ?? '')
  }
  return defined
}

const mocks =
  /\b(?:vi|jest|mock)\.(?:mock|doMock|module|unstable_mockModule)\(\s{0,8}(?:import\()?['"`]([^'"`\n]{1,300})['"`]/g
const keepsActual = /\b(?:importActual|requireActual|importOriginal|actual)\b/

const stemOf = (path: string) => posix.basename(path).replace(/\..*$/, '').toLowerCase()

/** A module that a test has the name of, and that it takes in, is mocked. */
function mocked(path: string, before: string, now: string, was: ReadonlyMap<string, Taken>): string[] {
  if (keepsActual.test(now)) return []
  const known = new Set([...before.matchAll(mocks)].map(([, spec]) => spec))
  const own = new Set(
    [...was.values()].map(({ from }) => from).filter((from) => stemOf(from) === stemOf(path)),
  )
  return [...now.matchAll(mocks)].flatMap(([, spec = '']) =>
    own.has(spec) && !known.has(spec) ? [`${spec}, which it tests, is replaced by a mock`] : [],
  )
}

const replacing =
  /\b(?:assert|expect|TestCase|chai\.assert|Assertion)(?:\.prototype|\.strict)?\.\w{1,40} {0,4}= {0,4}(?![=>])/

/** True for a text of tests that replaces an assertion, for all who use it. */
export const replacesAssertions = (text: string): boolean => replacing.test(text)
