import { saysNothing } from '../../../documents/says-something.js'

// What the own words of a verifier and of a reviewer come to (docs/evidence.md, "Claims"). Pure.

export type Verdict = 'pass' | 'fail' | 'incomplete'

export interface VerdictFacts {
  verdict: Verdict
  gaps: readonly string[]
  /** Commands that it ran; undefined where its backend does not report tools. */
  commands?: number
  /** Of these, how many have failed. */
  failedCommands?: number
  /** Outcome of our own test run, where there was one. */
  tests?: 'passed' | 'failed' | 'none' | 'cannot-run'
  /** Nothing of the work can be run: it is read. */
  isRead?: boolean
}

export interface JudgedVerdict {
  verdict: Verdict
  /** Why it is not what was said; empty where it is. */
  why: string[]
  /** An independent agent looked at it: a pass that only our tests carry is none. */
  verified: boolean
}

/**
 * A pass has no gaps and has run something that did not fail; where nothing was run, or nobody tells, our own tests decide.
 * Documents are read.
 */
export function judgeVerdict(facts: VerdictFacts): JudgedVerdict {
  const { verdict, gaps, commands, failedCommands = 0, tests, isRead = false } = facts
  if (verdict !== 'pass') return { verdict, why: [], verified: false }
  if (gaps.length > 0) {
    return { verdict: 'incomplete', why: ['The verdict is pass, but it lists gaps.'], verified: false }
  }
  const ran = commands ?? 0
  if (ran > failedCommands) return { verdict, why: [], verified: true }
  if (tests === 'passed') return { verdict, why: [], verified: commands === undefined }
  if (ran === 0 && isRead) return { verdict, why: [], verified: true }
  const what =
    ran > 0
      ? `what the verifier ran has failed: each command, or the tests that it ran last`
      : 'the verifier ran no command that could show it'
  return {
    verdict: 'incomplete',
    why: [`The verdict is pass, but ${what}, and no test run of ours shows it.`],
    verified: false,
  }
}

const failureFirst =
  /^[\s>*•–\-[\]()`]{0,20}(?:(?:[✗✘✖❌⛔]|\u{1F534})\s{0,4}|not ok \d{1,9} - |(?:FAIL(?:ED|URES?|ING)?|NOT (?:MET|DONE|VERIFIED|IMPLEMENTED|WORKING|RUN|TESTED)|MISSING|GAPS?(?: FOUND)?|BROKEN|UNMET|INCOMPLETE|PARTIAL(?:LY)?|UNVERIFIED|UNTESTED|ASSUMED|DEFERRED|TODO|BLOCK(?:ER|ING))\b[\s*\])`]{0,6}(?:[:—–]|-\s)\s{0,4})(\S.*)/iu
