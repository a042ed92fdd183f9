import { Problem } from '../../problem.js'
import type { FlagTable, GivenFlags } from '../flags.js'

export const harnessFlagTable: FlagTable = {
  fast: { type: 'boolean', about: 'less rigor: plans are approved by themselves, validate command only' },
  thorough: { type: 'boolean', about: 'more rigor: outlines and plans are always approved by you' },
  reviewPlans: { type: 'boolean', about: 'every plan is approved by you' },
}

export interface HarnessFlags {
  fast: boolean
  thorough: boolean
  reviewPlans: boolean
}

/** Throws a Problem ('usage') for both levels at once. */
export function checkHarnessFlags(given: GivenFlags): void {
  if (given.fast !== true || given.thorough !== true) return
  throw new Problem({
    code: 'usage',
    what: 'Cannot use --fast and --thorough together. Choose one.',
    why: 'They are opposite rigor levels, and a session keeps the one it begins with.',
    todo: 'Start again with one of them, or with neither for the standard level.',
  })
}

/** The flags in force: the level of the configuration counts where no flag names one. */
export function harnessFlags(given: GivenFlags, rigor: string | undefined): HarnessFlags {
  const fast = given.fast === true
  const thorough = given.thorough === true
  const named = fast || thorough || rigor === undefined
  return {
    fast: named ? fast : rigor === 'fast',
    thorough: named ? thorough : rigor === 'thorough',
    reviewPlans: given.reviewPlans === true,
  }
}
