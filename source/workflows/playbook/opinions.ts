import type { ProjectChecks } from './checks.js'
import type { CriterionOutcome } from './criteria/run-criterion.js'
import type { TestSpecOutcome } from './criteria/test-spec.js'
import type { CommandReport } from './orders/fields.js'
import type { Band, DivergenceResult, RatingResult, VerificationResult, VisualResult } from './results.js'
import type { CommandsTold } from './send.js'
import type { CheckOutcome } from './state/schema.js'

// What is thought of a phase once it was looked at: by our own commands, and by those who verify, judge and rate it.

export interface AutomatedChecks {
  compile: CheckOutcome
  build: CheckOutcome
  lint: CheckOutcome
  test: CheckOutcome
}

/** What is wrong with the files that the phase changed, as lines. */
export interface FileFindings {
  /** `ORPHANED FILE: {path}` */
  orphans: string[]
  faults: string[]
}

/** What our own commands and the verifier found. */
export interface Verified {
  passed: boolean
  checks: ProjectChecks
  automated: AutomatedChecks
  criteria: CriterionOutcome[]
  specs: TestSpecOutcome[]
  files: FileFindings
  /** Everything that was run, for those who look after it. */
  reports: CommandReport[]
  /** What is red, in words. */
  failures: string[]
  failing: CommandReport[]
  result: VerificationResult
  /** Evidence of the verifier that names files and lines, none of which is there. */
  unfounded: string[]
  /** What the screens looked like; absent where nobody looked. */
  visual?: VisualResult
  seconds: number
  /** What the program of the verifier tells of the commands that it ran. */
  told: CommandsTold
}

export interface Scorecard {
  rows: { id: string; criterion: string; score: number; evidence: string; justification: string }[]
  /** Mean of the rows, cut to one decimal. */
  score: number
  band: Band
  /** Criteria that the card says nothing of. */
  missing: string[]
  /** Rated high, with nothing that anybody could look up. */
  unplaced: string[]
  warnings: string[]
}

export interface Rated {
  card: Scorecard
  result: RatingResult
}

/** The last look at a phase: what was verified, judged and rated. */
export interface Opinions {
  verified: Verified
  judged: DivergenceResult
  rated: Rated
  /** Null where nothing that could be rated was done. */
  score: number | null
}
