import { comparePhaseIds, normalPhaseId, phaseIdPattern } from './playbook-id.js'

// What a phase waits for, as people write it (docs/playbook.md, "Dependencies").

/** Ids that a value names: single ones, and ranges that stand for every phase between two ids. */
export type NamedDependency = { id: string } | { from: string; to: string } | { all: true }

const last = String.raw`${phaseIdPattern}(?!\w|\.\d)`
const id = String.raw`(?<![\w.#-])${last}`
const joint = String.raw`\s{0,9}(?:,|;|/|&|\+|\band\b|\bor\b)\s{0,9}(?:(?:,|&|\+|and\b|plus\b)\s{0,9})?`
const rangeMark = String.raw`\s{0,9}(?:-|–|—|\.\.\.?|\bthrough\b|\bthru\b|\bto\b)\s{0,9}`
const word = String.raw`(?:phases?\s{0,9}#?)`
/** A number of something else: `Phase 5, 3 plans`. */
const counted = String.raw`(?!\s{1,9}(?:plans?(?!\s\d)|tasks?|requirements?|criteria|items?|days?|weeks?|hours?|of)\b)`
const one = `${id}(?:${rangeMark}${word}?${last})?${counted}`
const list = `${one}(?:${joint}${word}?${one})*`
const named = new RegExp(String.raw`\bphases?\s{0,9}#?(${list})`, 'giu')
const bare = new RegExp(`^${list}$`, 'iu')
const parts = new RegExp(`(${id})(?:${rangeMark}${word}?(${last}))?`, 'giu')

/** Another label on the same line: `Phases 3, 4 | **Unlocks:** Phase 6`. */
const behindBar = /\s(?:\||·|•)\s{1,3}\*\*.*$/s
/** What comes behind says what waits for this one, or what this one does not wait for. */
const others =
  /\b(?:un)?(?:blocks|blocking|locks|enables|needed\sby|required\sby|independent\sof|not\son|but\snot|not\sphases?|before)\b/i

/** What is to be read beside the ids that were named. */
const besides = /(\d)\s{0,3}[;,–—-]?\s{0,3}\b(?:see|compare|cf)\b.*$/is

/** What is struck through says nothing any more. */
const struck = /~~[^~]{1,200}~~/g
const noneOfThem = /^(?:none|nothing|n\/a|no\b|tbd\b|无|無|なし|нет\b|[-–—])/iu
const allOfThem =
  /^(?:all\s+(?:(?:previous|prior|earlier|preceding|above|other)\s+)?(?:\w+\s+)?phases\b(?!\s*\d)|(?:everything|all)\s+(?:of\s+the\s+)?(?:above|before|earlier|previous)\b)/i

/** What counts of a value: its first sentence without remarks, and without what others do. */
function saidOf(value: string): string {
  const bare = value
    .replace(struck, '')
    .replace(behindBar, '')
    .replace(/[*_`]+/g, '')
  return (firstSentence(withoutParentheses(bare)).replace(besides, '$1').split(others)[0] ?? '').trim()
}

/** Whether a value says something, and nobody can tell which phases are meant: `the milestone before`. */
export function isUnreadDependency(value: string): boolean {
  const said = saidOf(value)
  return /[\p{L}\p{N}]/u.test(said) && !noneOfThem.test(said) && namedDependencies(value).length === 0
}

/** Reads the value of `Depends on`. */
export function namedDependencies(value: string): NamedDependency[] {
  const said = saidOf(value)
  if (said === '' || noneOfThem.test(said)) return []
  if (allOfThem.test(said)) return [{ all: true }]
  const lists = bare.test(said) ? [said] : [...said.matchAll(named)].map((match) => match[1] ?? '')
  const all = lists.flatMap((text) => [...text.matchAll(parts)])
  // `57-01, 53-03` are plans, and their phases are meant: no range counts down.
  const arePlans = all.some(countsDown)
  return all.flatMap((match) => dependencyOf(match, arePlans && isPair(match)))
}

const isPair = (match: RegExpMatchArray): boolean => /^[^\s-]{1,40}-\d{1,3}$/.test(match[0])

function countsDown(match: RegExpMatchArray): boolean {
  const [from, to] = [normalPhaseId(match[1] ?? ''), normalPhaseId(match[2] ?? '')]
  return isPair(match) && from !== undefined && to !== undefined && comparePhaseIds(from, to) >= 0
}

function dependencyOf(match: RegExpMatchArray, isPlan: boolean): NamedDependency[] {
  const from = normalPhaseId(match[1] ?? '')
  if (from === undefined) return []
  const to = isPlan ? undefined : normalPhaseId(match[2] ?? '')
  return to === undefined ? [{ id: from }] : [{ from, to }]
}

/** Ids, with ranges resolved against those that there are. */
export function dependencyIds(
  dependencies: readonly NamedDependency[],
  known: readonly string[],
  before: () => readonly string[],
): string[] {
  const ids = dependencies.flatMap((each) => {
    if ('all' in each) return before()
    if ('id' in each) return [each.id]
    const between = known.filter(
      (one) => comparePhaseIds(each.from, one) < 0 && comparePhaseIds(one, each.to) < 0,
    )
    return [each.from, ...between.sort(comparePhaseIds), each.to]
  })
  return [...new Set(ids)]
}

/** Without what stands in parentheses, however deep; one that never closes hides the rest. */
function withoutParentheses(text: string): string {
  if (!/[()（）]/.test(text)) return text.trim()
  let depth = 0
  let left = ''
  for (const character of text) {
    if (character === '(' || character === '（') depth += 1
    else if (character === ')' || character === '）') depth = Math.max(0, depth - 1)
    else if (depth === 0) left += character
  }
  return left.trim()
}

function firstSentence(text: string): string {
  return (text.split(/\.(?=\s|$)/)[0] ?? '').replace(/\s+/g, ' ').trim()
}
