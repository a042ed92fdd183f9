// What people say that a command does when all is well (docs/playbook.md, "Expectations").

/** When a command shows what it should. Values are counts or exit codes; the text of `contains` stands in the output. */
export type Expectation = NumberExpectation | { op: 'match' | 'noMatch' } | { op: 'contains'; value: string }

export interface NumberExpectation {
  op: 'equals' | 'atLeast' | 'atMost' | 'exit' | 'exitNot'
  value: number
  /** Has to hold as well: the upper bound of `between 2 and 4`. */
  and?: { op: 'atMost'; value: number }
}

const words: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
}
const count = String.raw`(\d{1,9}|${Object.keys(words).join('|')})\b(?!\.\d)`
const says = String.raw`(?:returns?|expect(?:s|ed)?|outputs?|prints?|yields?|gives?|equals?|count(?:\sis)?)`
const exactly = String.raw`(?:\s{0,3}(?:[:=]|exactly|value|count|of|a|to|be|is)){0,4}\s{0,3}`
/** `at least twice` */
const times = String.raw`(?:${count}|(once|twice)\b)`
/** More than a bare number is said: `7 or more`, `151+`, `3/4`. */
const alone = String.raw`(?!\s{0,2}(?:\+|or\smore|or\sfewer|or\sless|\/|-\d|%))`
const exit = String.raw`\bexit(?:s|ed)?(?:[- ](?:with|code|status|value|is|a))*\s{0,3}`
const pattern = (source: string) => new RegExp(source, 'i')

interface Rule {
  pattern: RegExp
  read: (match: RegExpExecArray) => Expectation | undefined
}

const numeric =
  (op: 'equals' | 'atLeast' | 'atMost' | 'exit', more = 0) =>
  (match: RegExpExecArray): Expectation | undefined => {
    const value = numberOf(match[1] ?? match[2] ?? '')
    return value === undefined ? undefined : { op, value: value + more }
  }
const always = (expectation: Expectation) => () => expectation
const ofText = (match: RegExpExecArray) => quoted(match.slice(1).find((text) => text !== undefined) ?? '')

const exits: readonly Rule[] = [
  {
    pattern: pattern(
      String.raw`${exit}[:=]?\s{0,3}(?:is\s|with\s|of\s)?\s{0,3}(?:non-?\s?zero|not\s(?:0|zero)|(?:!=|≠|>)\s{0,3}0)|\b(?:returns?|returning|status|code)\s{1,3}(?:is\s|a\s)?non-?zero\b|\bnon-?zero\s(?:exit|status|return|code)|^\W{0,6}(?:is\s)?non-?zero\b`,
    ),
    read: always({ op: 'exitNot', value: 0 }),
  },
  { pattern: pattern(String.raw`${exit}[:=]{0,2}\s{0,3}\x60?${count}`), read: numeric('exit') },
]

