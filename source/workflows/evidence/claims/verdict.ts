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
  /^[\s>*•–\-[\]()`]{0,20}(?:(?:[✗✘❌⛔]|\u{1F534})\s{0,4}|(?:FAIL(?:ED|URES?|ING)?|NOT (?:MET|DONE|VERIFIED|IMPLEMENTED|WORKING)|MISSING|GAPS?|BROKEN|UNMET|INCOMPLETE|BLOCK(?:ER|ING))\b[\s*\])`]{0,6}(?:[:—–]|-\s)\s{0,4})(\S.*)/iu
const countedNothing = /^(?:0|no|none|nothing|zero)\b|^n\/?a\b|^[-–—]+\s*$/i

/**
 * Entries of the evidence of a pass that say themselves that something does not hold: `FAIL: ..`, `Missing: ..`, `❌ ..`. What is told
 * of failures on the way, in a sentence, is none. Linear.
 */
export function failuresIn(evidence: readonly string[]): string[] {
  return evidence
    .flatMap((entry) => entry.slice(0, 4_000).split('\n'))
    .filter((line) => {
      const what = failureFirst.exec(line)?.[1]
      return what !== undefined && !countedNothing.test(what) && !saysNothing(what)
    })
    .map((line) => line.trim().slice(0, 200))
}

const documents =
  /\.(?:mdx?|markdown|txt|rst|adoc|asciidoc|org|tex|textile|csv|png|jpe?g|gif|svg|webp|ico|pdf|drawio|puml|mmd)$|(?:^|\/)(?:LICEN[CS]E|NOTICE|AUTHORS|CODEOWNERS)$/i

/** Whether all of these paths are documents. */
export const areDocuments = (paths: readonly string[]): boolean => paths.every((path) => documents.test(path))

const agreed = new Set([
  'approve',
  'approved',
  'approves',
  'comment',
  'commented',
  'comments',
  'lgtm',
  'pass',
])

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
  if (word === '' || agreed.has(word.toLowerCase())) return undefined
  const known = /^request(?:ed|s)?[\s_-]*changes?$/i.test(word)
  return known
    ? `The reviewer requests changes (${word}) and names no finding that blocks.`
    : `The reviewer's assessment is "${word}", which is no word that opens anything.`
}
