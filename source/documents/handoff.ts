import { z } from 'zod'
import { formatJson, isObject, type JsonObject, parseJson, textOf, type Unreadable } from './json.js'

// handoff.json, which one skill writes for the next (docs/harness.md, "Handoff").

export interface HandoffDecision {
  what: string
  why: string
}

/** The ten strict fields, and what real skills add to them. */
export interface Handoff {
  timestamp: string
  fromSkill: string
  phase: string
  summary: string
  completed: string[]
  pending: string[]
  concerns: string[]
  decisions: HandoffDecision[]
  blockers: string[]
  contextKeywords: string[]
  /** Plan that was written or executed, as the file says it. */
  planPath?: string | undefined
  artifacts?: string[] | undefined
  learnings?: string[] | undefined
  commits?: string[] | undefined
  verdict?: 'pass' | 'fail' | 'incomplete' | undefined
  gaps?: string[] | undefined
  assessment?: string | undefined
  findingCount?: Record<string, number> | undefined
  /** As written; the execution skill says here at which checkpoint it stopped. */
  checkpoint?: { type: string; task?: string; prompt?: string; options?: string[] } | undefined
  finalReview?: { status: string; findingsCount: number } | undefined
}

export interface HandoffReading {
  normalised: Handoff
  /** Whether the file passes the strict upstream schema as it is. */
  strict: boolean
  warnings: string[]
}

/** What a handoff is written from: the strict fields, and the two that autopilot adds. */
export type HandoffFields = Pick<Handoff, 'timestamp' | 'fromSkill' | 'phase' | 'summary'> & Partial<Handoff>

const texts = z.array(z.string()).default([])
const strictSchema = z.object({
  timestamp: z.string(),
  fromSkill: z.string(),
  phase: z.string(),
  summary: z.string(),
  completed: texts,
  pending: texts,
  concerns: texts,
  decisions: z.array(z.object({ what: z.string(), why: z.string() })).default([]),
  blockers: texts,
  contextKeywords: texts,
})

const textKeys = [
  'task',
  'description',
  'title',
  'name',
  'text',
  'message',
  'what',
  'concern',
  'risk',
  'issue',
  'summary',
  'path',
  'file',
  'id',
]

/**
 * Reads a handoff as tolerantly as real ones need it. `mtimeIso` stands in for a missing timestamp.
 * Whether it is fresh and from the expected skill is for the caller to check.
 */
export function readHandoff(text: string, mtimeIso: string): HandoffReading | Unreadable {
  const parsed = parseJson(text)
  if ('unreadable' in parsed) return parsed
  if (!isObject(parsed.value)) return { unreadable: 'It is not a JSON object.' }
  const raw = parsed.value
  const warnings: string[] = []
  const normalised: Handoff = {
    timestamp: required(raw, 'timestamp', warnings, {
      otherwise: mtimeIso,
      meaning: 'the time of the file is used',
    }),
    fromSkill: required(raw, 'fromSkill', warnings, {
      otherwise: '',
      meaning: 'nobody can tell which skill wrote it',
    }),
    phase: required(raw, 'phase', warnings, { otherwise: '', meaning: 'it stays empty' }),
    summary: required(raw, 'summary', warnings, { otherwise: '', meaning: 'it stays empty' }),
    completed: list(raw, ['completed', 'completedTasks'], warnings),
    pending: list(raw, ['pending', 'pendingTasks'], warnings),
    concerns: list(raw, ['concerns'], warnings),
    decisions: decisionsOf(raw.decisions, warnings),
    blockers: list(raw, ['blockers'], warnings),
    contextKeywords: list(raw, ['contextKeywords'], warnings),
    ...extras(raw),
  }
  return { normalised, strict: strictSchema.safeParse(raw).success, warnings }
}

/** Writes a handoff that passes the strict schema; what was not given is an empty list. */
export function writeHandoff(fields: HandoffFields): string {
  return formatJson({
    timestamp: fields.timestamp,
    fromSkill: fields.fromSkill,
    phase: fields.phase,
    summary: fields.summary,
    completed: fields.completed ?? [],
    pending: fields.pending ?? [],
    concerns: fields.concerns ?? [],
    decisions: fields.decisions ?? [],
    blockers: fields.blockers ?? [],
    contextKeywords: fields.contextKeywords ?? [],
    ...(fields.planPath === undefined ? {} : { planPath: fields.planPath }),
    ...(fields.finalReview === undefined ? {} : { finalReview: fields.finalReview }),
  })
}

/** Plan files that a handoff names: its plan path first, then `plans/*.md` in artifacts and summary; no repeats. */
export function planPathsOf(handoff: Handoff): string[] {
  const named = [...(handoff.artifacts ?? []), handoff.summary].flatMap(planPathsIn)
  return [...new Set([...(handoff.planPath === undefined ? [] : [handoff.planPath]), ...named])]
}

