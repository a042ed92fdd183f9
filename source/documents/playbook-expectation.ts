// What people say that a command does when all is well (docs/playbook.md, "Expectations").

/** When a command shows what it should. Values are counts or exit codes; the text of `contains` stands in the output. */
export type Expectation =
  | { op: 'equals' | 'atLeast' | 'atMost' | 'exit' | 'exitNot'; value: number }
  | { op: 'match' | 'noMatch' }
  | { op: 'contains'; value: string }

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
const says = String.raw`(?:returns?|expect(?:s|ed)?|outputs?|prints?|equals?|count(?:\sis)?)`
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
      String.raw`${exit}[:=]?\s{0,3}(?:is\s|with\s|of\s)?\s{0,3}(?:non-?\s?zero|not\s(?:0|zero)|(?:!=|≠|>)\s{0,3}0)|\bnon-?zero\b`,
    ),
    read: always({ op: 'exitNot', value: 0 }),
  },
  { pattern: pattern(String.raw`${exit}[:=]{0,2}\s{0,3}${count}`), read: numeric('exit') },
]

const counts: readonly Rule[] = [
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
    pattern: pattern(String.raw`(?:\bmore\sthan|\bgreater\sthan|(?<![-=→])>)\s{0,3}${count}`),
    read: numeric('atLeast', 1),
  },
  {
    pattern: pattern(String.raw`(?:\bat\smost|<=|≤|\bmaximum(?:\sof)?|\bno\smore\sthan)\s{0,3}${times}`),
    read: numeric('atMost'),
  },
  {
    pattern: pattern(String.raw`(?:\bless\sthan|\bfewer\sthan|<)\s{0,3}${count}`),
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
    pattern: pattern(String.raw`(?:(?<![<>!])={1,3}|→|->|=>)\s{0,3}${count}${alone}`),
    read: numeric('equals'),
  },
  { pattern: pattern(String.raw`^[\s(:*-]{0,4}${count}[\s).*]{0,4}$`), read: numeric('equals') },
]

const texts: readonly Rule[] = [
  {
    // Words that a program prints as they stand; `returns JSON` says what kind of output it is.
    pattern:
      /\b(?:[Pp]rints?|[Oo]utputs?|[Ee]choe?s|[Rr]eturns?|[Ss]ays?)\s{1,3}(OK|PASS|PASSED|DONE|SUCCESS|READY|VALID|HEALTHY|YES|NO|TRUE|FALSE|ok|yes|true|false)(?=$|[\s).,;])/,
    read: ofText,
  },
  {
    pattern:
      /\b(?:contain(?:s|ing)?|includes?|prints?|outputs?)\s{0,3}(?:the\s|text\s|string\s|line\s|word\s|:\s){0,3}(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|`([^`\n]{1,300})`|“([^”\n]{1,300})”)/i,
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
      /\b(?:succeeds?|successful(?:ly)?|pass(?:es|ed|ing)?|compiles|without\s(?:any\s)?errors?|no\s(?:\w{1,20}\s){0,2}errors?)\b/i,
    read: always({ op: 'exit', value: 0 }),
  },
  {
    pattern:
      /(?:^[\s(:*—–-]{0,6}|\b(?:should|must|will|to|it|command|tests?)\s(?:all\s)?)fails?\b(?![-\s]open)/i,
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

/** Of a command that counts, `non-zero` is about the count, unless it is said of the exit code. */
export function ofCount(expectation: Expectation | null, said: string, command: string): Expectation | null {
  const isOfExit = expectation?.op === 'exitNot' && expectation.value === 0
  const counts = /\bgrep\b[^|;&]{0,200}\s-[a-zA-Z]{0,5}c|\brg\b[^|;&]{0,200}\s(?:-c\b|--count)|\bwc\s/.test(
    command.slice(0, 2000),
  )
  return isOfExit && counts && /\bnon-?zero\b/i.test(said) && !/\b(?:exit|status|code|fail)/i.test(said)
    ? { op: 'atLeast', value: 1 }
    : expectation
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
  const said = (text.split(/\n|\.\s+(?=[A-Z`*])/)[0] ?? '').slice(0, 600)
  if (!/[\p{L}\p{N}=<>≥≤"]/u.test(said)) return { op: 'exit', value: 0 }
  let best: { at: number; expectation: Expectation } | undefined
  for (const rule of rules) {
    const match = rule.pattern.exec(said)
    const expectation = match === null ? undefined : rule.read(match)
    if (match === null || expectation === undefined || negated.test(said.slice(0, match.index))) continue
    if (best === undefined || match.index < best.at) best = { at: match.index, expectation }
  }
  if (best?.expectation.op === 'exit' && best.expectation.value === 0 && saysBoth(said)) return null
  return best?.expectation ?? null
}

/** "7 passing, 8 failing" is nothing that an exit code tells. */
function saysBoth(text: string): boolean {
  const left = text.replace(noFailures, '')
  return /\bfail(?:s|ed|ing|ures?)?\b(?![-\s]open)/i.test(left) && /\bpass/i.test(left)
}
