import type { Difference, DifferenceKind } from '../../project/snapshot/difference.js'
import { bitsRule, fileRule, grownRule, hiddenRule, ignoredRule, indexRule } from './judging/files.js'
import { protectedRule, recordRule } from './judging/places.js'
import { refRule, stashRule } from './judging/refs.js'
import { asked, type JudgeFacts, type Rule, shownName, type Verdict } from './judging/verdict.js'

// What a dispatch has changed, held against its contract (docs/evidence.md, "What is compared"). Pure: whatever has to be
// read for it is handed in.

/** One thing that somebody has to know of. */
export interface Finding {
  /** A path, a ref, the key of a setting. */
  name: string
  change: Difference['change'] | 'committed'
  why: string
  by: 'agent' | 'either'
  /** Noted only, and not left in the project. */
  putAway?: true
  /** What would be put back; absent where nothing can be. */
  difference?: Difference
}

export interface Judgement {
  noted: Finding[]
  asked: Finding[]
}

/** Everything that is not allowed: to be noted, or to be asked about. */
export function judge(differences: readonly Difference[], facts: JudgeFacts): Judgement {
  const judgement: Judgement = { noted: [], asked: [] }
  for (const difference of differences) {
    const verdict = verdictOn(difference, facts)
    if (verdict.kind === 'allowed') continue
    const { change } = difference
    const by = verdict.kind === 'asked' ? verdict.by : 'agent'
    const away = verdict.kind === 'noted' && verdict.putAway ? { putAway: true as const } : {}
    const finding: Finding = {
      name: shownName(difference),
      change,
      why: verdict.why,
      by,
      ...away,
      difference,
    }
    judgement[verdict.kind].push(finding)
  }
  return judgement
}

export function verdictOn(difference: Difference, facts: JudgeFacts): Verdict {
  return grownRule(difference, facts) ?? rules[difference.kind](difference, facts)
}

const rules: Record<DifferenceKind, Rule> = {
  file: fileRule,
  index: indexRule,
  bits: bitsRule,
  ignored: ignoredRule,
  hidden: hiddenRule,
  ref: refRule,
  stash: stashRule,
  config: () => asked('a setting of git that executes, includes, redirects, hides or signs'),
  protected: protectedRule,
  record: recordRule,
}
