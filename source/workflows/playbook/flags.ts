import { Problem } from '../../problem.js'
import { type FlagTable, type GivenFlags, typedFlag } from '../flags.js'

// Flags of a run over a roadmap (docs/playbook.md, "Flags").

export const playbookFlagTable: FlagTable = {
  complete: { type: 'boolean', about: 'all outstanding phases; a failure drops only what depends on it' },
  lenient: { type: 'boolean', about: 'a phase passes from 7.0 on, without remediation' },
  quality: { type: 'boolean', about: 'a phase passes from 9.5 on, with up to 3 remediation cycles' },
  gaps: { type: 'boolean', about: 'completed phases: one deficiency at a time, up to 5' },
  force: { type: 'boolean', about: 'completed phases again from the beginning; commits are kept' },
  discuss: { type: 'boolean', about: 'first talk about each phase, question by question' },
  map: { type: 'boolean', about: 'first look what is missing to know; alone, nothing else' },
  visual: { type: 'boolean', about: 'look at the pages that the project names in a browser' },
  checkpointEvery: { type: 'string', value: '<n>', about: 'ask whether to go on after this many phases' },
  sequential: { type: 'boolean', about: 'one phase after the other, as always' },
}

const meanings: Readonly<Record<string, string>> = {
  complete: '--complete runs all outstanding phases',
  quality: '--quality raises phases to 9.5',
  gaps: '--gaps works on single deficiencies of completed phases',
  force: '--force runs completed phases again from the beginning',
  map: '--map only asks what is missing to know',
}

/** Pairs that mean different runs, in the order in which they are told. */
const forbidden: readonly [string, string, string][] = [
  [
    'force',
    'complete',
    'Use --complete for what is outstanding, and --force with phases to run those again.',
  ],
  ['force', 'quality', 'Use --quality to raise a phase, or --force to begin it anew.'],
  ['force', 'gaps', 'Use --gaps to close what is missing, or --force to begin the phase anew.'],
  ['force', 'map', 'Use --map first, and --force in a run of its own.'],
  ['gaps', 'complete', 'Use --complete first; --gaps works on phases that are completed.'],
  ['gaps', 'quality', 'Use --quality to raise a phase as a whole, or --gaps for one deficiency at a time.'],
]

const excluded = (given: GivenFlags) =>
  forbidden.filter(([one, other]) => given[one] === true && given[other] === true)

/** The first two flags, as they are typed, that exclude each other. */
export function excludedPair(given: GivenFlags): [string, string] | undefined {
  const [pair] = excluded(given)
  return pair && [typedFlag(pair[0]), typedFlag(pair[1])]
}

/** Throws a Problem ('usage') for flags that cannot be combined, and for a number that is none. */
export function checkPlaybookFlags(given: GivenFlags): void {
  for (const [one, other, todo] of excluded(given)) {
    throw new Problem({
      code: 'usage',
      what: `Error: ${typedFlag(one)} and ${typedFlag(other)} cannot be combined.`,
      why: `${meanings[one]}; ${meanings[other]}.`,
      todo,
    })
  }
  const every = given.checkpointEvery
  if (every === undefined || (typeof every === 'string' && /^[1-9]\d{0,3}$/.test(every))) return
  throw new Problem({
    code: 'usage',
    what: `Error: --checkpoint-every ${String(every)} is not a number of phases.`,
    why: 'The run asks whether to go on after that many finished phases.',
    todo: 'Give a whole number from 1 on, such as --checkpoint-every 3.',
  })
}

export interface PlaybookFlags {
  complete: boolean
  lenient: boolean
  quality: boolean
  gaps: boolean
  force: boolean
  discuss: boolean
  map: boolean
  visual: boolean
  /** Undefined: never asked. */
  checkpointEvery: number | undefined
}

/** Flags as they were typed, and as the state keeps them. */
export function playbookFlags(given: Readonly<Record<string, unknown>>): PlaybookFlags {
  const on = (name: string) => given[name] === true
  const every = Number(given.checkpointEvery)
  return {
    complete: on('complete'),
    lenient: on('lenient'),
    quality: on('quality'),
    gaps: on('gaps'),
    force: on('force'),
    discuss: on('discuss'),
    map: on('map'),
    visual: on('visual'),
    checkpointEvery: Number.isInteger(every) && every > 0 ? every : undefined,
  }
}

/** The score from which a phase passes: quality goes before lenient. */
export function passThreshold({ quality, lenient }: Pick<PlaybookFlags, 'quality' | 'lenient'>): number {
  if (quality) return 9.5
  return lenient ? 7 : 9
}
