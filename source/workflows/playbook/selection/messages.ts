import { comparePhaseIds } from '../../../documents/playbook-id.js'
import { Problem } from '../../../problem.js'

// What a person is told whose selector names nothing that can run.

const available = (ids: readonly string[]) => `Available phases: ${[...ids].sort(comparePhaseIds).join(', ')}`

export function invalidPhase(value: string, ids: readonly string[]): Problem {
  return new Problem({
    code: 'usage',
    what: `Error: '${value}' is not a valid phase number.`,
    why: available(ids),
    todo: 'Name phases as 3, 2.1, 3-7 or 3,5,8, or say all, next, resume or status.',
  })
}

export function unknownPhase(id: string, ids: readonly string[]): Problem {
  return new Problem({
    code: 'usage',
    what: `Error: Phase ${id} not found in roadmap.`,
    why: available(ids),
    todo: 'Name one of them, or write the phase into the roadmap first.',
  })
}

export function wrongRange(from: string, to: string, ids: readonly string[]): Problem {
  return new Problem({
    code: 'usage',
    what: `Error: '${from}-${to}' is not a valid phase number.`,
    why: `A range goes from the lower phase to the higher one. ${available(ids)}`,
    todo: `Start again with ${to}-${from}.`,
  })
}

export function notCompleted(flag: 'force' | 'gaps', id: string, status: string): Problem {
  const what = flag === 'force' ? 'runs completed phases again' : 'closes gaps of completed phases'
  return new Problem({
    code: 'usage',
    what: `Error: Phase ${id} is ${status.replaceAll('_', ' ')}, not completed.`,
    why: `--${flag} ${what}, and this one has no result to start from.`,
    todo: `Run it first: autopilot .planning ${id}`,
  })
}

/** `unread`: what is told of lines that look like phases. */
export function noPhases(path: string, unread: readonly string[] = []): Problem {
  return new Problem({
    code: 'usage',
    what: [`${path} has no phase that can be read.`, ...unread.slice(0, 3)].join(' '),
    why: 'The run works through the phases of a roadmap, so there is nothing to do.',
    todo: 'Write each phase as a heading, such as `### Phase 1: Name`, and start again.',
  })
}

export function cyclicPhases(path: string, cycle: readonly string[]): Problem {
  return new Problem({
    code: 'usage',
    what: `Phases of ${path} depend on each other in a circle: ${cycle.join(' -> ')}.`,
    why: 'None of them could ever begin.',
    todo: 'Correct `Depends on` of one of them, and start again.',
  })
}

export function malformedRoadmap(path: string): Problem {
  return new Problem({
    code: 'usage',
    what: `malformed_roadmap: the phases of ${path} stand only in a list.`,
    why: 'Without a section of its own a phase has no goal and no criteria, so nobody could tell when it is done.',
    todo: 'Write a section for each phase, such as `### Phase 1: Name` with a goal and success criteria.',
  })
}

export function noRoadmap(paths: readonly string[]): Problem {
  return new Problem({
    code: 'usage',
    what: `There is no ${paths.join(' and no ')}.`,
    why: 'The run works through the phases of a roadmap.',
    todo: 'Write a roadmap first, or name the spec of another workflow.',
  })
}

/** `resume` goes on with a run as it was begun, so it takes no other flags. */
export function otherThanResumed(typed: readonly string[]): Problem {
  return new Problem({
    code: 'usage',
    what: `The run that is under way was not begun with ${typed.join(' ')}.`,
    why: 'resume goes on with it exactly as it was begun, so what you typed would be left out.',
    todo: 'Leave that out, or leave out resume: then you are asked which run is meant.',
  })
}

/** `last`: id of the newest run that is over, where there is one. */
export function nothingToResume(last: string | undefined): Problem {
  const todo = 'Start one: autopilot .planning all'
  if (last !== undefined)
    return new Problem({
      code: 'usage',
      what: `The last run is already finished: ${last}.`,
      why: 'resume goes on with a run that was stopped, and that one has come to its end.',
      todo,
    })
  return new Problem({
    code: 'usage',
    what: 'No run found.',
    why: 'resume goes on with a run that was stopped, and there is none in this project.',
    todo,
  })
}

/** What a flag has found nothing for, where no phase was named. */
const foundNothing = {
  gaps: ['No completed phase is below 9.5.', '--gaps closes gaps of completed phases'],
  force: ['No phase is completed.', '--force runs completed phases again from the beginning'],
  quality: ['No phase is outstanding, and none is below 9.5.', '--quality raises phases to 9.5'],
} as const

/** `flags`: those of the run, where they say which phases it is about. */
export function nothingToRun(
  completed: readonly string[],
  flags: Partial<Record<keyof typeof foundNothing, boolean>> = {},
): Problem {
  const flag = (['gaps', 'force', 'quality'] as const).find((name) => flags[name] === true)
  if (flag !== undefined && completed.length === 0)
    return new Problem({
      code: 'usage',
      what: foundNothing[flag][0],
      why: `${foundNothing[flag][1]}, so there is nothing to do.`,
      todo: 'See how far each phase is with autopilot .planning status, and name the phases that are meant.',
    })
  const which =
    completed.length === 0 ? 'No phase is outstanding.' : `Already completed: ${completed.join(', ')}.`
  return new Problem({
    code: 'usage',
    what: which,
    why: 'Completed phases are not run again by themselves, so there is nothing to do.',
    todo: 'Use --quality or --gaps to raise a completed phase, or --force to begin it anew.',
  })
}