const counts: readonly Rule[] = [
  {
    pattern: pattern(String.raw`\bbetween\s${count}\s(?:and|to|-|–)\s${count}`),
    read: (match) => {
      const [low, high] = [numberOf(match[1] ?? ''), numberOf(match[2] ?? '')]
      if (low === undefined || high === undefined || low > high) return undefined
      return { op: 'atLeast', value: low, and: { op: 'atMost', value: high } }
    },
  },
  {
    pattern: pattern(String.raw`\bno[tr]?\s(?:fewer|less)\sthan\s{0,3}${count}`),
    read: numeric('atLeast'),
  },
  {
    pattern: pattern(
      String.raw`(?:\bno[tr]?\smore\sthan|\bup\sto)\s{0,3}${count}|\b${count}\sor\s(?:fewer|less)\b`,
    ),
    read: numeric('atMost'),
  },
  {
    pattern: pattern(
      String.raw`\bno[\s-](?:\w{1,12}\s)?(?:match(?:es)?|output|results?|hits?|lines?|occurrences?)\b|\b(?:returns?|finds?|outputs?|prints?|shows?|expect(?:s|ed)?)\s(?:nothing|empty)\b|^\W{0,4}(?:is\s|should\sbe\s|must\sbe\s)?(?:empty|nothing)\b|\bis\sempty\b|\bzero\s(?:matches|results|hits|lines|occurrences)\b`,
    ),
    read: always({ op: 'noMatch' }),
  },
  {
    pattern: pattern(String.raw`(?:\bat\sleast|>=|≥|\bminimum(?:\sof)?)\s{0,3}${times}`),
    read: numeric('atLeast'),
  },
  {
    pattern: pattern(
      String.raw`(?:\b${says}\s{1,3}|(?:→|->|[=(:—–-])\s{0,3}|^\W{0,4})(\d{1,9})\s{0,2}(?:\+(?!\w)|or\smore\b)(?!\s(?:\w{1,20}\s)?(?:tests?|pass|specs?|suites?)\b)`,
    ),
    read: numeric('atLeast'),
  },
  {
    pattern: pattern(String.raw`\b${count}\sor\smore\s(?:match(?:es)?|lines?|hits?|results?|occurrences?)\b`),
    read: numeric('atLeast'),
  },
  {
    pattern: pattern(String.raw`\b(?:over|above)\s{0,3}${count}${alone}`),
    read: numeric('atLeast', 1),
  },
  {
    pattern: pattern(String.raw`\b(?:under|below)\s{0,3}${count}${alone}`),
    read: numeric('atMost', -1),
  },
  {
    pattern: pattern(String.raw`\b(?:(?:must|should)\sbe|exactly)\s(?:exactly\s)?${count}${alone}`),
    read: numeric('equals'),
  },
  {
    pattern: pattern(
      String.raw`(?:(?<!\bno\s|\bnot\s)\bmore\sthan|\bgreater\sthan|(?<![-=→])>)\s{0,3}${count}`,
    ),
    read: numeric('atLeast', 1),
  },
  {
    pattern: pattern(String.raw`(?:\bat\smost|<=|≤|\bmaximum(?:\sof)?)\s{0,3}${times}`),
    read: numeric('atMost'),
  },
  {
    pattern: pattern(String.raw`(?:(?<!\bno\s|\bnot\s)\b(?:less|fewer)\sthan|<)\s{0,3}${count}`),
    read: numeric('atMost', -1),
  },
  {
    pattern: pattern(
      String.raw`\b(?:match(?:es)?|appears?|present|found|occurs?)\s(?:exactly|only)\s${times}`,
    ),
    read: numeric('equals'),
  },
  { pattern: pattern(String.raw`\b${says}${exactly}${count}${alone}`), read: numeric('equals') },
  {
    pattern: pattern(String.raw`(?:(?<![<>!\w-])={1,3}|→|->|=>)\s{0,3}${count}${alone}`),
    read: numeric('equals'),
  },
  {
    pattern: pattern(
      String.raw`^[\s(:*—–-]{0,6}${count}(?:[\s).*]{0,4}$|\stimes[\s).*]{0,4}$|\s(?:match(?:es)?|hits?|lines?|results?|occurrences?)\b)`,
    ),
    read: numeric('equals'),
  },
]

