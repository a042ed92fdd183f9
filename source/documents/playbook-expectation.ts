import {
  always,
  count,
  type Expectation,
  numberOf,
  numeric,
  ofText,
  pattern,
  plainNumbers,
  type Reading,
} from './playbook-outcome.js'

// What people say that a command does when all is well (docs/playbook.md, "Expectations").

const says = String.raw`(?:returns?|expect(?:s|ed)?|outputs?|prints?|yields?|gives?|equals?|count(?:\sis)?)`
const exactly = String.raw`(?:\s{0,3}(?:[:=]|exactly|value|count|of|a|to|be|is)){0,4}\s{0,3}`
/** `at least twice` */
const times = String.raw`(?:${count}|(once|twice)\b)`
/** More than a bare number is said: `7 or more`, `151+`, `3/4`. */
const alone = String.raw`(?!\s{0,2}(?:\+|or\smore|or\sfewer|or\sless|\/|-\d|%))`
const exit = String.raw`\bexit(?:s|ed)?(?:[- ](?:with|code|status|value|is|a))*\s{0,3}`
interface Rule {
  pattern: RegExp
  read: Reading
}

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
    pattern: pattern(
      String.raw`\bno[tr]?\s(?:fewer|less|lower|smaller)\sthan\s{0,3}${count}|\b(?:(?:more|greater|larger|higher)\sthan\sor\sequal\sto|equal\sto\sor\s(?:more|greater|larger|higher)\sthan|at\sor\sabove)\s{0,3}${count}`,
    ),
    read: numeric('atLeast'),
  },
  {
    pattern: pattern(
      String.raw`(?:\bno[tr]?\s(?:more|greater|larger|higher)\sthan|\bup\sto|\b(?:less|fewer|smaller|lower)\sthan\sor\sequal\sto|\bequal\sto\sor\s(?:less|fewer|smaller|lower)\sthan|\bat\sor\sbelow|\b(?:not|never|n['’]t)\sexceed(?:ing)?)\s{0,3}${count}|\b${count}\sor\s(?:fewer|less)\b`,
    ),
    read: numeric('atMost'),
  },
  {
    pattern: pattern(
      String.raw`\bno[\s-](?:\w{1,12}\s)?(?:match(?:es)?|output|results?|hits?|lines?|occurrences?)\b|\b(?:returns?|finds?|outputs?|prints?|shows?|match(?:es)?|expect(?:s|ed)?)\s(?:nothing|none|empty)\b|^\W{0,4}(?:is\s|should\sbe\s|must\sbe\s)?(?:empty|nothing)\b|\bis\sempty\b|\bzero\s(?:matches|results|hits|lines|occurrences)\b`,
    ),
    read: always({ op: 'noMatch' }),
  },
  {
    pattern: pattern(String.raw`(?:\bat\sleast|>=|≥|\bminimum(?:\sof)?)\s{0,3}${times}`),
    read: numeric('atLeast'),
  },
  {
    pattern: pattern(
      String.raw`(?:\b(?:${says}|shows?|finds?|lists?)\s{1,3}|(?:→|->|[=(:—–-])\s{0,3}|^\W{0,4})(\d{1,9})\s{0,2}(?:\+(?!\w)|or\smore\b)(?!\s(?:\w{1,20}\s)?(?:tests?|pass|specs?|suites?)\b)`,
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
      String.raw`(?:(?<!\bno\s|\bnot\s)\b(?:more|greater|larger|higher)\sthan|\bexceeds?|(?<![-=→])>)\s{0,3}${count}`,
    ),
    read: numeric('atLeast', 1),
  },
  {
    pattern: pattern(String.raw`(?:\bat\smost|<=|≤|\bmaximum(?:\sof)?)\s{0,3}${times}`),
    read: numeric('atMost'),
  },
  {
    pattern: pattern(
      String.raw`(?:(?<!\bno\s|\bnot\s)\b(?:less|fewer|smaller|lower)\sthan|<)\s{0,3}${count}`,
    ),
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
    pattern: pattern(
      String.raw`\b(?:finds?|shows?|lists?)\s(?:exactly\s)?${count}\s(?:match(?:es)?|hits?|lines?|results?|occurrences?)\b`,
    ),
    read: numeric('equals'),
  },
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
      /(?<!\b(?:file|page|document|source)\s)(?<![`.])\b(?:contain(?:s|ing)?|includes?|prints?|outputs?|says?|echoe?s)\s{0,3}(?:the\s|text\s|string\s|line\s|word\s|:\s){0,3}(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|`([^`\n]{1,300})`|“([^”\n]{1,300})”)/i,
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
      /\b(?:expect(?:s|ed)?|returns?|finds?|shows?|has|gives?|outputs?|prints?|a|any)\s{1,3}(?:a\s|the\s|some\s)?match(?:es)?\b|^\W{0,4}(?:is\s|are\s|(?:must|should|has\sto)\s(?:be\s)?)?(?:match(?:es|\sfound)?|(?:all\s|both\s)?(?:present|found|there)|(?:all\s|both\s)?appears?)\b(?!\s(?:only|once|twice|exactly|at|\d|zero|no|none|nothing|before|after)\b)/i,
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

/** `0 failures` and `no failing tests` say nothing else than that all is well. */
const noFailures =
  /\b(?:0|zero|no|without(?:\sany)?)\s(?:\w{1,20}\s)?(?:fail(?:ures?|ing|ed|s)?|errors?)(?:\stests?)?\b/gi
/** Denied in the same part of a sentence: `does not output a line containing "x"`. */
const deniedBefore =
  /\b(?:does\snot|doesn['’]t|do\snot|should\snot|must\snot|may\snot|never|no\slonger)\s[^,;.()]{0,80}$/i
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
    const ahead = match === null ? '' : said.slice(0, match.index)
    if (match === null || expectation === undefined || negated.test(ahead)) continue
    if (expectation.op === 'contains' && deniedBefore.test(ahead)) continue
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
