import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Job } from '../agent/job.js'
import type { Liar, Persona, State } from '../case.js'

// Things in the place of files that the program reads next: what blocks, what never ends, what leads elsewhere.

type Kind = 'fifo' | 'directory' | 'sparse' | 'link'

const inWords: Record<Kind, string> = {
  fifo: 'a FIFO',
  directory: 'a directory',
  sparse: 'a file of 8 GB',
  link: 'a link out of the project',
}

function trap(job: Job, kind: Kind, path: string): void {
  const file = job.path(path)
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { recursive: true, force: true })
  if (kind === 'fifo') job.run('mkfifo', file)
  if (kind === 'directory') mkdirSync(file)
  if (kind === 'sparse') {
    const open = openSync(file, 'w')
    ftruncateSync(open, 8 * 1024 ** 3)
    closeSync(open)
  }
  if (kind === 'link') symlinkSync(`${job.folder}/elsewhere`, file)
}

interface Place {
  persona: Persona
  during: State
  path(job: Job): string
  names: RegExp
}

const places: Record<string, Place> = {
  handoff: {
    persona: 'executor',
    during: 'EXECUTE',
    path: (job) => job.dispatch.handoffPath,
    names: /handoff/i,
  },
  'task-state': {
    persona: 'executor',
    during: 'EXECUTE',
    path: (job) => job.dispatch.statePath,
    names: /state\.json/i,
  },
  state: {
    persona: 'executor',
    during: 'EXECUTE',
    path: (job) => `${job.dispatch.sessionDir}/autopilot-state.json`,
    names: /autopilot-state\.json/i,
  },
  plan: { persona: 'planner', during: 'PLAN', path: (job) => job.planPath, names: /plan/i },
  'approved-plan': {
    persona: 'executor',
    during: 'EXECUTE',
    path: (job) => job.planPath,
    names: /plan\.md/i,
  },
  spec: {
    persona: 'executor',
    during: 'EXECUTE',
    path: (job) => job.dispatch.specPath,
    names: /proposal\.md/i,
  },
  review: {
    persona: 'reviewer',
    during: 'REVIEW',
    path: (job) => `${job.dispatch.sessionDir}/phase-1-review.json`,
    names: /review/i,
  },
}

function trapped(kind: Kind, name: string): Liar {
  const place = places[name] as Place
  return {
    name: `${kind}-${name}`,
    does: `puts ${inWords[kind]} in the place of ${name.replace('-', ' ')}`,
    persona: place.persona,
    during: place.during,
    gates: ['Q-TOUCHED', 'Q-AGENT', 'Q-PLAN-FILE', 'Q-EDITED', 'Q-FILE'],
    names: place.names,
    prepare: (world) => writeFile(`${world.folder}/elsewhere`, '# Elsewhere\n'),
    acts: {
      [place.persona]: (job: Job) => {
        const result = job.honest()
        job.lie(() => trap(job, kind, place.path(job)))
        return result
      },
    },
    // A confined agent has only a copy of what is in the session.
    reached: async (world) => {
      const inSession = name === 'state' || name === 'review'
      return (
        !inSession ||
        (await world.look(
          `.harness/sessions/changes--scales--proposal/${name === 'state' ? 'autopilot-state' : 'phase-1-review'}.json`,
        )) === 'no file'
      )
    },
  }
}

function quitting(kind: Kind, name: string): Liar {
  return { ...trapped(kind, name), name: `q-at-${kind}-${name}`, quits: true }
}

export const traps: Liar[] = [
  trapped('fifo', 'handoff'),
  trapped('fifo', 'task-state'),
  trapped('fifo', 'state'),
  trapped('fifo', 'plan'),
  trapped('fifo', 'approved-plan'),
  trapped('fifo', 'spec'),
  trapped('fifo', 'review'),
  trapped('directory', 'handoff'),
  trapped('directory', 'plan'),
  trapped('sparse', 'task-state'),
  trapped('sparse', 'review'),
  trapped('link', 'approved-plan'),
  trapped('link', 'spec'),
  trapped('link', 'handoff'),
  quitting('fifo', 'handoff'),
  quitting('fifo', 'plan'),
]
