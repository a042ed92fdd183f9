import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { JournalRecord } from '../../source/ledger/journal.js'
import { agentsGone, copyProject, doubled, outcomeOf, records, start, type Workshop } from './crash-run.js'

// SIGKILL at lines of the journal of a run; each next process resumes and is killed some lines further, so that a run is
// broken off many times. AUTOPILOT_CRASH_EVERY=1: at every line, and a copy from each (many times as long).

export interface Subject {
  workshop: Workshop
  /** Holds the project of the undisturbed run, in `undisturbed`. */
  root: string
  /** What the undisturbed run came to. */
  expected: Record<string, unknown>
  create(dir: string): Promise<void>
  /** Where the journal of a project lies, and what its run came to; those of the harness by default. */
  journal?(dir: string): string
  outcome?(dir: string): Promise<Record<string, unknown>>
  /** Types of lines that are always killed after, and from each of which a copy goes on; some of its own by default. */
  telling?: readonly JournalRecord['type'][]
  /** State behind which another run begins: what is killed there has ended, and its start asks for the next. */
  over?: string
  /** What else must not have happened, one line for each thing that did. */
  wrongIn?(all: readonly JournalRecord[]): string[]
}

/** Each k-th line is killed at, and from each k-th kill a copy goes on to the end undisturbed. */
const every = Number(process.env.AUTOPILOT_CRASH_EVERY ?? 15)

/** Lines after which is always killed: what must happen once hangs on them. */
const telling: readonly JournalRecord['type'][] = ['intent', 'answered']

/** At most this many copies run to their end at once. */
const parallel = 2

const recordsOf = ({ journal }: Subject, dir: string) => records(dir, journal?.(dir))
const outcomeIn = ({ outcome, workshop }: Subject, dir: string) => outcome?.(dir) ?? outcomeOf(workshop, dir)

/** After every line; from each a copy may go on, and the same comes of all. */
export async function killedAfterEveryLine(subject: Subject): Promise<void> {
  const { root, expected } = subject
  const dir = join(root, 'after')
  await subject.create(dir)
  const failures: string[] = []
  const copies = new Set<Promise<void>>()
  const killed = await untilTheEnd(subject, dir, 'after', async (count) => {
    const last = (await recordsOf(subject, dir)).at(-1)
    const tells = last !== undefined && (subject.telling ?? []).includes(last.type)
    if ((count % every !== 0 && !tells) || hasWorkTrees(dir)) return
    const copy = join(root, `copy-${count}`)
    await copyProject(dir, copy)
    const point = `line ${count}, ${last?.type} ${JSON.stringify(last).slice(0, 300)}`
    const task: Promise<void> = goOn(subject, copy, point)
      .then((wrong) => void failures.push(...wrong))
      .catch((error: unknown) => void failures.push(`line ${count}: ${String(error)}`))
      .finally(() => copies.delete(task))
    copies.add(task)
    if (copies.size >= parallel) await Promise.race(copies)
  })
  await Promise.all(copies)
  expect(failures).toEqual([])
  await sameInTheEnd(subject, dir)
  expect(await outcomeIn(subject, dir)).toEqual(expected)
  await oftenEnough(subject, killed)
}

/** Those of a copy would still be those of the original, by their paths. */
const hasWorkTrees = (dir: string) => existsSync(join(dir, '.git/worktrees'))

/** In the middle of every line. */
export async function killedInEveryLine(subject: Subject): Promise<void> {
  const { root, expected } = subject
  const dir = join(root, 'half')
  await subject.create(dir)
  const killed = await untilTheEnd(subject, dir, 'half', async () => undefined)
  await sameInTheEnd(subject, dir)
  expect(await outcomeIn(subject, dir)).toEqual(expected)
  await oftenEnough(subject, killed)
}

/** As often as the lines of the undisturbed run ask for. */
async function oftenEnough(subject: Subject, killed: number): Promise<void> {
  const lines = (await recordsOf(subject, join(subject.root, 'undisturbed'))).length
  expect(killed).toBeGreaterThanOrEqual(Math.floor(lines / every))
}

async function sameInTheEnd(subject: Subject, dir: string): Promise<void> {
  const all = await recordsOf(subject, dir)
  expect([...doubled(all), ...(subject.wrongIn?.(all) ?? [])]).toEqual([])
}

/** Kills and resumes until the run has come to its end; how often it was killed. */
async function untilTheEnd(
  { workshop, root, journal, over, telling: always = telling }: Subject,
  dir: string,
  mode: 'after' | 'half',
  then: (count: number) => Promise<void>,
): Promise<number> {
  const kills = { marks: join(root, `${mode}.marks`), modes: mode, every, always, before: over }
  for (let killed = 0; ; killed += 1) {
    const ended = await start(workshop, dir, kills)
    if (ended.signal !== 'SIGKILL') {
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      return killed
    }
    await agentsGone(dir, journal?.(dir))
    await then(killed + 1)
  }
}

async function goOn(subject: Subject, copy: string, point: string): Promise<string[]> {
  const { workshop, expected, wrongIn } = subject
  const ended = await start(workshop, copy)
  const all = await recordsOf(subject, copy)
  const wrong =
    ended.code === 0
      ? [...doubled(all), ...(wrongIn?.(all) ?? []), ...differences(expected, await outcomeIn(subject, copy))]
      : [`ended with ${ended.code ?? ended.signal}: ${ended.stderr}`]
  await rm(copy, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  return wrong.map((line) => `after ${point}: ${line}`)
}

/** The parts of an outcome that are not as in the undisturbed run. */
function differences(expected: Record<string, unknown>, outcome: Record<string, unknown>): string[] {
  return Object.keys(expected).flatMap((part) => {
    const found = JSON.stringify(outcome[part])
    const wanted = JSON.stringify(expected[part])
    return found === wanted ? [] : [`${part} is ${found} instead of ${wanted}`]
  })
}