/** What it says of something, at the end of a line or in a cell of a table. */
const failureLast =
  /[:|=—–→-]\s{0,4}[*_`]{0,3}(?:(?:[✗✘✖❌⛔]|\u{1F534})|(?:FAIL(?:ED)?|MISSING|UNMET|BROKEN|PARTIAL(?:LY)?|INCOMPLETE|DEFERRED)(?![\w-])|(?:not|NOT) (?:met|done|verified|implemented|working|tested|complete|MET|DONE|VERIFIED|IMPLEMENTED|WORKING|TESTED|COMPLETE)(?![\w-])|(?:only )?partially (?:done|complete|met|implemented)(?=[*_`]{0,3}\s{0,4}[.|]?\s{0,4}$))[*_`]{0,3}\s{0,4}(?:[|.!:].*)?$|\s(?:[✗✘✖❌⛔]|\u{1F534})\s{0,4}$/u
/** What a program prints when it fails, and what is said of a task in so many words. */
const failureTold =
  /^[\s>*`"•–-]{0,20}(?:(?:the )?(?:npm|pnpm|yarn|bun|npx|node|pytest|go|cargo|make|mvn|gradle|dotnet|tests?|build|suite|test suite|tsc|lint\w{0,6})\b[^.;]{0,80}? (?:exit(?:ed|s)?|ended|returned|failed|finished)(?: with)?(?: an?)? (?:non-?zero\b|(?:exit )?(?:code|status) [1-9])|exit (?:code|status)[: ]{1,2}[1-9]\d{0,2}\s{0,4}$|FAILED \S{1,200}(?:::|\.\w{1,8}$)|Traceback \(most recent call last\)|[A-Za-z]{0,40}(?:AssertionError|AssertionFailedError)\b|no tests? (?:were|was|have been) (?:run|executed)|(?:the )?tests? (?:were )?not (?:run|executed))|\berror TS\d{4,5}:|\([1-9]\d{0,5} errors?,|\btask \d{1,4}(?:\.\d{1,4})?\b[^.;]{0,80}?(?:\((?:skipped|deferred|incomplete|partial|not done)\)|[:—–-] {0,3}(?:skipped|deferred|incomplete|partial|not (?:done|complete))\s{0,4}$| is (?:missing|incomplete|not (?:done|complete|implemented))\b)/i
const onTheWay =
  /\b(?:before|at first|first|initial\w{0,3}|baseline|then|fixed|now|known|pre-?existing|already|unrelated|expected|expects|flaky|previous\w{0,3}|earlier|until|mutat\w{0,4}|reverted?|would|should|must|when|if|wanted|invalid|bad|wrong|rejects?|refuses?|as planned|by design|on purpose|gone)\b/i
const isPassed = (line: string) => /[✅✔]|\bPASS\b/.test(line)
const openBox = /^\s{0,20}[-*+]?\s{0,4}\[ \]\s{1,4}\S/
const notLooked =
  /^[\s>*•–-]{0,20}(?:I |we )?(?:could(?: not|n['’]t)|can(?:not|['’]t)|(?:am |was )?(?:unable|not able) to|did(?: not|n['’]t)|ha(?:ve|s)(?: not|n['’]t)) (?:be )?(?:run|ran|verif\w{0,6}|check\w{0,3}|test\w{0,3}|execut\w{0,3}|confirm\w{0,3})\b|^[\s>*•–-]{0,20}(?:the )?(?:tests?|test suite|task \d{1,4}) (?:were|was|is|are) not (?:run|executed|verified|tested|implemented)\b/i
/** A count of failures, told as it is now. */
const countOfFailures =
  /\b[1-9]\d{0,6} (?:tests? )?(?:failed|failing|failures?)\b|^[\s>*-]{0,20}[#ℹ] fail [1-9]|^[\s>*-]{0,20}FAIL \S{1,200}\.\w{1,8}$/i
const toldOtherwise =
  /\b(?:before|at first|first|initial\w*|baseline|then|after\w*|fixed|now|known|pre-?existing|already|unrelated|expected|expects|flaky|previous\w*|earlier|was|were|had|until|mutat\w*|removed|without|reverted?|would|should|must|when|if)\b|\b0 fail/i
const countedNothing = /^(?:0|no|none|nothing|zero)\b|^n\/?a\b|^[-–—]+\s*$/i
const passedSince = /(?:→|->|=>|now|then)\s{0,4}(?:[✅✔]|PASS)/i

/**
 * Entries of the evidence of a pass that say themselves that something does not hold: `FAIL: ..`, `Missing: ..`, `❌ ..`,
 * `Task 2: not met`, `1 failed, 5 passed`, an open box, a check that could not be made. What is told of failures on the way, in a
 * sentence, is none. Linear.
 */
export function failuresIn(evidence: readonly string[]): string[] {
  return evidence
    .flatMap((entry) => entry.slice(0, 4_000).split('\n'))
    .filter((line) => saysFailure(line.slice(0, 1_000)))
    .map((line) => line.trim().slice(0, 200))
}

function saysFailure(line: string): boolean {
  if (passedSince.test(line)) return false
  const what = failureFirst.exec(line)?.[1]
  if (what !== undefined) return !countedNothing.test(what) && !saysNothing(what)
  if (failureLast.test(line) || openBox.test(line)) return true
  if (notLooked.test(line)) return !(isPassed(line) && /\bnow\b/i.test(line))
  if (failureTold.test(line)) return !isPassed(line) && !onTheWay.test(line)
  return countOfFailures.test(line) && !toldOtherwise.test(line) && !isPassed(line)
}

const lists =
  /^(?:(?:missing|failures|failed|unmet|unverified|incomplete|remaining|pending|open|skipped|deferred|unfinished|partial(?:ly_?(?:done|complete))?)(?:_?(?:checks|criteria|tests|tasks|items|work))?|not_?(?:met|done|verified|implemented|completed?|finished)|(?:tasks?|items)_?(?:remaining|pending|open|skipped|deferred|failed|incomplete)|todos?|blockers)$/i
/** In which each task has its status. */
const statuses = /^(?:tasks?|progress|(?:task_?)?status(?:es)?(?:_?by_?task)?|task_?(?:results|progress))$/i
const isOpen =
  /^(?:failed|failing|pending|in[ _-]?progress|blocked|skipped|incomplete|to ?do|not[ _-](?:started|done|complete)|partial(?:ly[ _-](?:done|complete))?|deferred|open)$/i

/** Entries beside those that a result has to have, whose names or words say that something is still to be done. */
export function otherLists(result: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(result).flatMap(([key, value]) => {
    const texts = lists.test(key) ? textsIn(value) : statuses.test(key) ? openIn(value) : []
    return texts
      .filter((one) => !saysNothing(one) && !countedNothing.test(one.trim()))
      .map((one) => `${key}: ${one.slice(0, 200)}`)
  })
}

/** Of a text, a list of texts, or of what has a title. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return []
  return value.flatMap((one) => (typeof one === 'string' ? one : (nameOf(one) ?? [])))
}

/** `[{ id, status }]`, or `{ 'Task 2': 'failed' }`. */
function openIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([name, status]) =>
      typeof status === 'string' && isOpen.test(status.trim()) ? [name] : [],
    )
  return value.flatMap((one) => {
    const { status } = (one ?? {}) as { status?: unknown }
    return typeof status === 'string' && isOpen.test(status.trim()) ? (nameOf(one) ?? []) : []
  })
}

