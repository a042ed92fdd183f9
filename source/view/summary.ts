import * as z from 'zod/mini'

// What lists, `status`, the start screen and the last page need of a session. What a workflow says of its state is
// kept in a file, so it is checked when it is read; zod/mini, since `status` may load nothing heavier.

const text = z.string()
const count = z.number()

export const usageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  usd: z.optional(count),
})

const factSchema = z.object({
  text,
  tone: z.enum(['plain', 'good', 'warn', 'bad', 'quiet']),
})

const facts = z.array(factSchema)

const phaseSchema = z.object({
  id: text,
  /** Its place, from 1. */
  number: count,
  name: text,
  status: text,
  facts,
  /** Of workflows that know it. */
  complexity: z.optional(text),
  /** Of workflows that know them: the tasks of a phase that was worked on. */
  tasks: z.optional(z.array(z.object({ id: text, facts }))),
  /** What a person overrode, skipped or accepted in it. */
  letPass: z.optional(z.array(text)),
})

/** What a state says of itself. */
export const stateSummarySchema = z.object({
  /** Repo-relative path that the session is about. */
  subject: text,
  title: z.optional(text),
  state: text,
  /** What one of `phases` is called. Default: `phase`. */
  phaseWord: z.optional(text),
  /** The phase in work. */
  phase: z.nullable(
    z.object({
      id: text,
      /** Its place from 1. */
      number: count,
      /** What its source calls it, where that is not its place. */
      label: z.optional(text),
      name: text,
      total: count,
    }),
  ),
  progress: z.object({
    phasesComplete: count,
    phasesTotal: count,
    tasksComplete: count,
    tasksTotal: count,
  }),
  facts,
  /** How strict the run is, in the workflow's own word, if it has one. */
  rigor: z.nullable(text),
  phases: z.array(phaseSchema),
  /** Of workflows that have one: where it stands, line by line, as it is shown on every entry. */
  report: z.optional(z.array(text)),
})

export type StateSummary = z.infer<typeof stateSummarySchema>

/** An open question, as lists tell it. */
export interface SummaryQuestion {
  id: string
  gate: string
  title: string
  body: readonly string[]
  options: { value: string; label: string; consequence: string }[]
  askedAt: string
}

/** What lists need of a session: what its state says, and what its journal comes to. */
export interface SessionSummary extends Omit<StateSummary, 'state' | 'phases'> {
  /** Its slug. */
  session: string
  workflow: string
  /** INIT before the first state was saved; null when the state cannot be read. */
  state: string | null
  question: SummaryQuestion | null
  finished: boolean
  /** Tokens and cost of all agents so far, those that were stopped included. */
  usage: z.infer<typeof usageSchema>
  /** The phases with what each has used. */
  phases: (StateSummary['phases'][number] & { usage: z.infer<typeof usageSchema> })[]
  /** The `--agent` that the session was last run with, if any. */
  agent: string | null
  /** ISO time of the last change. */
  lastActive: string
  /** Why the state cannot be read, if so. */
  problem?: string
  /** Why its journal is not taken as it is when the session is opened, if so. */
  journal?: string
}

/** What a state said when it was saved; undefined where it is not what this version keeps. */
export function readStateSummary(value: unknown): StateSummary | undefined {
  const read = stateSummarySchema.safeParse(value)
  return read.success ? read.data : undefined
}

/**
 * The phase in work as people read it: `2 of 4: Rules`, or, where its source calls it otherwise than by its place,
 * `3 (2 of 4): Rules`. A place is never written as if it were a name.
 */
export function phaseInWork({ number, label, name, total }: NonNullable<StateSummary['phase']>): string {
  const place = `${number} of ${total}`
  return `${label === undefined ? place : `${label} (${place})`}: ${name}`
}