const texts: readonly Rule[] = [
  {
    pattern:
      /\b(?:is\s|be\s)?(?:not|non)[\s-]empty\b|\b(?:has|prints?|produces?|returns?)\s(?:some\s)?(?:output|something)\b/i,
    read: always({ op: 'match' }),
  },
  {
    pattern:
      /\b(?:(?:is|are|be|stays?|remains?|goes|all|tests?|suite|build)\s)(?:all\s|still\s)?green\b|^\W{0,4}(?:all\s|still\s)?green\b|^\W{0,4}(?:is\s|all\s)?ok(?:ay)?[\s).*]{0,4}$|\b(?:exits?|ends?|finish(?:es)?|completes?)\scleanly\b|\bstill\sgreen\b/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    pattern:
      /\b(?:does\snot|doesn['’]t|should\snot|must\snot|never|won['’]t)\s(?:fail|error|crash|throw)s?\b/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    pattern:
      /\b(?:does\snot|doesn['’]t|should\snot|must\snot|never)\s(?:exits?\s(?:with\s)?(?:0|zero)|pass(?:es)?|succeeds?)\b/i,
    read: always({ op: 'exitNot', value: 0 }),
  },
  {
    // Words that a program prints as they stand; `returns JSON` says what kind of output it is.
    pattern:
      /\b(?:[Pp]rints?|[Oo]utputs?|[Ee]choe?s|[Rr]eturns?|[Ss]ays?)\s{1,3}(OK|PASS|PASSED|DONE|SUCCESS|READY|VALID|HEALTHY|YES|NO(?!\s{1,3}\w)|TRUE|FALSE|True|False|ok|yes|true|false)(?=$|[\s).,;])/,
    read: ofText,
  },
  {
    pattern:
      /(?<!\b(?:file|page|document|source)\s)\b(?:contain(?:s|ing)?|includes?|prints?|outputs?|says?|echoe?s)\s{0,3}(?:the\s|text\s|string\s|line\s|word\s|:\s){0,3}(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|`([^`\n]{1,300})`|“([^”\n]{1,300})”)/i,
    read: ofText,
  },
  {
    pattern:
      /\b(?:must|should|has\sto)\s(?:show|list|print|output|return|report)\s{0,3}(?:the\s)?(?:"([^"\n]{1,300})"|`([^`\n]{1,300})`)/i,
    read: ofText,
  },
  {
    pattern:
      /(?:^[\s(:*—–-]{0,6}|\b(?:returns?|expect(?:s|ed)?|shows?|output)[\s:]{1,3})["“]([^"”\n]{1,300})["”]/i,
    read: ofText,
  },
  {
    pattern:
      /\b(?:expect(?:s|ed)?|returns?|finds?|shows?|has|gives?|outputs?|prints?|a|any)\s{1,3}(?:a\s|the\s|some\s)?match(?:es)?\b|^\W{0,4}(?:is\s|are\s)?(?:match(?:es|\sfound)?|(?:all\s|both\s)?(?:present|found|there)|(?:all\s|both\s)?appears?)\b(?!\s(?:only|once|twice|exactly|at|\d))/i,
    read: always({ op: 'match' }),
  },
  {
    pattern:
      /\b(?:succeeds?|successful(?:ly)?|pass(?:es|ed|ing)?|compiles|(?:should|must|will)\scompile|without\s(?:any\s)?(?:[\w/-]{1,20}\s){0,3}(?:errors?|issues?)|(?:no|zero|0)\s(?:[\w/-]{1,20}\s){0,4}(?:errors?|issues|failures?))\b/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    pattern:
      /(?:^[\s(:*—–-]{0,6}|\b(?:should|must|will|to|it|command|tests?)\s(?:all\s)?)(?:fails?|errors?\sout)\b(?![-\s]open)/i,
    read: always({ op: 'exitNot', value: 0 }),
  },
]

/** In the order in which they are taken where two begin at the same place. */
const rules = [...exits, ...counts, ...texts]

function quoted(value: string): Expectation | undefined {
  const number = numberOf(value)
  return number === undefined ? { op: 'contains', value } : { op: 'equals', value: number }
}

function numberOf(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const word = text.toLowerCase()
  return word === 'once' ? 1 : word === 'twice' ? 2 : words[word]
}

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
const ofKinds: readonly {
  command: RegExp
  said: RegExp
  read: (match: RegExpExecArray) => Expectation | undefined
}[] = [
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
    read: (match) => ofText(match),
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
    said: /^\W{0,4}(?:confirms\s)?(?:(?:the\s|all\s|both\s)?(?:files?|folders?|directory|directories)\s)?(?:(?:all|both)\s(?:(?:two|three|four|five|six|\d)\s)?)?(?:exists?|is\sthere|are\sthere)[\s).*]{0,4}$|^\W{0,4}(?:shows?|returns?)\s(?:the\s)?files?(?:\sexists)?[\s).*]{0,4}$/i,
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
    // What a silent search is about is said in words beside it.
    // What is denied in the command itself is denied in words, too.
    command: /^\s*(?:!\s|test\s+!\s|\[\s+!\s)/,
    said: /^[\s—–:(-]{1,6}(?!.{0,300}\b(?:returns?|exits?|expect\w*|fails?)\b)[^;]{1,160}$/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
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
    said: /^\W{0,4}(?:(?:is|stays|remains|runs|reports|typescript|types)\s)?clean(?:ly)?(?:\s\([^()]{0,120}\))?[\s).*]{0,4}$/i,
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
  const head = command.slice(0, 2000)
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

function isNumber(expectation: Expectation): expectation is NumberExpectation {
  return ['equals', 'atLeast', 'atMost'].includes(expectation.op)
}

/** Numbers that are said of commands which print no such number. */
function ofNumber(expectation: NumberExpectation, said: string, command: string): Expectation | null {
  const { op, value } = expectation
  if (counting.test(command)) return expectation
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

/** `0 failures` and `no failing tests` say nothing else than that all is well. */
const noFailures =
  /\b(?:0|zero|no|without(?:\sany)?)\s(?:\w{1,20}\s)?(?:fail(?:ures?|ing|ed|s)?|errors?)(?:\stests?)?\b/gi
const negated = /\b(?:not|never|no\slonger|cannot|neither|nor)\s{0,3}$|n['’]t\s{0,3}$/i

/**
 * Reads an expectation in words. What is said first counts, and of several sentences the first. `null`: it says something
 * that no program can decide; nothing said at all means that the command has to succeed.
 */
export function expectationOf(text: string): Expectation | null {
  const said = plainNumbers((withoutPlace(text).split(/\n|\.\s+(?=[A-Z`*])/)[0] ?? '').slice(0, 600))
  if (!/[\p{L}\p{N}=<>≥≤"]/u.test(said)) return { op: 'exit', value: 0 }
  let best: { at: number; end: number; expectation: Expectation } | undefined
  for (const rule of rules) {
    const match = rule.pattern.exec(said)
    const expectation = match === null ? undefined : rule.read(match)
    if (match === null || expectation === undefined || negated.test(said.slice(0, match.index))) continue
    if (best === undefined || match.index < best.at)
      best = { at: match.index, end: match.index + match[0].length, expectation }
  }
  // "No matches outside of tests" is not what the command says.
  if (best !== undefined && excepting.test(said.slice(best.end))) return null
  if (best?.expectation.op === 'exit' && best.expectation.value === 0 && mayFail.test(said)) return null
  const isCode = best !== undefined && /^exit/i.test(said.slice(best.at, best.end))
  if (best?.expectation.op === 'exit' && best.expectation.value === 0 && !isCode && saysBoth(said))
    return null
  return best?.expectation ?? null
}

/** "Some tests may fail": no exit code tells whether all is well. */
const mayFail =
  /\b(?:may|might|can|will)\sfail\b|\bfail(?:s|ures?|ing)?\s(?:(?:is|are)\s)?(?:expected|allowed|fine)\b|\bexpected\s(?:to\s)?fail/i
const excepting = /^\s{0,3}(?:outside|except|other\sthan|besides|beyond|apart\sfrom)\b/i

/** `1` in code marks is 1, and **two** in bold is two. */
function plainNumbers(text: string): string {
  return text.replace(/`(\d{1,9})`/g, '$1').replaceAll('**', '')
}

/** Where a command is run is no outcome. */
function withoutPlace(text: string): string {
  return text.replace(
    /^\s{0,3}(?:from|in|at)\s(?:the\s)?(?:project|repo(?:sitory)?)(?:['’]s)?\sroot[.,:;]?(?=\s|$)/i,
    '',
  )
}

/** "7 passing, 8 failing" is nothing that an exit code tells. */
function saysBoth(text: string): boolean {
  const left = text.replace(noFailures, '')
  return /\bfail(?:s|ed|ing|ures?)?\b(?![-\s]open)/i.test(left) && /\bpass/i.test(left)
}
