// What the own words of a verifier and of a reviewer come to (docs/evidence.md, "Claims"). Pure.

export type Verdict = 'pass' | 'fail' | 'incomplete'

export interface VerdictFacts {
  verdict: Verdict
  gaps: readonly string[]
  /** Commands that it ran; undefined where its backend does not report tools. */
  commands?: number
  /** Outcome of our own test run, where there was one. */
  tests?: 'passed' | 'failed' | 'none' | 'cannot-run'
}

export interface JudgedVerdict {
  verdict: Verdict
  /** Why it is not what was said; empty where it is. */
  why: string[]
  /** An independent agent looked at it: a pass that only our tests carry is none. */
  verified: boolean
}

/** A pass has no gaps and has run something; where nothing was run, our own tests decide. */
export function judgeVerdict({ verdict, gaps, commands, tests }: VerdictFacts): JudgedVerdict {
  if (verdict !== 'pass') return { verdict, why: [], verified: false }
  if (gaps.length > 0) {
    return { verdict: 'incomplete', why: ['The verdict is pass, but it lists gaps.'], verified: false }
  }
  if (commands !== 0) return { verdict, why: [], verified: true }
  if (tests === 'passed') return { verdict, why: [], verified: false }
  return {
    verdict: 'incomplete',
    why: ['The verdict is pass, but the verifier ran no command, and no test run of ours shows it.'],
    verified: false,
  }
}

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
