import type { StateName } from './state.js'

/** Something that only a person can decide. The state holds the cautious answer until then. */
export type MigrationAsk =
  /** No base commit is known, so the final diff has no start. `startingCommit` stays null; `suggested` is HEAD. */
  | { kind: 'base-commit'; suggested: string | null }
  /** The file says that all is over while phases are open: their 0-based places. */
  | { kind: 'open-phases-but-complete'; open: number[] }
  /** A state that nobody knows; `suggested` is the state that is used until then. */
  | { kind: 'unknown-state'; found: string; suggested: StateName }
  /** Upstream's last state, after the final review: DONE once a person confirms it, else FINAL_REVIEW. */
  | { kind: 'outcome-eval'; suggested: 'DONE' }

/** The question behind an ask, in one line. */
export function askLine(ask: MigrationAsk): string {
  switch (ask.kind) {
    case 'base-commit':
      return `You will be asked for the commit that the work started from${ask.suggested === null ? '' : ` (HEAD is ${ask.suggested})`}.`
    case 'open-phases-but-complete':
      return `You will be asked how to go on: the file says that all is over, but phases ${ask.open.map((index) => index + 1).join(', ')} are open.`
    case 'unknown-state':
      return `You will be asked where to go on, at ${ask.suggested} or elsewhere.`
    case 'outcome-eval':
      return 'You will be asked to confirm that the session is done.'
  }
}
