import type { AuditResult } from '../results.js'

// What is done about what the audit of a finished run found missing. Pure.

export type Gap = AuditResult['gaps'][number]

/** Fewer lines than that, in one file, are closed on the spot. */
const smallLines = 20
/** Audits after the first one. */
export const mostReAudits = 2

/** A gap that is closed on the spot; a larger one is work for an executor. */
export function isSmall({ files, lines }: Gap): boolean {
  return files.length <= 1 && lines < smallLines
}

export interface AuditRound {
  gaps: readonly Gap[]
}

export type AuditNext =
  | { next: 'done' }
  | { next: 'close'; small: Gap[]; large: Gap[] }
  /** Nothing more is tried; these are told. */
  | { next: 'left'; gaps: Gap[] }

/** What follows from the audits so far, the newest last. Closing that changed nothing is not tried again. */
export function afterAudit(rounds: readonly AuditRound[]): AuditNext {
  const last = rounds.at(-1)
  if (last === undefined || last.gaps.length === 0) return { next: 'done' }
  const gaps = [...last.gaps]
  const before = rounds.at(-2)
  const isSame = before !== undefined && keyOf(before) === keyOf(last)
  if (rounds.length > mostReAudits || isSame) return { next: 'left', gaps }
  return { next: 'close', small: gaps.filter(isSmall), large: gaps.filter((gap) => !isSmall(gap)) }
}

function keyOf({ gaps }: AuditRound): string {
  return gaps
    .map(({ requirement, description }) => `${requirement}\n${description}`)
    .sort()
    .join('\n\n')
}

/** Requirements of the first audit that no later one misses any more. */
export function closedRequirements(rounds: readonly AuditRound[]): string[] {
  const open = new Set((rounds.at(-1)?.gaps ?? []).map(({ requirement }) => requirement))
  const ever = rounds.flatMap(({ gaps }) => gaps.map(({ requirement }) => requirement))
  return [...new Set(ever)].filter((requirement) => !open.has(requirement))
}
