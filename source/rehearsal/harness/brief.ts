import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

export type Expects = 'plan' | 'execution' | 'verification' | 'review'

/** A finding or gap that a fix dispatch is to mend. */
export interface FindingToFix {
  file: string
  title: string
  rationale: string
}

/**
 * The dispatch file of the command backend (docs/agents.md, "The command agent"), as far as the rehearsal agent
 * uses it.
 */
export interface Brief {
  id: string
  workflow: string
  persona: string
  attempt: number
  /** Absolute. */
  projectDir: string
  sessionDir: string
  slug: string
  rigor: string
  phase: { number: number; name: string; description: string; total: number }
  specPath: string
  planPath?: string | undefined
  statePath?: string | undefined
  handoffPath?: string | undefined
  scratchpadDir?: string | undefined
  checkpointAnswer?: { type: string; task: string; answer: string; note?: string | undefined } | undefined
  retry?: { task: string; attempt: number } | undefined
  findings: FindingToFix[]
  diffBase?: string | undefined
  note?: string | undefined
  /** Thorough: before its outline is approved, a plan is not written. */
  skeletonOnly: boolean
  expects: Expects
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const text = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)
const optional = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
const whole = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isInteger(value) ? value : otherwise

const expectations: readonly Expects[] = ['plan', 'execution', 'verification', 'review']

/** What a persona delivers when the dispatch does not say it. */
function expectedOf(fields: Fields, persona: string): Expects {
  const named = expectations.find((name) => name === fields.expects)
  if (named) return named
  if (persona.includes('plan')) return 'plan'
  if (persona.includes('verif')) return 'verification'
  if (persona.includes('review')) return 'review'
  return 'execution'
}

function findingOf(value: unknown): FindingToFix {
  if (typeof value === 'string') return { file: '', title: value, rationale: '' }
  const fields = fieldsOf(value)
  return { file: text(fields.file), title: text(fields.title, 'Finding'), rationale: text(fields.rationale) }
}

function answerOf(value: unknown): Brief['checkpointAnswer'] {
  if (!isFields(value)) return undefined
  return {
    type: text(value.type),
    task: text(value.task),
    answer: text(value.answer),
    note: optional(value.note),
  }
}

function retryOf(value: unknown): Brief['retry'] {
  return isFields(value) ? { task: text(value.task), attempt: whole(value.attempt, 1) } : undefined
}

/** Reads a parsed dispatch file. `persona` comes from the environment and wins. */
export function briefOf(value: unknown, cwd: string, persona = ''): Brief {
  const fields = fieldsOf(value)
  const phase = fieldsOf(fields.phase)
  const role = persona || text(fields.persona, 'harness-task-executor')
  return {
    id: text(fields.id, 'rehearsal'),
    workflow: text(fields.workflow, 'harness'),
    persona: role,
    attempt: whole(fields.attempt, 1),
    projectDir: resolve(cwd, text(fields.projectDir, '.')),
    sessionDir: text(fields.sessionDir, '.harness'),
    slug: text(fields.slug),
    rigor: text(fields.rigor, 'standard'),
    phase: {
      number: whole(phase.number, 1),
      name: text(phase.name, 'The work'),
      description: text(phase.description),
      total: whole(phase.total, 1),
    },
    specPath: text(fields.specPath),
    planPath: optional(fields.planPath),
    statePath: optional(fields.statePath),
    handoffPath: optional(fields.handoffPath),
    scratchpadDir: optional(fields.scratchpadDir),
    checkpointAnswer: answerOf(fields.checkpointAnswer),
    retry: retryOf(fields.retry),
    findings: Array.isArray(fields.findings) ? fields.findings.map(findingOf) : [],
    diffBase: optional(fields.diffBase),
    note: optional(fields.note),
    skeletonOnly: fields.rigor === 'thorough' && fields.approvedSkeleton === undefined,
    expects: expectedOf(fields, role),
  }
}

/** Reads the file that AUTOPILOT_DISPATCH names; a relative path counts from `cwd`. Throws when it is not JSON. */
export async function readBrief(path: string, cwd: string, persona?: string): Promise<Brief> {
  return briefOf(JSON.parse(await readFile(resolve(cwd, path), 'utf8')), cwd, persona)
}