function nameOf(one: unknown): string | undefined {
  if (one === null || typeof one !== 'object') return undefined
  const { id, task, title, name, description, message } = one as Record<string, unknown>
  return [id, task, title, name, description, message].find(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  )
}

const documents =
  /\.(?:mdx?|markdown|txt|rst|adoc|asciidoc|org|tex|textile|csv|png|jpe?g|gif|svg|webp|ico|pdf|drawio|puml|mmd)$|(?:^|\/)(?:LICEN[CS]E|NOTICE|AUTHORS|CODEOWNERS)$/i

/** Whether all of these paths are documents. */
export const areDocuments = (paths: readonly string[]): boolean => paths.every((path) => documents.test(path))

const agreed =
  /^(?:approv(?:e|ed|es|al)|comment(?:s|ed)?|lgtm|pass(?:ed)?|accept(?:ed)?|looks good(?: to me)?|ready to merge)(?: with(?: (?:minor|some|a few|optional))? (?:comments?|suggestions?|notes?|nits?))?$/

/** A word without the signs around it that emphasise it. */
const bareWord = (word: string) =>
  word
    .replace(/[^\p{L}\p{N}\s_-]/gu, ' ')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()

/** Of two words, both given, one opens the way and the other does not. */
export function assessmentsDiffer(one: string | undefined, other: string | undefined): boolean {
  if (!one?.trim() || !other?.trim()) return false
  return (assessmentDoubt(one) === undefined) !== (assessmentDoubt(other) === undefined)
}

/**
 * Why an assessment has to be asked about although no finding blocks; undefined where it need not. A reviewer that
 * gives no word has said what its findings say.
 */
export function assessmentDoubt(assessment: string | undefined): string | undefined {
  const word = assessment?.trim() ?? ''
  // A question or a condition is no agreement.
  if (word === '' || (!/[?,;(]/.test(word) && agreed.test(bareWord(word)))) return undefined
  const known = /^request(?:ed|s)?[\s_-]*changes?$/i.test(word)
  return known
    ? `The reviewer requests changes (${word}) and names no finding that blocks.`
    : `The reviewer's assessment is "${word}", which is no word that opens anything.`
}

const callsBlocking =
  /^[^\p{L}\p{N}]{0,12}(?:blocker|blocking|critical|severe|show-?\s?stopper|must[- ]fix|p0|(?:do not|don['’]t) merge)\b[\s*_`]{0,4}(?:[\])]|[:–—]|-\s|$)/iu
const criesBlocking =
  /^[^\p{L}\p{N}]{0,12}(?:BLOCKER|BLOCKING|CRITICAL|SHOWSTOPPER|MUST[- ]FIX|DO NOT MERGE)\b(?=.{0,400}?\p{Ll})/u
const wantsItFirst =
  /\b(?:must|has to|have to|needs? to) be (?:fixed|mended|resolved|addressed|corrected|changed) before (?:(?:the|this|we|it|any) )?(?:merg|releas|ship|deploy|complet|phase)|\b(?:this|it|which) (?:blocks|is blocking|is a blocker for) (?:(?:the|this|a|any) )?(?:merge|release|phase|completion|approval|shipping)|\b(?:do not|don['’]t|cannot be|must not be|should not be) merged?\b/i

/**
 * Why findings that do not block are asked about all the same: the reviewer's own words say of one that it blocks, as in a note
 * with the title `BLOCKING: ..`. "Non-blocking" and a blocking call are no such words. Linear.
 */
export function severityDoubt(
  findings: readonly { severity: string; title: string; rationale?: string | undefined }[],
): string | undefined {
  for (const { severity, title, rationale = '' } of findings) {
    if (severity === 'blocking') continue
    const head = title.slice(0, 500)
    const words = `${head}\n${rationale.slice(0, 2_000)}`
    if (callsBlocking.test(head) || criesBlocking.test(head) || wantsIt(words))
      return `The reviewer calls this a ${severity}, and says of it that it blocks: ${head.slice(0, 200)}`
  }
  return undefined
}

/** In a sentence that does not begin with a no: "nothing that blocks the merge". */
function wantsIt(words: string): boolean {
  return words.split(/[.;\n]/).some((sentence) => {
    const at = wantsItFirst.exec(sentence)
    return (
      at !== null &&
      !/\b(?:no|not|nothing|none|never|neither|without)\b|n['’]t\b/i.test(sentence.slice(0, at.index))
    )
  })
}

const wantedLists =
  /^(?:blocking|blocking_?(?:issues|findings)|blockers|must_?fix(?:es)?|critical|critical_?(?:issues|findings)|required_?(?:changes|fixes)|unresolved)$/i

/** Entries of lists beside the findings of a review whose names say that something blocks. */
export function listedAsBlocking(result: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(result).flatMap(([key, value]) => {
    if (!wantedLists.test(key)) return []
    return textsIn(value)
      .filter((text) => !saysNothing(text))
      .map((text) => `${key}: ${text.slice(0, 200)}`)
  })
}
