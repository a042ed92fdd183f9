import { commandItself } from './playbook-command-word.js'
import {
  always,
  count,
  type Expectation,
  type NumberExpectation,
  numeric,
  ofText,
  pattern,
  plainNumbers,
  type Reading,
} from './playbook-outcome.js'

// What an outcome in words means of one kind of command: a search, a count, a run of tests (docs/playbook.md, "Expectations").

const counting = /\bgrep\b[^|;&]{0,200}\s-[a-zA-Z]{0,5}c|\brg\b[^|;&]{0,200}\s(?:-c\b|--count)|\bwc\s/
/** Prints nothing: what it says is its exit. */
const silent =
  /^\s*(?:!\s+)?(?:test|\[)\s|\b(?:e|f|z)?grep\b[^|;&]{0,60}\s(?:-[a-zA-Z]{0,5}q|--quiet|--silent)/
const fetching = /^\s*(?:curl|wget|http)\s/
const searching =
  /^\s*(?:!\s+)?(?:git\s+)?(?:grep|egrep|fgrep|rg)\s|\|\s{0,9}(?:grep|egrep|fgrep|rg)\s[^|]{0,500}$/
const asking = /^\s*(?:test|\[|ls|stat)\s/
const testing =
  /\b(?:test|tests|pytest|vitest|jest|mocha|rspec|ctest|unittest|playwright|build)\b|\bgo\svet\b|\bcargo\scheck\b/
const linting =
  /\b(?:lint|eslint|tsc|biome|ruff|clippy|vet|mypy|pyright|flake8|rubocop|prettier|typecheck|type-check|shellcheck|stylelint)\b/

/** Runs tests or looks for faults, and is no path in which such a word stands. */
const checking =
  /(?<![\w./\\'"-])(?:test|pytest|vitest|jest|mocha|rspec|ctest|unittest|playwright|lint|eslint|tsc|biome|ruff|clippy|mypy|pyright|flake8|rubocop)(?![\w/\\.])/

/** Nothing that counts, denies or tells several things apart. */
const plainly = String.raw`(?!.{0,300}(?:\d|\b(?:no|not|none|zero|without|only|all|both|each|every|never|same|between|and|or|but|two|three|four|five)\b|n['’]t\b))`

/** Outcomes that mean something of one kind of command only. */
const ofKinds: readonly { command: RegExp; said: RegExp; read: Reading }[] = [
  {
    command: counting,
    said: pattern(
      String.raw`^\W{0,4}(?:is|are|shows?|reports?|count)\s(?:exactly\s)?${count}(?:\s[a-z]{1,20})?[\s).*]{0,4}$`,
    ),
    read: numeric('equals'),
  },
  {
    // A search prints the lines that it finds.
    command: searching,
    said: /^\W{0,4}(?:still\s)?(?:returns?|shows?|outputs?|prints?)\s`([^`\n<>…]{2,200})`[\s).*]{0,4}$/i,
    read: ofText,
  },
  {
    command: searching,
    said: /^\W{0,4}(?:none|is\sabsent|absent|(?:is\s|are\s)?not\s(?:found|present|there)|(?:does\snot|doesn['’]t|should\snot|must\snot|no\slonger)\s(?:match(?:es)?|appears?|occurs?|exists?|(?:finds?|contains?)\s(?:it|anything|any)))[\s).*]{0,4}$/i,
    read: always({ op: 'noMatch' }),
  },
  {
    command: new RegExp(String.raw`${searching.source}|^\s*(?:find|fd|git\sls-files)\s`),
    said: /^\W{0,4}(?:returns?|lists?|finds?|shows?|prints?)\sno\s(?:files?|paths?|names?|entries|rows)[\s).*]{0,4}$/i,
    read: always({ op: 'noMatch' }),
  },
  {
    command: searching,
    said: /^\W{0,4}(?:exists|is\sthere|(?:is\s|are\s)found)[\s).*]{0,4}$/i,
    read: always({ op: 'match' }),
  },
  {
    command: searching,
    said: /^[\s—–:-]{0,6}no\s[^.;,]{1,60}\s(?:remains?|left|found|exists?|appears?)[\s).*]{0,4}$/i,
    read: always({ op: 'noMatch' }),
  },
  {
    // What else it may say of what is found is for people.
    command: searching,
    said: new RegExp(
      String.raw`^[\s—–:-]{0,6}(?:(?:should|must|will)\s(?:confirm|find|show|return)|confirms|finds|shows|verifies|returns)\s${plainly}`,
      'i',
    ),
    read: always({ op: 'match' }),
  },
  {
    command: searching,
    said: new RegExp(
      String.raw`^[\s—–:-]{0,6}${plainly}[^.;,]{1,60}\s(?:is\s|are\s)?(?:present|exists?|found|there)[\s).*]{0,4}$`,
      'i',
    ),
    read: always({ op: 'match' }),
  },
  {
    command: /\bgit\s+diff\b(?![^|;&]{0,200}\s--(?:exit-code|quiet))/,
    said: /^\W{0,4}(?:is\s|shows\s)?(?:no\s(?:changes|differences|diff)|clean)[\s).*]{0,4}$/i,
    read: always({ op: 'noMatch' }),
  },
  {
    command: new RegExp(`${testing.source}|${linting.source}`),
    said: /^[\s—–:-]{0,6}(?:(?:verifies|confirms|proves|checks)\s|(?:to|for)\s(?!.{0,200}\bfail))/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    command: asking,
    said: /^\W{0,4}(?:confirms\s)?(?:(?:the\s|all\s|both\s)?(?:files?|folders?|directory|directories)\s)?(?:(?:all|both)\s(?:(?:two|three|four|five|six|\d{1,2})\s)?(?:files?\s|paths?\s)?)?(?:exists?|is\sthere|are\sthere)[\s).*]{0,4}$|^\W{0,4}(?:shows?|returns?)\s(?:the\s)?files?(?:\sexists)?[\s).*]{0,4}$/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    command: asking,
    said: /^\W{0,4}(?:(?:the\s)?(?:file|folder|directory)\s)?(?:(?:should|must|does|do|may)\s(?:not|no\slonger)\s(?:exist|be\sthere)|no\slonger\sexists|is\sgone)[\s).*]{0,4}$/i,
    read: always({ op: 'exitNot', value: 0 }),
  },
  {
    command: counting,
    said: /\bnon-?zero\b(?!\s(?:exit|status|code))|^\W{0,4}(?:(?:returns?|is|count)\s){0,2}(?:not\s(?:0|zero)\b|(?:!=|≠)\s?0\b)/i,
    read: always({ op: 'atLeast', value: 1 }),
  },
  {
    // What is denied in the command itself is denied in words, too.
    command: /^\s*(?:!\s|test\s+!\s|\[\s+!\s)/,
    said: /^[\s—–:(-]{1,6}(?!.{0,300}\b(?:returns?|exits?|expect\w*|fails?)\b)[^;]{1,160}$/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    // What a silent search is about is said in words beside it.
    command: silent,
    said: /^[\s—–:(-]{1,6}(?!.{0,300}(?:\b(?:no|not|none|zero|without|never|absent|gone|removed|fails?|returns?|exits?|expect\w*)\b|n['’]t\b))(?:[^.;]|\.(?=\S)){1,120}[).*\s]{0,4}$/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    command: /\b(?:ba)?sh\s-n\b|\bnode\s(?:--check|-c)\b|\bpy_compile\b|\bshellcheck\b/,
    said: /^\W{0,4}syntax\s(?:check|ok|is\s(?:ok|valid))[\s).*]{0,4}$/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    command: testing,
    said: /^[\s—–:(-]{0,6}no\s(?:\w{1,20}\s){0,2}regressions?\b/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    command: new RegExp(`${testing.source}|${linting.source}`),
    said: /^\W{0,4}(?:(?:is|stays|remains|runs|reports|typescript|types)\s)?clean(?:ly)?(?:\s(?:on|across|in|for|throughout)\s[^,;:()]{1,60}?)?(?:\s\([^()]{0,120}\))?[\s).*]{0,4}$/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    command: /\bgit\s+status\b[^|;&]{0,80}\s(?:--porcelain|--short|-s)\b/,
    said: /^\W{0,4}(?:is\s)?clean[\s).*]{0,4}$/i,
    read: always({ op: 'noMatch' }),
  },
]

/**
 * What an outcome means of this command: of one that counts, `non-zero` is about the count, unless it is said of the exit
 * code; `does not contain "foo"` of one that searches for foo is no match. `expectation`: what the words alone say.
 */
export function ofCommand(
  expectation: Expectation | null,
  said: string,
  command: string,
): Expectation | null {
  const head = commandItself(command.slice(0, 2000))
  const first = counting.test(head) ? isCount.exec(plainNumbers(said.slice(0, 600)))?.[1] : undefined
  if (first !== undefined) return ofNumber({ op: 'equals', value: Number(first) }, said, head)
  if (expectation === null) return ofKind(plainNumbers(said.slice(0, 600)), head)
  const isOfExit = expectation.op === 'exitNot' && expectation.value === 0
  if (
    isOfExit &&
    counting.test(head) &&
    /\bnon-?zero\b/i.test(said) &&
    !/\b(?:exit|status|code|fail)/i.test(said)
  )
    return { op: 'atLeast', value: 1 }
  // A count says no word.
  if (expectation.op === 'contains') return counting.test(head) ? null : expectation
  return isNumber(expectation) ? ofNumber(expectation, said.slice(0, 600), head) : expectation
}

/** Said of what is looked for, before the command that looks for it. */
const absence =
  /\b(?:must|should|may|does|do|can)\s(?:not|no\slonger)\s(?:exist|appear|match|occur|remain|be\s(?:there|present|found|used|left))|\b(?:is|are|be)\s(?:gone|absent|removed)\b|\bno\slonger\s(?:there|present|exists?|appears?|used)\b|^\W{0,4}(?:no|zero)\s/i
/** The command denies by itself, or shows what is left besides. */
const deniesItself = /^\s*(?:!\s|test\s+!\s|\[\s+!\s)|\||\sif\s|&&|;/
const inverts = /\bgrep\b[^|;&]{0,80}\s-(?:-invert-match|-files-without-match|[a-zA-Z]{0,5}[vL])/

/**
 * What is said to be missing, where all of it stands before the command: "The old call must not exist: `grep old a.ts`".
 * Undefined where nothing is missing, or where the command itself says so.
 */
export function ofAbsence(before: string, command: string): Expectation | null | undefined {
  const head = commandItself(command.slice(0, 2000))
  if (!absence.test(before) || deniesItself.test(head)) return undefined
  if (inverts.test(head)) return null
  if (searching.test(head)) return { op: 'noMatch' }
  return asking.test(head) && !/^\W{0,4}(?:no|zero)\s/i.test(before) ? { op: 'exitNot', value: 0 } : undefined
}

/** Said first of what counts, whatever is told beside it: `is 0 (returned 3 before)`. */
const isCount = /^\W{0,4}(?:is|are)\s(?:exactly\s|now\s|still\s)?(\d{1,9})(?=\s{0,2}(?:[(;,—–]|\.?$))/i

/** A count in every one of several files; what is counted is the sum over all of them. */
const inEach =
  /\b(?:for|in|of|from)\s(?:each|every|both)\b|\bper\sfile\b|\b(?:each|both)\s{1,3}(?:>=|≥|<=|≤|=|returns?\b|is\b|at\sleast\b)/i

function isOfEachFile(said: string, command: string): boolean {
  const unquoted = command.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""')
  const files = unquoted.split(' ').filter((word) => /^[^-].*[./*]/.test(word))
  const several = files.length > 1 || files.some((file) => /[*{]/.test(file))
  return several && !unquoted.includes('|') && inEach.test(said.replace(/\([^()]*\)/g, ''))
}

function isNumber(expectation: Expectation): expectation is NumberExpectation {
  return ['equals', 'atLeast', 'atMost'].includes(expectation.op)
}

/** Numbers that are said of commands which print no such number. */
function ofNumber(expectation: NumberExpectation, said: string, command: string): Expectation | null {
  const { op, value } = expectation
  if (counting.test(command)) return value !== 0 && isOfEachFile(said, command) ? null : expectation
  if (silent.test(command)) return op === 'equals' ? { op: 'exit', value } : null
  // The status of an answer is printed only where it is asked for.
  if (fetching.test(command) && value >= 100 && value < 600 && !/http_code|\s-I\b|--head\b/.test(command))
    return null
  if (searching.test(command) || command.includes('|') || !checking.test(command)) return expectation
  if (op === 'equals' && value === 0) return { op: 'exit', value: 0 }
  // How many tests there are is not what a run of them prints last.
  return /\b(?:pass(?:es|ed|ing)?|green|succeed)/i.test(said) && !/\b(?:allow|flak|fail)/i.test(said)
    ? { op: 'exit', value: 0 }
    : null
}

/** A look at the syntax that names no file: it reads nothing, and is content with that. */
const withoutFile =
  /^\s*(?:php\s+-l|node\s+(?:--check|-c)|(?:ba|z|da)?sh\s+-n|ruby\s+-c|perl\s+-c|python3?\s+-m\s+py_compile)\s*$/

/** Whether a command shows nothing, whatever it comes to. */
export const showsNothing = (command: string): boolean =>
  withoutFile.test(commandItself(command.slice(0, 2000)))

const lacks =
  /\b(?:does\snot|doesn['’]t|should\snot|must\snot|no\slonger|never)\s(?:contains?|includes?|mentions?|prints?|matche?s?|names?)\s{0,3}(?:the\s|text\s|string\s|word\s){0,3}["'`“]([^"'`”\n]{1,200})["'`”][\s).*]{0,4}$/i

function ofKind(said: string, command: string): Expectation | null {
  const word = lacks.exec(said)?.[1]
  if (word !== undefined) return searching.test(command) && command.includes(word) ? { op: 'noMatch' } : null
  for (const kind of ofKinds) {
    const match = kind.command.test(command) ? kind.said.exec(said) : null
    if (match !== null) return kind.read(match) ?? null
  }
  return null
}
