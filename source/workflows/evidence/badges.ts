import type { Fact } from '../../view/facts.js'

// How much is known of a task or a phase, weakest first (docs/evidence.md, "Badges"). A badge is never set by the party
// that it speaks about.

export const badges = ['claimed', 'shown', 'tested', 'verified', 'approved'] as const

/**
 * `claimed`: an agent says so. `shown`: git shows it. `tested`: our run of the tests passed. `verified`: an independent
 * agent passed it. `approved`: a person did.
 */
export type Badge = (typeof badges)[number]

const tones: Record<Badge, Fact['tone']> = {
  claimed: 'warn',
  shown: 'plain',
  tested: 'good',
  verified: 'good',
  approved: 'good',
}

/** Without repetitions, weakest first; `claimed` is told only where nothing shows the work. */
export function tidyBadges(found: readonly Badge[]): Badge[] {
  const all = badges.filter((badge) => found.includes(badge))
  return all.length > 1 ? all.filter((badge) => badge !== 'claimed') : all
}

export function badgeFacts(found: readonly Badge[]): Fact[] {
  return tidyBadges(found).map((badge) => ({ text: badge, tone: tones[badge] }))
}