/** Paths such as `docs/plans/a.md` in a text: words that hold `plans/` and end in `.md`. */
function planPathsIn(text: string): string[] {
  return text.split(/[\s`'"()<>[\],;|]/).flatMap((word) => {
    const end = word.lastIndexOf('.md')
    const path = /[\w./@~-]{0,400}$/.exec(word.slice(Math.max(0, end - 400), Math.max(0, end)))?.[0] ?? ''
    const ends = end !== -1 && !/^\w/.test(word.slice(end + 3))
    return ends && /(?:^|[^\w])plans\/[^/]/.test(path) ? [`${path}.md`] : []
  })
}

function verdictOf(value: unknown): Handoff['verdict'] {
  const word = textOf(value)?.trim().toLowerCase() ?? ''
  if (word === 'pass' || word === 'passed') return 'pass'
  if (word === 'fail' || word === 'failed') return 'fail'
  return word === 'incomplete' ? 'incomplete' : undefined
}

/** A text that has to be there. `otherwise` stands in for it, and `meaning` tells what that means. */
function required(
  raw: JsonObject,
  key: string,
  warnings: string[],
  missing: { otherwise: string; meaning: string },
): string {
  const value = raw[key]
  if (typeof value === 'string') return value
  const text = textOf(value)
  if (text !== undefined) {
    warnings.push(`"${key}" is not a text; read as "${text}".`)
    return text
  }
  warnings.push(`"${key}" is missing; ${missing.meaning}.`)
  return missing.otherwise
}

/** Items of the first key that holds any: strings as they are, objects by what they are called. */
function list(raw: JsonObject, keys: string[], warnings: string[]): string[] {
  const key = keys.find((each) => items(raw[each]).length > 0)
  if (key === undefined) return []
  if (key !== keys[0]) warnings.push(`"${key}" is read as "${keys[0]}".`)
  return items(raw[key]).map((item) => {
    if (typeof item === 'string') return item
    warnings.push(`An entry of "${key}" is not a text.`)
    return describe(item)
  })
}

function items(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null || value === '') return []
  return isObject(value) ? Object.values(value) : [value]
}

function describe(item: unknown): string {
  return textOf(item, textKeys) ?? JSON.stringify(item) ?? String(item)
}

function decisionsOf(value: unknown, warnings: string[]): HandoffDecision[] {
  return items(value).map((item) => {
    if (typeof item === 'string') {
      warnings.push('A decision is a plain text; it has no reason.')
      return { what: item, why: '' }
    }
    const what = textOf(item, ['what', 'decision', 'action', ...textKeys]) ?? JSON.stringify(item)
    const why = isObject(item)
      ? (textOf(item.why) ?? textOf(item.rationale) ?? textOf(item.context) ?? '')
      : ''
    return { what, why }
  })
}

/** Lists of paths or notes, which some skills write as objects: keys and values may both hold the path. */
function flat(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) return items(value).map(describe)
  return Object.values(value).flatMap((entry) => flat(entry) ?? [])
}

function extras(raw: JsonObject): Partial<Handoff> {
  const found: Partial<Handoff> = {
    planPath: textOf(raw.planPath) ?? textOf(raw.plan, ['path', 'file', 'planPath']),
    artifacts: flat(raw.artifacts),
    learnings: flat(raw.learnings),
    commits: flat(raw.commits),
    verdict: verdictOf(raw.verdict),
    gaps: flat(raw.gaps),
    assessment: textOf(raw.assessment),
    findingCount: countsOf(raw.findingCount),
    checkpoint: checkpointOf(raw.checkpoint),
    finalReview: finalReviewOf(raw.finalReview),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function countsOf(value: unknown): Record<string, number> | undefined {
  if (!isObject(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, count]) =>
      typeof count === 'number' ? [[key, count] as const] : [],
    ),
  )
}

function checkpointOf(value: unknown): Handoff['checkpoint'] {
  if (typeof value === 'string') return { type: value }
  if (!isObject(value)) return undefined
  const task = textOf(value.task, ['id', 'name'])
  const prompt = textOf(value.prompt) ?? textOf(value.description)
  return {
    type: textOf(value.type) ?? 'human-verify',
    ...(task === undefined ? {} : { task }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(Array.isArray(value.options) ? { options: value.options.map(describe) } : {}),
  }
}

function finalReviewOf(value: unknown): Handoff['finalReview'] {
  if (!isObject(value) || typeof value.status !== 'string') return undefined
  return {
    status: value.status,
    findingsCount: typeof value.findingsCount === 'number' ? value.findingsCount : 0,
  }
}
